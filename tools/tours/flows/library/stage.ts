import type { AnyEventObject } from 'xstate';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Library } from '../../../../machines/model/buying/purchase.ts';
import type { libraryMachine } from '../../../../machines/reading/library.ts';
import { nextOf } from '../../causes.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { purchasesWire } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/library/paths.ts';

const libraryHeadings: Headings<typeof libraryMachine> = {
  loading: 'My Library',
  shown: 'My Library',
  empty: 'No titles of this type yet',
  failed: 'We couldn’t load your library',
};

/** What a port answers first, if it answers at all. */
const firstOutput = (world: World, port: string): unknown => (nextOf(world, port) as AnyEventObject | null)?.['output'];

const ownsSome = (world: World): boolean => ((firstOutput(world, 'purchases') as Library | undefined)?.titles.length ?? 0) > 0;

export const stage: Stage = {
  name: 'library',
  models,
  sharesPage: true,
  address: ({ route: { params } }: FlowInput) => `/mylibrary/${params['type'] ?? ''}`,
  headings: libraryHeadings,
  prepares: async (world) => {
    if (ownsSome(world)) await (await world.customer()).buys('1001');
    return undefined;
  },
  ports: {
    purchases: {
      asks: ({ pathname }) => pathname.endsWith('/user/purchases'),
      answer: (library: Library) => purchasesWire(library),
      says: ({ titles, left }: Library, body) => left === null && titles.length > 0 === body.includes('<Purchase>'),
    },
  },
  isPossible: (_, { type }) => type !== 'route.changed',
};
