import type { landingMachine } from '../../../browsing/landing.ts';
import { getPortInput, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo } = rulesFor<typeof landingMachine>();

export const rules: Record<string, MachineRules> = {
  landing: {
    rules: [
      leadsTo('the landing page comes, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('what is shown has shelves', ({ value, context }) => value !== 'shown' || context.shelves.length > 0),
      always('only who may have begun something is asked about', (moment) => {
        return getPortInput(moment, 'begun') === undefined || moment.snapshot.context.begun === null;
      }),
      always('what was begun takes no titles away when it does not come', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.begun' || !snapshot.matches('failed');
      }),
    ],
  },
};
