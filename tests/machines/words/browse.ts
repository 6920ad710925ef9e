import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { landingMachine } from '../../../machines/browsing/landing.ts';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import type { informationMachine, notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import type { Words } from './words.ts';

export const landingWords = {
  title: 'The landing page',
  about: 'The page /.',
  states: {
    'landing.loading': 'A wait: “Filling the shelves…”, under the store’s name.',
    'landing.shown': 'A featured title, “New on the shelves”, and a shelf for each kind of title that the store sells.',
    'landing.empty': 'The heading “Welcome to {name}” and “The shelves are still empty. Come back soon.”',
    'landing.failed': '“The shelves did not come”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  asks: { shelves: 'the shelves' },
} satisfies Words<typeof landingMachine>;

export const catalogueWords = {
  title: 'Lists of titles',
  about:
    'The pages /all, /ebook, /audio and /video, their categories, /catalog/titles/… and /titleset/titles/…, and what a search finds.',
  states: {
    'catalogue.loading': 'A wait under the list’s heading: “Looking along the shelves…”.',
    'catalogue.shown.arriving': 'The covers so far; the button “Show more” below them waits and cannot be pressed.',
    'catalogue.shown.resting': 'The covers of the list; “Show more” below them while there are more.',
    'catalogue.shown.moreFailed': 'The covers so far; below them the reason and “Retry”.',
    'catalogue.empty':
      'The heading “No titles match “{search}”” after a search, “No titles match these filters” with prices, else “There are no titles here yet”; and “See all titles”.',
    'catalogue.notFound': 'The heading “There is no such category” and “See all titles”.',
    'catalogue.failed': 'The heading “The titles did not come”, the reason, and “Retry”.',
    'catalogue.leading': 'A wait: “Looking along the shelves…”.',
  },
  presses: {
    'retry.pressed': 'Press “Retry”',
    'more.requested': 'Press “Show more” (“Retry” after a failure)',
    'sort.chosen': 'Choose in “Sort by”',
    'price.submitted': 'Open “Filters”, fill in “Price from” and “Price to”, press “Apply”',
    'places.seen': 'Scroll',
  },
  happens: {
    'route.changed': 'The address changes in its query alone',
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
} satisfies Words<typeof catalogueMachine>;

export const libraryWords = {
  title: 'My Library',
  about: 'Everything that the customer owns: /mylibrary and its kinds.',
  states: {
    'library.loading': 'Grey covers under the heading “My Library”.',
    'library.shown': 'A card for each owned title: how far it is read, and “Read”, “Continue”, “Listen”, “Watch” or “Play”.',
    'library.empty': 'The heading “Your library is waiting for its first title” (“Nothing of this kind yet” for one kind).',
    'library.expired': 'A wait: “Your session has ended. Taking you to sign in…”.',
    'library.failed': 'The heading “Your library could not be shown”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'sort.chosen': 'Choose in “Sort by”',
    'title.opened': 'Press “Read” or “Continue” on a card',
  },
  happens: { 'route.changed': 'The address changes in its query alone', 'session.changed': 'The session changes' },
  asks: { purchases: 'the customer’s titles' },
  effects: {
    goSorted: 'The address holds the chosen order in its query; Back leads past it.',
    goRead: 'The viewer opens the title.',
    askSignIn: 'The sign-in page comes up and leads back here.',
    keepQuery: 'The titles are fetched anew.',
  },
} satisfies Words<typeof libraryMachine>;

export const informationWords = {
  title: 'Information pages',
  about: 'The pages /about, /terms and /privacy.',
  states: { 'information.shown': 'What the store says of itself; a link when it keeps the page on its own site.' },
} satisfies Words<typeof informationMachine>;

export const notFoundWords = {
  title: 'A page that is not there',
  about: 'Any path that the shop does not know.',
  states: { 'notFound.shown': 'The heading “Oops! Wrong Turn” and “Back to Home”, which leads to /.' },
} satisfies Words<typeof notFoundMachine>;
