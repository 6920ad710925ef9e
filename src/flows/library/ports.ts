import { libraryMachine, type LibraryQuery } from '../../../machines/reading/library.ts';
import type { Library } from '../../../machines/model/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { purchases } from '../../client/library.ts';
import { placesSender } from '../../client/send-places.ts';
import type { World } from '../../shell/world.ts';

export const flow = ({ api, own }: World) =>
  libraryMachine.provide({
    actors: {
      purchases: requestPort<Library, LibraryQuery>(async ({ input, signal }) => {
        const shop = await api();
        void own(placesSender)(shop);
        return purchases(shop, input, signal);
      }),
    },
  });
