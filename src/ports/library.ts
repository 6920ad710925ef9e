import { libraryMachine, type LibraryQuery } from '../../machines/library.ts';
import type { OwnedTitle } from '../../machines/model/purchase.ts';
import { requestPort } from '../../machines/ports.ts';
import { api } from './api.ts';

export const library = libraryMachine.provide({
  actors: {
    purchases: requestPort<OwnedTitle[], LibraryQuery>(async ({ input, signal }) => {
      const { purchases } = await import('../api/library.ts');
      return purchases(await api(), input, signal);
    }),
  },
});
