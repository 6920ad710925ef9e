import type { wishListMachine } from '../../../browsing/wish-list.ts';
import type { Description } from '../../description.ts';

export const wishListDescription = {
  title: 'The wish list',
  about: 'The page /wishlist: the titles that a visitor has saved in this browser, or a customer in the account.',
  states: {
    'wishList.loading': 'Grey covers under the heading “Wish list”.',
    'wishList.shown.resting': 'A card for each saved title, the latest first, with its price and “Remove”.',
    'wishList.shown.refreshing': 'The same cards; the list is asked for again.',
    'wishList.empty': 'The heading “Nothing saved yet”, and how to save a title.',
    'wishList.failed': 'The heading “We couldn’t load your wish list”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  happens: {
    'wishes.changed':
      'In another tab a title is saved or removed (“Save for later”, once or again), until there are as many as the next answer of the server has; if this tab must still be loading, slow it down before (Network, 2000 ms of latency)',
  },
  asks: { savedTitles: 'the saved titles', reloadSavedTitles: 'the saved titles' },
} satisfies Description<typeof wishListMachine>;
