import { assign, sendParent, sendTo, setup } from 'xstate';
import type { SignedInUser } from '../app/session.ts';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { PurchaseRecord } from '../model/buying/purchase.ts';
import { getOutput, requestPort } from '../ports.ts';
import { credentialsMachine } from './credentials.ts';
import { creditsMachine } from './credits.ts';
import { dataDownloadMachine } from './data-download.ts';
import { cardsMachine } from './cards.ts';
import { deletionMachine } from './deletion.ts';
import { detailsMachine } from './details.ts';
import { devicesMachine } from './devices.ts';
import { passkeysMachine } from './passkeys.ts';
import { ownProvidersMachine } from './own-providers.ts';
import { giftsMachine } from './gifts.ts';
import { ownSubscriptionMachine } from './own-subscription.ts';

type Context = { sellsPlans: boolean; purchases: PurchaseRecord[]; problem: Problem | null };

/**
 * The account page: the customer's purchases with dates and prices. Child machines handle details,
 * credentials, providers, passkeys, gifts, subscription, credits, cards, devices, the data download
 * and account deletion.
 */
export const accountMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowSignal
      | { type: 'retry.pressed' }
      | { type: 'leave'; url: string }
      | ({ type: 'session.started' } & SignedInUser);
    input: FlowInput;
  },
  actors: {
    /** All purchases, newest first. */
    purchaseRecords: requestPort<PurchaseRecord[]>(),
    details: detailsMachine,
    credentials: credentialsMachine,
    ownProviders: ownProvidersMachine,
    passkeys: passkeysMachine,
    gifts: giftsMachine,
    ownSubscription: ownSubscriptionMachine,
    credits: creditsMachine,
    cards: cardsMachine,
    devices: devicesMachine,
    dataDownload: dataDownloadMachine,
    deletion: deletionMachine,
  },
  actions: {
    keepPurchases: assign({ purchases: (_, purchases: PurchaseRecord[]) => purchases, problem: null }),
    keepProblem: keepProblem(),
    forwardEvent: sendParent(({ event }) => event),
    sendToProviders: sendTo('ownProviders', ({ event }) => event),
  },
  guards: {
    isEmpty: (_, purchases: PurchaseRecord[]) => purchases.length === 0,
  },
}).createMachine({
  id: 'account',
  context: ({ input }) => ({ sellsPlans: input.store.enableSubscription, purchases: [], problem: null }),
  invoke: [
    { id: 'details', src: 'details' },
    { id: 'credentials', src: 'credentials' },
    { id: 'ownProviders', src: 'ownProviders' },
    { id: 'passkeys', src: 'passkeys' },
    { id: 'gifts', src: 'gifts' },
    { id: 'ownSubscription', src: 'ownSubscription', input: ({ context }) => ({ sells: context.sellsPlans }) },
    { id: 'credits', src: 'credits' },
    { id: 'cards', src: 'cards' },
    { id: 'devices', src: 'devices' },
    { id: 'dataDownload', src: 'dataDownload' },
    { id: 'deletion', src: 'deletion' },
  ],
  on: {
    leave: { actions: 'forwardEvent' },
    'session.started': { actions: 'forwardEvent' },
    'page.returned': { actions: 'sendToProviders' },
  },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'purchaseRecords',
        src: 'purchaseRecords',
        onDone: [
          { guard: { type: 'isEmpty', params: getOutput }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepPurchases', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    shown: { meta: { spec: ['S6.account'] } },
    empty: {},
    failed,
  },
});
