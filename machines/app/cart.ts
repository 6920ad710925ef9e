import { assign, setup, type EventObject, type SnapshotFrom } from 'xstate';
import type { CartChange, CartLine } from '../model/buying/cart.ts';
import type { SessionChange } from '../flows/flow-input.ts';
import { channelPort, requestPort } from '../ports.ts';
import {
  emptyQueue,
  createQueueSetup,
  createQueueStates,
  applyPendingChanges,
  type ChangeQueue,
  type FailureDecision,
} from './change-queue.ts';

/** The cart may have changed: in another tab, by a purchase, or while the device was offline. */
export type CartFact = { type: 'cart.changed' };

type Context = ChangeQueue<CartChange> & {
  /** The cart in the server's last response; null before the first. */
  lines: CartLine[] | null;
};

/**
 * A request to add or remove a title. `rest` are lines of the same campaign that are removed or put
 * back with it, bought titles before their rewards.
 */
type AddRequest = { titleId: string; savedAt?: string; campaignId?: string; rest?: readonly CartLine[] };

type Events =
  | SessionChange
  | CartFact
  /** `savedAt` is set if a removed title is put back, `campaignId` if it is part of a campaign. */
  | ({ type: 'title.added' } & AddRequest)
  | ({ type: 'title.removed' } & AddRequest)
  | FailureDecision;

type CartView = Pick<Context, 'lines' | 'sending' | 'waiting'>;

const getShownLines = ({ lines, ...queue }: CartView): CartLine[] => applyPendingChanges(lines, queue);

/** Whether a title is in the cart, with pending changes applied. */
export const isInCart = (context: CartView, titleId: string): boolean =>
  getShownLines(context).some((line) => line.titleId === titleId);

/** The changes for a request, without additions of titles in the cart or removals of others. */
const toCartChanges = (context: CartView, { titleId, savedAt, campaignId, rest }: AddRequest, isSaved: boolean): CartChange[] =>
  [{ titleId, ...(savedAt === undefined ? {} : { savedAt }) }, ...(rest ?? [])]
    .filter((line) => isInCart(context, line.titleId) !== isSaved)
    .map((line) => ({
      ...(isSaved ? line : { titleId: line.titleId }),
      isSaved,
      ...(campaignId === undefined ? {} : { campaignId }),
      ...(rest === undefined || isSaved ? {} : { ofCampaign: true as const }),
    }));

/** The number of titles in the cart. */
export const getCartCount = (context: CartView): number => getShownLines(context).length;

/** Whether the customer removed a title in this tab: its line stays so that it can be put back. */
export const isRemovedFromCart = ({ context }: SnapshotFrom<typeof cartLinesMachine>, titleId: string): boolean =>
  context.removed?.includes(titleId) === true && !isInCart(context, titleId);

const setupQueue = createQueueSetup<Context, CartChange, Events>({ lines: null });
const queue = createQueueStates({ read: 'readCart', send: 'changeCart', keep: 'keepLines', changed: 'cart.changed' });

/**
 * The cart, for every view that shows a title or the count. A visitor's cart is in the browser, a
 * customer's on the server.
 */
export const cartLinesMachine = setup({
  types: {} as { context: Context; events: Events; input: { signedIn: boolean } },
  actors: {
    /**
     * Reads the whole cart, into which the browser's cart was merged at sign-in. Rejects like any
     * call.
     */
    readCart: requestPort<CartLine[], { signedIn: boolean }>(),
    /**
     * Saves changes and returns the whole cart; rejects like any call, and with `refused cart_full`
     * at the limit.
     */
    changeCart: requestPort<CartLine[], { signedIn: boolean; changes: CartChange[] }>(),
    /**
     * Signals that the cart may have changed: in other tabs, by purchases, or when online again.
     */
    cartSignals: channelPort<EventObject, CartFact>(),
  },
  actions: {
    ...setupQueue.actions,
    keepLines: assign({ lines: (_, lines: CartLine[]) => lines, sending: [] }),
  },
  delays: setupQueue.delays,
  guards: {
    ...setupQueue.guards,
    isChange: ({ context }, { pressed, isSaved }: { pressed: AddRequest; isSaved: boolean }) =>
      toCartChanges(context, pressed, isSaved).length > 0,
  },
}).createMachine({
  id: 'cartLines',
  context: ({ input: { signedIn } }) => ({ signedIn, lines: null, ...emptyQueue }),
  invoke: { id: 'cartSignals', src: 'cartSignals' },
  initial: 'reading',
  on: {
    ...queue.onSession,
    'title.added': {
      guard: { type: 'isChange', params: ({ event }) => ({ pressed: event, isSaved: true }) },
      actions: { type: 'keepChanges', params: ({ context, event }) => toCartChanges(context, event, true) },
    },
    'title.removed': {
      guard: { type: 'isChange', params: ({ event }) => ({ pressed: event, isSaved: false }) },
      actions: { type: 'keepChanges', params: ({ context, event }) => toCartChanges(context, event, false) },
    },
    ...queue.onFailure,
  },
  states: { ...queue.states, resting: { ...queue.states.resting, meta: { spec: ['S3.cart-count'] } } },
});
