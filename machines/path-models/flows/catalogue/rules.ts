import type { catalogueMachine } from '../../../browsing/catalogue.ts';
import type { facetsMachine } from '../../../browsing/facets.ts';
import { getPortOutput, getPortInput, rulesFor, isSame, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const list = rulesFor<typeof catalogueMachine>();
const facets = rulesFor<typeof facetsMachine>();

export const rules: Record<string, MachineRules> = {
  catalogue: {
    rules: [
      list.always('the list that is asked for is that of the address', (moment) => {
        return getSentEvents(moment, 'list.ask').every(({ query }) => isSame(query, moment.snapshot.context.query));
      }),
      list.always('another address is another list', (moment) => {
        return (
          moment.event.type !== 'route.changed' ||
          (moment.snapshot.matches('loading') && getSentEvents(moment, 'list.ask').length === 1)
        );
      }),
      list.always('what the list can be narrowed by is counted for the same list', (moment) => {
        return getSentEvents(moment, 'list.asked').every(({ query }) => isSame(query, moment.snapshot.context.query));
      }),
      list.invariant(
        'a list that is shown is there',
        ({ context, ...snapshot }) => !snapshot.matches('shown') || context.page !== null,
      ),
      list.always('what is chosen goes into the address', (moment) => {
        const isChosen = ['filter.chosen', 'sort.chosen', 'price.submitted'].includes(moment.event.type);
        return !isChosen || getSentEvents(moment, 'go').length === 1;
      }),
    ],
  },
  facets: {
    rules: [
      facets.always('choices are counted for the list that was asked for', (moment) => {
        const asked = getPortInput<{ query: unknown }>(moment, 'facets');
        return asked === undefined || isSame(asked.query, moment.snapshot.context.query);
      }),
      facets.always('what was counted is kept', (moment) => {
        const counted = getPortOutput(moment, 'facets');
        return counted === undefined || isSame(counted, moment.snapshot.context.facets);
      }),
      facets.leadsTo('how many there are is said, once no other list is asked for', {
        after: ({ event }) => event.type === 'list.counted',
        to: ({ snapshot, event }) => snapshot.matches({ saying: 'said' }) || event.type === 'list.asked',
      }),
    ],
    externalExits: { 'facets.choices.uncounted': 'the list is there without its choices, and the next list is counted anew' },
  },
};
