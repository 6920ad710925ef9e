import type { FlowInput } from '../../../../machines/model/flow.ts';
import type { catalogueMachine, ListPage } from '../../../../machines/catalogue.ts';
import { flowModels } from '../../../machines/flows.paths.ts';
import type { Headings, Port, Stage } from '../stage.ts';
import { titlesWire } from '../wires.ts';

const headings: Headings<typeof catalogueMachine> = {
  loading: 'Titles',
  shown: 'Titles',
  empty: 'No titles match “sea”',
  notFound: 'There is no such category',
  failed: 'The titles did not come',
};

const pages = (isMore: boolean): Port => ({
  asks: ({ pathname, searchParams }) => pathname.endsWith('/api/titles') && searchParams.has('cursor') === isMore,
  answer: (page: ListPage) => titlesWire(page),
  says: ({ titles, next }: ListPage, body) =>
    titles.length > 0 === body.includes('<Title>') && (next !== null) === /<Titles[^>]* next="/.test(body),
});

export const catalogue: Stage = {
  name: 'catalogue',
  models: flowModels.filter(({ name }) => name === 'catalogue'),
  address: ({ route }: FlowInput) => route.path,
  headings,
  ports: { titles: pages(false), moreTitles: pages(true) },
  // The address changes because something was chosen or typed, as the same step.
  isPossible: ({ value }, { type }) =>
    type !== 'route.changed' && !(value === 'notFound' && (type === 'sort.chosen' || type === 'search.submitted')),
};
