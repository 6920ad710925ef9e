import type { forgotPasswordMachine } from '../../../account/forgot-password.ts';
import { getPortOutput, getPortInput, rulesFor } from '../../../paths/rules.ts';
import { createSubmittedFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, onlyAfter } = rulesFor<typeof forgotPasswordMachine>();

export const rules: Record<string, MachineRules> = {
  forgotPassword: {
    rules: [
      ...createSubmittedFormRules({ event: 'request', port: 'requestLink', sendingState: 'sending' }),
      always('the request for a link contains isNotMe', (moment) => {
        const input = getPortInput<{ isNotMe: boolean }>(moment, 'requestLink');
        return input === undefined || input.isNotMe === moment.snapshot.context.isNotMe;
      }),
      onlyAfter('the e-mail is announced only after the server has accepted the request', {
        cause: (moment) => getPortOutput(moment, 'requestLink') !== undefined,
        what: ({ snapshot }) => snapshot.matches('sent'),
      }),
      always('an accepted request is confirmed', (moment) => {
        return getPortOutput(moment, 'requestLink') === undefined || moment.snapshot.matches('sent');
      }),
    ],
    pii: { 'forgotPassword.sending': 'the form is on its way to the server' },
  },
};
