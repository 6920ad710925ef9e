import type { libraryMachine } from '../../../reading/library.ts';
import type { Description } from '../../description.ts';

export const libraryDescription = {
  title: 'My Library',
  about: 'The customer’s titles, also those of the subscription that were opened: /mylibrary and its kinds.',
  states: {
    'library.loading': 'Grey covers under the heading “My Library”.',
    'library.shown': 'A card for each title: its progress, and “Read”, “Continue”, “Listen”, “Watch” or “Play”.',
    'library.empty': ({ context: { query, left } }) =>
      `The heading ${query.type === 'all' ? '“Your library is waiting for its first title”' : '“No titles of this type yet”'}${left === null ? '' : '; above it the number of titles lost with an ended subscription'}.`,
    'library.failed': 'The heading “We couldn’t load your library”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'sort.chosen': 'Choose in “Sort by”',
    'title.opened': 'Press “Read” or “Continue” on a card',
  },
  happens: { 'route.changed': 'Only the query of the URL changes' },
  asks: { purchases: 'the customer’s titles' },
  effects: {
    goSorted: 'The query of the URL contains the chosen sort order; Back skips the change.',
    goRead: 'The viewer opens the title.',
    keepQuery: 'The titles load again.',
  },
} satisfies Description<typeof libraryMachine>;
