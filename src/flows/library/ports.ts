import { libraryMachine, type LibraryQuery } from '../../../machines/reading/library.ts';
import type { Library } from '../../../machines/model/buying/purchase.ts';
import { requestPort } from '../../../machines/ports.ts';
import { fetchPurchases } from '../../client/library/library.ts';
import { createPlacesSender } from '../../client/library/send-places.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api, scoped }: AppEnvironment) =>
  libraryMachine.provide({
    actors: {
      purchases: requestPort<Library, LibraryQuery>(async ({ input, signal }) => {
        const shop = await api();
        void scoped(createPlacesSender)(shop);
        return fetchPurchases(shop, input, signal);
      }),
    },
  });
