import type { resetPasswordMachine } from '../../../account/reset-password.ts';
import { answerOf, failureOf, rulesFor } from '../../../paths/rules.ts';
import { sentFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, onlyAfter } = rulesFor<typeof resetPasswordMachine>();

export const rules: Record<string, MachineRules> = {
  resetPassword: {
    rules: [
      ...sentFormRules({ event: 'password', port: 'savePassword', sending: 'saving' }),
      onlyAfter('a password is asked for only by a link that is good', {
        cause: (moment) => answerOf<boolean>(moment, 'checkLink') === true,
        what: ({ snapshot }) => snapshot.matches('asking'),
      }),
      onlyAfter('a password is asked for only when it is known what else opens the account', {
        cause: (moment) => answerOf(moment, 'loadWays') !== undefined,
        what: ({ snapshot }) => snapshot.matches('asking'),
      }),
      invariant('the ways that are said to go are those ticked, or that go in any case', ({ context }) => {
        const { form } = context.pii;
        const always = context.ways.filter(({ goesAnyway }) => goesAnyway).length;
        return form === null || context.removedCount === form.removed.length + always;
      }),
      onlyAfter('a password is only said to be changed when the server has changed it', {
        cause: (moment) => answerOf(moment, 'savePassword') !== undefined,
        what: ({ snapshot }) => snapshot.matches('saved'),
      }),
      always('a password that was changed is said to be', (moment) => {
        return answerOf(moment, 'savePassword') === undefined || moment.snapshot.matches('saved');
      }),
      always('a link that is over is said to be, and no other', (moment) => {
        const problem = failureOf(moment, 'savePassword') ?? failureOf(moment, 'loadWays');
        const isOver = problem?.kind === 'refused' && problem.code === 'link_over';
        const isRefused = answerOf<boolean>(moment, 'checkLink') === false;
        const becomesOver = moment.snapshot.matches('over') && moment.before?.matches('over') !== true;
        return becomesOver === (isOver || isRefused);
      }),
    ],
    pii: { 'resetPassword.saving': 'the form is on its way to the server' },
  },
};
