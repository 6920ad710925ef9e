import { assign, sendParent, sendTo, setup } from 'xstate';
import type { SignedIn } from '../app/session.ts';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { PurchaseRecord } from '../model/buying/purchase.ts';
import { outputIn, requestPort } from '../ports.ts';
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
 * The customer's account: what was bought, when and for how much; beside it, what the shop knows of the
 * customer, what they have given away, their subscription, credits and cards, how and where they sign in, and the account's end.
 */
export const accountMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' } | { type: 'leave'; url: string } | ({ type: 'session.started' } & SignedIn);
    input: FlowInput;
  },
  actors: {
    /** All purchases, the latest first. */
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
    passOn: sendParent(({ event }) => event),
    tellProviders: sendTo('ownProviders', ({ event }) => event),
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
    leave: { actions: 'passOn' },
    'session.started': { actions: 'passOn' },
    'page.returned': { actions: 'tellProviders' },
  },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'purchaseRecords',
        src: 'purchaseRecords',
        onDone: [
          { guard: { type: 'isEmpty', params: outputIn }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepPurchases', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: { meta: { spec: ['S6.account'] } },
    empty: {},
    failed,
  },
});
