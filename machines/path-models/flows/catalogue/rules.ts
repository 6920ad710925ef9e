import type { catalogueMachine } from '../../../browsing/catalogue.ts';
import type { facetsMachine } from '../../../browsing/facets.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const list = rulesFor<typeof catalogueMachine>();
const facets = rulesFor<typeof facetsMachine>();

export const rules: Record<string, MachineRules> = {
  catalogue: {
    rules: [
      list.always('a list is requested with the query of the address', (moment) => {
        return getSentEvents(moment, 'list.request').every(({ query }) => isSameJson(query, moment.snapshot.context.query));
      }),
      list.always('a change of the address requests a new list', (moment) => {
        return (
          moment.event.type !== 'route.changed' ||
          (moment.snapshot.matches('loading') && getSentEvents(moment, 'list.request').length === 1)
        );
      }),
      list.always('facets are requested with the query of the address', (moment) => {
        return getSentEvents(moment, 'list.requested').every(({ query }) => isSameJson(query, moment.snapshot.context.query));
      }),
      list.invariant(
        'a shown list has its data',
        ({ context, ...snapshot }) => !snapshot.matches('shown') || context.page !== null,
      ),
      list.always('a chosen filter, sort order or price changes the address', (moment) => {
        const isChosen = ['filter.chosen', 'sort.chosen', 'price.submitted'].includes(moment.event.type);
        return !isChosen || getSentEvents(moment, 'go').length === 1;
      }),
    ],
  },
  facets: {
    rules: [
      facets.always('facets are counted for the requested list', (moment) => {
        const input = getPortInput<{ query: unknown }>(moment, 'facets');
        return input === undefined || isSameJson(input.query, moment.snapshot.context.query);
      }),
      facets.always('the counted facets are kept', (moment) => {
        const facetCounts = getPortOutput(moment, 'facets');
        return facetCounts === undefined || isSameJson(facetCounts, moment.snapshot.context.facets);
      }),
      facets.leadsTo('the number of titles is announced unless another list is requested', {
        after: ({ event }) => event.type === 'list.counted',
        to: ({ snapshot, event }) => snapshot.matches({ announcement: 'announced' }) || event.type === 'list.requested',
      }),
    ],
    externalExits: { 'facets.choices.uncounted': 'the list is shown without facets, and the next list is counted again' },
  },
};
