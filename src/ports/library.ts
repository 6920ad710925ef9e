import { libraryMachine, type LibraryQuery } from '../../machines/library.ts';
import type { OwnedTitle } from '../../machines/model/purchase.ts';
import { requestPort } from '../../machines/ports.ts';
import { purchases } from '../api/library.ts';
import { api } from './api.ts';

export const flow = libraryMachine.provide({
  actors: {
    purchases: requestPort<OwnedTitle[], LibraryQuery>(async ({ input, signal }) => purchases(await api(), input, signal)),
  },
});
