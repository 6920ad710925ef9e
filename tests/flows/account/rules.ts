import type { accountMachine } from '../../../machines/account/account.ts';
import { rulesFor } from '../../../machines/paths/rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const { invariant, leadsTo } = rulesFor<typeof accountMachine>();

export const rules: Record<string, MachineRules> = {
  account: {
    rules: [
      leadsTo('an account comes, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('what is shown has purchases', ({ value, context }) => value !== 'shown' || context.purchases.length > 0),
    ],
  },
};
