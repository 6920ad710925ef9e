import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { flowInput, problems, route, summary, type PathModel } from '../../support/path-model.ts';
import { catalogueWords } from './words.ts';
import { saying } from '../../support/words.ts';

const about = { total: 500, categoryName: null, categoryId: null, place: 0 };

export const models: PathModel[] = [
  {
    name: 'catalogue',
    machine: catalogueMachine,
    words: catalogueWords,
    given: 'Open a list with a search: /all?search=sea.',
    input: flowInput({ flow: 'catalogue', path: '/all?search=sea', params: { type: 'all' }, query: { search: 'sea' } }),
    cases: {
      'route.changed': [{ route: route({ flow: 'catalogue', path: '/all?sort=title', query: { sort: 'title' } }) }],
      'sort.chosen': [saying('by title', { sort: 'title' }), saying('the shop’s own order', { sort: '' })],
      'price.submitted': [saying('from 5 to 9.99', { from: '5', to: '9.99' })],
      'titles.arrived': [
        saying('a list of one', { from: 0, titles: [summary], count: 1, about }),
        saying('the first of many', { from: 0, titles: [summary], count: 500, about }),
      ],
      'list.ended': [
        saying('there is more to be had', { about, hasMore: true }),
        saying('that was all', { about, hasMore: false }),
      ],
      'list.failed': [problems.offline, problems.notFound].map((problem) => ({ problem })),
      'title.found': [{ path: '/id:1001/the-keeper' }],
      'places.seen': [
        saying('its first screen', { first: 0, last: 5 }),
        saying('near the end of what has come', { first: 470, last: 480 }),
      ],
    },
  },
];
