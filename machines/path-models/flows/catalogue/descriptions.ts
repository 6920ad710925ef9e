import type { catalogueMachine } from '../../../browsing/catalogue.ts';
import type { facetsMachine } from '../../../browsing/facets.ts';
import type { Description } from '../../description.ts';

export const catalogueDescription = {
  title: 'Lists of titles',
  about:
    'The pages /all, /ebook, /audio and /video, their categories, /catalog/titles/… and /titleset/titles/…, and the results of a search.',
  states: {
    'catalogue.loading': 'A wait under the list’s heading: “Loading titles…”.',
    'catalogue.shown.arriving': 'The covers so far; the button “Show more” below them waits and cannot be pressed.',
    'catalogue.shown.resting': 'The covers of the list; “Show more” below them while there are more.',
    'catalogue.shown.moreFailed': 'The covers so far; below them the reason and “Try again”.',
    'catalogue.empty':
      'The heading “No titles match “{search}”” after a search, “No titles match these filters” with prices, else “There are no titles here yet”; and “See all titles”.',
    'catalogue.notFound': 'The heading “We couldn’t find that category” and “See all titles”.',
    'catalogue.failed': 'The heading “We couldn’t load the titles”, the reason, and “Try again”.',
    'catalogue.redirecting': 'A wait: “Loading titles…”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'more.requested': (snapshot) => `Press ${snapshot.matches({ shown: 'moreFailed' }) ? '“Try again”' : '“Show more”'}`,
    'sort.chosen': 'Choose in “Sort by”',
    'filter.chosen': 'Press a choice among the filters',
    'price.submitted': 'Among the filters, fill in “Price from” and “Price to”, press “Apply”',
    'visibleRange.changed': 'Scroll',
  },
  happens: {
    'route.changed': 'The address changes in its query alone',
    'language.changed': 'The texts of the language that the customer chose in the footer have loaded',
    'titles.loaded': 'Titles of the list arrive',
    'list.ended': 'The answer has ended',
    'list.failed': 'The answer fails to arrive, or breaks off',
    'title.found': 'The address turns out to name a title',
  },
  effects: {
    requestList: 'The list is fetched.',
    loadMore: 'More titles are fetched.',
    keepMore: 'There are more titles than before.',
    requestRange: 'Grey placeholders near the visible titles get their covers.',
    goSorted: 'The address holds the chosen sort order in its query (none for the shop’s own); Back leads past it.',
    goPriced: 'The address holds the prices in its query; Back leads to the list before.',
    goFiltered: 'The address holds the choice in its query; Back leads to the list before. The focus stays on the choice.',
    sendRequestToFacets: 'The filters are counted again.',
    sendTotalToFacets: 'The number of titles is shown above the list.',
    goTitle: 'The title’s own page comes up, in place of this address.',
    keepRoute: 'The list is fetched again.',
  },
} satisfies Description<typeof catalogueMachine>;

export const facetsDescription = {
  title: 'The filters of a list',
  about:
    'The filters beside a list, or in the panel that “Filters” opens in narrow windows; and the list’s announcements to screen readers.',
  states: {
    'facets.choices.waiting': 'Grey placeholders for the filters.',
    'facets.choices.counting': 'The filters as they were.',
    'facets.choices.counted': 'Each filter with the number of titles that it would leave.',
    'facets.choices.uncounted': 'Filters without numbers.',
    'facets.choices.hidden': 'No filters.',
    'facets.announcement.quiet': 'A screen reader hears no number.',
    'facets.announcement.settling': 'A screen reader hears no number yet.',
    'facets.announcement.announced': 'A screen reader hears how many titles there are.',
  },
  happens: {
    'list.requested': 'The list is fetched again, since its address changed',
    'list.counted': 'The first titles of the list arrive',
  },
  asks: { facets: 'how many titles each filter would leave' },
} satisfies Description<typeof facetsMachine>;
