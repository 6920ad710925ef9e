import type { AnyEventObject } from 'xstate';
import type { FlowInput } from '../../../../machines/model/flow.ts';
import type { OwnedTitle, Receipt } from '../../../../machines/model/purchase.ts';
import type { libraryMachine } from '../../../../machines/reading/library.ts';
import type { receiptMachine } from '../../../../machines/buying/receipt.ts';
import { element, fields } from '../../../../server/xml/write.ts';
import { flowModels } from '../../../machines/flows.paths.ts';
import { inOtherTabSession, nextOf } from '../causes.ts';
import type { Headings, Stage, World } from '../stage.ts';
import { json, titleElement, xml } from '../wires.ts';

const libraryHeadings: Headings<typeof libraryMachine> = {
  loading: 'My Library',
  shown: 'My Library',
  empty: 'Nothing of this kind yet',
  expired: 'My Library',
  failed: 'Your library could not be shown',
};

const ownedElement = ({ title, ...owned }: OwnedTitle) =>
  element('Purchase', [
    fields({ InstanceId: owned.instanceId, PurchasedAt: owned.purchasedAt, Progress: owned.progress }),
    titleElement(title),
  ]);

/** What a port answers first, if it answers at all. */
const firstOutput = (world: World, port: string): unknown => (nextOf(world, port) as AnyEventObject | null)?.['output'];

const ownsSome = (world: World): boolean => ((firstOutput(world, 'purchases') ?? []) as OwnedTitle[]).length > 0;

export const library: Stage = {
  name: 'library',
  models: flowModels.filter(({ name }) => name === 'library'),
  address: ({ route: { params } }: FlowInput) => `/mylibrary/${params['type'] ?? ''}`,
  headings: libraryHeadings,
  prepares: async (world) => {
    if (ownsSome(world)) await (await world.customer()).buys('1001');
    return undefined;
  },
  ports: {
    purchases: {
      asks: ({ pathname }) => pathname.endsWith('/user/purchases'),
      answer: (owned: OwnedTitle[]) => xml(element('Purchases', owned.map(ownedElement))),
      says: (owned: OwnedTitle[], body) => owned.length > 0 === body.includes('<Purchase>'),
    },
  },
  causes: {
    'session.changed': (world, event) =>
      inOtherTabSession(world, event, async (customer) => {
        if (ownsSome(world)) await customer.buys('1001');
      }),
  },
  isPossible: (_, { type }) => type !== 'route.changed',
};

const receiptHeadings: Headings<typeof receiptMachine> = {
  arriving: null,
  loading: null,
  shown: 'Thank you!',
  expired: null,
  notFound: 'We could not find this receipt',
  failed: 'Your receipt could not be shown',
};

export const receipt: Stage = {
  name: 'receipt',
  models: flowModels.filter(({ name }) => name === 'receipt'),
  address: ({ route: { params } }: FlowInput) =>
    `/title/purchase/success${params['transId'] === undefined ? '' : `?transId=${params['transId']}`}`,
  headings: receiptHeadings,
  prepares: async (world) => {
    if (firstOutput(world, 'purchaseInfo') === undefined) return undefined;
    return `/title/purchase/success?transId=${await (await world.customer()).buys('1001')}`;
  },
  ports: {
    purchaseInfo: {
      asks: ({ pathname }) => pathname.endsWith('/purchase/info'),
      answer: (output: Receipt) => json(output),
      says: (_: Receipt, body) => body.includes('"instanceId"'),
    },
  },
  causes: { 'session.changed': (world, event) => inOtherTabSession(world, event) },
};
