import type { landingMachine } from '../../../browsing/landing.ts';
import { getPortInput, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo } = rulesFor<typeof landingMachine>();

export const rules: Record<string, MachineRules> = {
  landing: {
    rules: [
      leadsTo('the landing page loads or its failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('a shown landing page has shelves', ({ value, context }) => value !== 'shown' || context.shelves.length > 0),
      always('started titles are requested only if they are not known yet', (moment) => {
        return getPortInput(moment, 'startedTitles') === undefined || moment.snapshot.context.startedTitles === null;
      }),
      always('a failed request for the started titles does not fail the page', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.startedTitles' || !snapshot.matches('failed');
      }),
    ],
  },
};
