import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { flowInput, problems, route, summary, type PathModel } from '../../support/path-model.ts';
import { catalogueDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

const about = { total: 500, meant: null, categoryName: null, categoryId: null, scrollY: 0 };

const cases: NonNullable<PathModel['cases']> = {
  'route.changed': [{ route: route({ flow: 'catalogue', path: '/all?sort=title', query: { sort: 'title' } }) }],
  'sort.chosen': [described('by title', { sort: 'title' }), described('the shop’s own order', { sort: '' })],
  'price.submitted': [described('from 5 to 9.99', { from: '5', to: '9.99' })],
  'titles.arrived': [
    described('a list of one', { from: 0, titles: [summary], count: 1, about }),
    described('the first of many', { from: 0, titles: [summary], count: 500, about }),
  ],
  'list.ended': [
    described('there is more to be had', { about, hasMore: true }),
    described('that was all', { about, hasMore: false }),
  ],
  'list.failed': [problems.offline, problems.notFound].map((problem) => ({ problem })),
  'title.found': [{ path: '/id:1001/the-keeper' }],
  'places.seen': [
    described('its first screen', { first: 0, last: 5 }),
    described('near the end of what has come', { first: 470, last: 480 }),
  ],
};

export const models: PathModel[] = [
  {
    name: 'catalogue',
    machine: catalogueMachine,
    description: catalogueDescription,
    given: 'Open a list with a search: /all?search=sea.',
    input: flowInput({ flow: 'catalogue', path: '/all?search=sea', params: { type: 'all' }, query: { search: 'sea' } }),
    cases,
  },
  {
    name: 'catalogue',
    machine: catalogueMachine,
    description: catalogueDescription,
    given: 'Open a catalogue: /catalog/titles/spring-catalogue.',
    input: flowInput({ flow: 'catalogue', path: '/catalog/titles/spring-catalogue', params: { catalog: 'spring-catalogue' } }),
    cases,
  },
];
