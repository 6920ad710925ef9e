import { catalogueMachine } from '../../../browsing/catalogue.ts';
import { facetsMachine } from '../../../browsing/facets.ts';
import { parseListQuery, type Facets } from '../../../model/catalogue/list.ts';
import { createFlowInput, problems, toRejectionCases, createRoute, titleSummary, type PathModel } from '../../path-model.ts';
import { catalogueDescription, facetsDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

const listInfo = { total: 500, meant: null, categoryName: null, categoryId: null, scrollY: 0 };

const cases: NonNullable<PathModel['cases']> = {
  'route.changed': [{ route: createRoute({ flow: 'catalogue', path: '/all?sort=title', query: { sort: 'title' } }) }],
  'sort.chosen': [describeCase('by title', { sort: 'title' }), describeCase('the shop’s own order', { sort: '' })],
  'filter.chosen': [describeCase('another language', { changes: { language: 'fr' } })],
  'price.submitted': [describeCase('from 5 to 9.99', { from: '5', to: '9.99' })],
  'titles.loaded': [
    describeCase('a list of one', { from: 0, titles: [titleSummary], count: 1, about: listInfo }),
    describeCase('the first of many', { from: 0, titles: [titleSummary], count: 500, about: listInfo }),
  ],
  'list.ended': [
    describeCase('there is more to be had', { about: listInfo, hasMore: true }),
    describeCase('that was all', { about: listInfo, hasMore: false }),
  ],
  'list.failed': [problems.offline, problems.notFound].map((problem) => ({ problem })),
  'title.found': [{ path: '/id:1001/the-keeper' }],
  'visibleRange.changed': [
    describeCase('its first screen', { first: 0, last: 5 }),
    describeCase('near the end of the loaded titles', { first: 470, last: 480 }),
  ],
};

const query = parseListQuery(createRoute({ flow: 'catalogue', path: '/all', params: { type: 'all' } }));
const facetCounts: Facets = {
  total: 24,
  currency: 'USD',
  kinds: [{ kind: 'ebook', count: 18 }],
  categories: [],
  languages: [{ language: 'fr', count: 1 }],
  free: 1,
  prices: [{ from: null, to: 4.99, count: 4 }],
};

const createFacetsModel = (start: Pick<PathModel, 'startInstruction' | 'input'>): PathModel => ({
  name: 'facets',
  machine: facetsMachine,
  description: facetsDescription,
  cases: {
    'list.requested': [
      describeCase('in French', { query: { ...query, languages: ['fr'] } }, 'Press French under “Language” among the filters'),
    ],
    'list.counted': [describeCase('24 of them', { total: 24 }), describeCase('the number is unknown', { total: null })],
    'xstate.done.actor.facets': [{ output: facetCounts }],
    'xstate.error.actor.facets': toRejectionCases(problems.notFound),
  },
  ...start,
});

export const models: PathModel[] = [
  {
    name: 'catalogue',
    machine: catalogueMachine,
    description: catalogueDescription,
    startInstruction: 'Open a list with a search: /all?search=sea.',
    input: createFlowInput({ flow: 'catalogue', path: '/all?search=sea', params: { type: 'all' }, query: { search: 'sea' } }),
    cases,
  },
  {
    name: 'catalogue',
    machine: catalogueMachine,
    description: catalogueDescription,
    startInstruction: 'Open a catalogue: /catalog/titles/spring-catalogue.',
    input: createFlowInput({
      flow: 'catalogue',
      path: '/catalog/titles/spring-catalogue',
      params: { catalog: 'spring-catalogue' },
    }),
    cases,
  },
  createFacetsModel({ startInstruction: 'Open a list: /all.', input: { query, shown: true } }),
  createFacetsModel({
    startInstruction: 'Open a list in a store that hides its filters (HideFilters on): /all.',
    input: { query, shown: false },
  }),
];
