import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Library } from '../../../../machines/model/buying/purchase.ts';
import type { libraryMachine } from '../../../../machines/reading/library.ts';
import { getNextOutput } from '../../causes.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toPurchasesXml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/library/paths.ts';

const libraryHeadings: Headings<typeof libraryMachine> = {
  loading: 'My Library',
  shown: 'My Library',
  empty: 'No titles of this type yet',
  failed: 'We couldn’t load your library',
};

const hasOwnedTitles = (walk: WalkContext): boolean =>
  ((getNextOutput(walk, 'purchases') as Library | undefined)?.titles.length ?? 0) > 0;

export const adapter: BrowserAdapter = {
  name: 'library',
  models,
  reusesPage: true,
  getStartPath: ({ route: { params } }: FlowInput) => `/mylibrary/${params['type'] ?? ''}`,
  headings: libraryHeadings,
  prepare: async (walk) => {
    if (hasOwnedTitles(walk)) await (await walk.getCustomer()).buy('1001');
    return undefined;
  },
  ports: {
    purchases: {
      matches: ({ pathname }) => pathname.endsWith('/user/purchases'),
      toResponse: (library: Library) => toPurchasesXml(library),
      isEquivalent: ({ titles, left }: Library, body) => left === null && titles.length > 0 === body.includes('<Purchase>'),
    },
  },
  isPossible: (_, { type }) => type !== 'route.changed',
};
