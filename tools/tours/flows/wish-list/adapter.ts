import type { SavedTitle, wishListMachine } from '../../../../machines/browsing/wish-list.ts';
import { changeWishesElsewhere } from '../../causes.ts';
import type { Headings, Port, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/wish-list/paths.ts';

const headings: Headings<typeof wishListMachine> = {
  loading: 'Wish list',
  shown: 'Wish list',
  empty: 'Nothing saved yet',
  failed: 'We couldn’t load your wish list',
};

/** The list of saved titles: the model determines their ids; their details come from the server. */
const savedTitles: Port = {
  matches: ({ pathname }, method) => pathname.endsWith('/user/wishlist') && method === 'GET',
  toResponse: (titles: SavedTitle[]) =>
    toJsonResponse({ titles: titles.map(({ savedAt, title }) => ({ titleId: title.id, savedAt })) }),
};

export const adapter: BrowserAdapter = {
  name: 'wishList',
  models,
  getStartPath: () => '/wishlist',
  // The frame's hearts send the same request: without this wait they could get the page's response.
  openScreen: async ({ flow }) => flow.waitFor(),
  headings,
  ports: { savedTitles, reloadSavedTitles: savedTitles },
  causes: { 'wishes.changed': changeWishesElsewhere },
};
