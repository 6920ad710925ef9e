import type { SavedTitle, wishListMachine } from '../../../../machines/browsing/wish-list.ts';
import { wishesChangeElsewhere } from '../../causes.ts';
import type { Headings, Port, Stage } from '../../stage.ts';
import { json } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/wish-list/paths.ts';

const headings: Headings<typeof wishListMachine> = {
  loading: 'Wish list',
  shown: 'Wish list',
  empty: 'Nothing saved yet',
  failed: 'We couldn’t load your wish list',
};

/** The titles themselves are the server's own; which they are is the model's to say. */
const savedTitles: Port = {
  asks: ({ pathname }, method) => pathname.endsWith('/user/wishlist') && method === 'GET',
  answer: (saved: SavedTitle[]) => json({ titles: saved.map(({ savedAt, title }) => ({ titleId: title.id, savedAt })) }),
};

export const stage: Stage = {
  name: 'wishList',
  models,
  address: () => '/wishlist',
  // The frame's hearts ask the same, and would take the answers of the page.
  arrives: async ({ flow }) => flow.waitFor(),
  headings,
  ports: { savedTitles, savedTitlesAnew: savedTitles },
  causes: { 'wishes.changed': wishesChangeElsewhere },
};
