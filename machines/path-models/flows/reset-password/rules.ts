import type { resetPasswordMachine } from '../../../account/reset-password.ts';
import { getPortOutput, getPortProblem, rulesFor } from '../../../paths/rules.ts';
import { createSubmittedFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, onlyAfter } = rulesFor<typeof resetPasswordMachine>();

export const rules: Record<string, MachineRules> = {
  resetPassword: {
    rules: [
      ...createSubmittedFormRules({ event: 'password', port: 'savePassword', sendingState: 'saving' }),
      onlyAfter('the form appears only for a valid link', {
        cause: (moment) => getPortOutput<boolean>(moment, 'checkLink') === true,
        what: ({ snapshot }) => snapshot.matches('asking'),
      }),
      onlyAfter('the form appears only after the other sign-in methods have loaded', {
        cause: (moment) => getPortOutput(moment, 'loadResetMethods') !== undefined,
        what: ({ snapshot }) => snapshot.matches('asking'),
      }),
      invariant('the number of removed sign-in methods counts the ticked ones and those removed in any case', ({ context }) => {
        const { form } = context.pii;
        const removedAnyway = context.ways.filter(({ goesAnyway }) => goesAnyway).length;
        return form === null || context.removedCount === form.removed.length + removedAnyway;
      }),
      onlyAfter('a password is shown as changed only after the server has changed it', {
        cause: (moment) => getPortOutput(moment, 'savePassword') !== undefined,
        what: ({ snapshot }) => snapshot.matches('saved'),
      }),
      always('a changed password is confirmed', (moment) => {
        return getPortOutput(moment, 'savePassword') === undefined || moment.snapshot.matches('saved');
      }),
      always('a link is shown as expired exactly when the server reports it', (moment) => {
        const problem = getPortProblem(moment, 'savePassword') ?? getPortProblem(moment, 'loadResetMethods');
        const isExpired = problem?.kind === 'refused' && problem.code === 'link_over';
        const isRefused = getPortOutput<boolean>(moment, 'checkLink') === false;
        const isShownAsExpired = moment.snapshot.matches('over') && moment.before?.matches('over') !== true;
        return isShownAsExpired === (isExpired || isRefused);
      }),
    ],
    pii: { 'resetPassword.saving': 'the form is on its way to the server' },
  },
};
