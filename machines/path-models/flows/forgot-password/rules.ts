import type { forgotPasswordMachine } from '../../../account/forgot-password.ts';
import { getPortOutput, getPortInput, rulesFor } from '../../../paths/rules.ts';
import { createSentFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, onlyAfter } = rulesFor<typeof forgotPasswordMachine>();

export const rules: Record<string, MachineRules> = {
  forgotPassword: {
    rules: [
      ...createSentFormRules({ event: 'request', port: 'requestLink', sending: 'sending' }),
      always('the server hears whether the customer says that it was not them', (moment) => {
        const asked = getPortInput<{ isNotMe: boolean }>(moment, 'requestLink');
        return asked === undefined || asked.isNotMe === moment.snapshot.context.isNotMe;
      }),
      onlyAfter('nobody is told of a letter before the server has taken the request', {
        cause: (moment) => getPortOutput(moment, 'requestLink') !== undefined,
        what: ({ snapshot }) => snapshot.matches('sent'),
      }),
      always('a request that was taken is confirmed', (moment) => {
        return getPortOutput(moment, 'requestLink') === undefined || moment.snapshot.matches('sent');
      }),
    ],
    pii: { 'forgotPassword.sending': 'the form is on its way to the server' },
  },
};
