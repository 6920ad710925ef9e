import type { resetPasswordMachine } from '../../../account/reset-password.ts';
import { getPortOutput, getPortProblem, rulesFor } from '../../../paths/rules.ts';
import { createSentFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, onlyAfter } = rulesFor<typeof resetPasswordMachine>();

export const rules: Record<string, MachineRules> = {
  resetPassword: {
    rules: [
      ...createSentFormRules({ event: 'password', port: 'savePassword', sending: 'saving' }),
      onlyAfter('a password is asked for only by a link that is good', {
        cause: (moment) => getPortOutput<boolean>(moment, 'checkLink') === true,
        what: ({ snapshot }) => snapshot.matches('asking'),
      }),
      onlyAfter('a password is asked for only when it is known what else opens the account', {
        cause: (moment) => getPortOutput(moment, 'loadWays') !== undefined,
        what: ({ snapshot }) => snapshot.matches('asking'),
      }),
      invariant('the ways that are said to go are those ticked, or that go in any case', ({ context }) => {
        const { form } = context.pii;
        const always = context.ways.filter(({ goesAnyway }) => goesAnyway).length;
        return form === null || context.removedCount === form.removed.length + always;
      }),
      onlyAfter('a password is only said to be changed when the server has changed it', {
        cause: (moment) => getPortOutput(moment, 'savePassword') !== undefined,
        what: ({ snapshot }) => snapshot.matches('saved'),
      }),
      always('a password that was changed is said to be', (moment) => {
        return getPortOutput(moment, 'savePassword') === undefined || moment.snapshot.matches('saved');
      }),
      always('a link that is over is said to be, and no other', (moment) => {
        const problem = getPortProblem(moment, 'savePassword') ?? getPortProblem(moment, 'loadWays');
        const isOver = problem?.kind === 'refused' && problem.code === 'link_over';
        const isRefused = getPortOutput<boolean>(moment, 'checkLink') === false;
        const becomesOver = moment.snapshot.matches('over') && moment.before?.matches('over') !== true;
        return becomesOver === (isOver || isRefused);
      }),
    ],
    pii: { 'resetPassword.saving': 'the form is on its way to the server' },
  },
};
