import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { Description } from '../../support/description.ts';

export const catalogueDescription = {
  title: 'Lists of titles',
  about:
    'The pages /all, /ebook, /audio and /video, their categories, /catalog/titles/… and /titleset/titles/…, and what a search finds.',
  states: {
    'catalogue.loading': 'A wait under the list’s heading: “Loading titles…”.',
    'catalogue.shown.arriving': 'The covers so far; the button “Show more” below them waits and cannot be pressed.',
    'catalogue.shown.resting': 'The covers of the list; “Show more” below them while there are more.',
    'catalogue.shown.moreFailed': 'The covers so far; below them the reason and “Retry”.',
    'catalogue.empty':
      'The heading “No titles match “{search}”” after a search, “No titles match these filters” with prices, else “There are no titles here yet”; and “See all titles”.',
    'catalogue.notFound': 'The heading “We couldn’t find that category” and “See all titles”.',
    'catalogue.failed': 'The heading “We couldn’t load the titles”, the reason, and “Retry”.',
    'catalogue.leading': 'A wait: “Loading titles…”.',
  },
  presses: {
    'retry.pressed': 'Press “Retry”',
    'more.requested': 'Press “Show more” (“Retry” after a failure)',
    'sort.chosen': 'Choose in “Sort by”',
    'price.submitted': 'Open “Filters”, fill in “Minimum price” and “Maximum price”, press “Apply”',
    'places.seen': 'Scroll',
  },
  happens: {
    'route.changed': 'The address changes in its query alone',
    'language.changed': 'Another language is spoken, after it was chosen in the foot of the page',
    'titles.arrived': 'Titles of the list arrive',
    'list.ended': 'The answer has come to its end',
    'list.failed': 'The answer does not come, or breaks off',
    'title.found': 'The address turns out to name a title',
  },
  effects: {
    askList: 'The list is fetched.',
    goOn: 'More titles are fetched.',
    keepMore: 'There are more titles than before.',
    look: 'Grey places near what is seen get their covers.',
    goSorted: 'The address holds the chosen order in its query (none for the shop’s own); Back leads past it.',
    goPriced: 'The address holds the prices in its query; Back leads to the list before.',
    goTitle: 'The title’s own page comes up, in place of this address.',
    keepRoute: 'The list is fetched anew.',
  },
} satisfies Description<typeof catalogueMachine>;
