import type { SavedTitle, wishListMachine } from '../../../../machines/browsing/wish-list.ts';
import { changeWishesElsewhere } from '../../causes.ts';
import type { Headings, Port, BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/wish-list/paths.ts';

const headings: Headings<typeof wishListMachine> = {
  loading: 'Wish list',
  shown: 'Wish list',
  empty: 'Nothing saved yet',
  failed: 'We couldn’t load your wish list',
};

/** The titles are the server's own; the model says which are on the list. */
const savedTitles: Port = {
  asks: ({ pathname }, method) => pathname.endsWith('/user/wishlist') && method === 'GET',
  answer: (saved: SavedTitle[]) => json({ titles: saved.map(({ savedAt, title }) => ({ titleId: title.id, savedAt })) }),
};

export const adapter: BrowserAdapter = {
  name: 'wishList',
  models,
  address: () => '/wishlist',
  // The frame's hearts send the same request, and would take the page's response.
  arrives: async ({ flow }) => flow.waitFor(),
  headings,
  ports: { savedTitles, savedTitlesAnew: savedTitles },
  causes: { 'wishes.changed': changeWishesElsewhere },
};
