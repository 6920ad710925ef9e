import { libraryMachine, type LibraryQuery } from '../../../machines/reading/library.ts';
import type { Library } from '../../../machines/model/buying/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { purchases } from '../../client/library/library.ts';
import { placesSender } from '../../client/library/send-places.ts';
import type { World } from '../../shell/app/world.ts';

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
