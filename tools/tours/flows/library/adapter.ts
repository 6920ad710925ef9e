import type { AnyEventObject } from 'xstate';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Library } from '../../../../machines/model/buying/purchase.ts';
import type { libraryMachine } from '../../../../machines/reading/library.ts';
import { getNextSettlement } from '../../causes.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toPurchasesXml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/library/paths.ts';

const libraryHeadings: Headings<typeof libraryMachine> = {
  loading: 'My Library',
  shown: 'My Library',
  empty: 'No titles of this type yet',
  failed: 'We couldn’t load your library',
};

/** The first output of a port, if any. */
const getFirstOutput = (world: WalkContext, port: string): unknown =>
  (getNextSettlement(world, port) as AnyEventObject | null)?.['output'];

const ownsTitles = (world: WalkContext): boolean =>
  ((getFirstOutput(world, 'purchases') as Library | undefined)?.titles.length ?? 0) > 0;

export const adapter: BrowserAdapter = {
  name: 'library',
  models,
  reusesPage: true,
  address: ({ route: { params } }: FlowInput) => `/mylibrary/${params['type'] ?? ''}`,
  headings: libraryHeadings,
  prepares: async (world) => {
    if (ownsTitles(world)) await (await world.customer()).buy('1001');
    return undefined;
  },
  ports: {
    purchases: {
      asks: ({ pathname }) => pathname.endsWith('/user/purchases'),
      answer: (library: Library) => toPurchasesXml(library),
      says: ({ titles, left }: Library, body) => left === null && titles.length > 0 === body.includes('<Purchase>'),
    },
  },
  isPossible: (_, { type }) => type !== 'route.changed',
};
