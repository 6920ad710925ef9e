import { assign, setup, type EventObject, type SnapshotFrom } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import type { Wish, WishChange } from '../model/buying/wish-list.ts';
import { channelPort, requestPort } from '../ports.ts';
import {
  emptyQueue,
  createQueueSetup,
  createQueueStates,
  applyPendingChanges,
  type ChangeQueue,
  type FailureDecision,
} from './change-queue.ts';

/** The wish list may have changed: in another tab, or while the device was offline. */
export type WishesFact = { type: 'wishes.changed' };

type Context = ChangeQueue<WishChange> & {
  /** The wish list in the server's last response; null before the first. */
  wishes: Wish[] | null;
};

type Events =
  | SessionChange
  | WishesFact
  /** `savedAt` is set if a removed title is put back. */
  | ({ type: 'wish.toggled' } & ToggleRequest)
  | FailureDecision;

type WishView = Pick<Context, 'wishes' | 'sending' | 'waiting'>;

/** Whether a title is on the wish list, with pending changes applied. */
export const isWished = ({ wishes, ...queue }: WishView, titleId: string): boolean =>
  applyPendingChanges(wishes, queue).some((wish) => wish.titleId === titleId);

type ToggleRequest = { titleId: string; savedAt?: string };

const toWishChange = (context: WishView, { titleId, savedAt }: ToggleRequest): WishChange => ({
  titleId,
  isSaved: !isWished(context, titleId),
  ...(savedAt === undefined ? {} : { savedAt }),
});

/** Whether the customer removed a title in this tab: its card stays so that it can be put back. */
export const isRemovedFromWishes = ({ context }: SnapshotFrom<typeof wishesMachine>, titleId: string): boolean =>
  context.removed?.includes(titleId) === true && !isWished(context, titleId);

const setupQueue = createQueueSetup<Context, WishChange, Events>({ wishes: null });
const queue = createQueueStates({ read: 'readWishes', send: 'changeWishes', keep: 'keepWishes', changed: 'wishes.changed' });

/**
 * The wish list, for every view that shows a title. A visitor's list is in the browser, a
 * customer's on the server.
 */
export const wishesMachine = setup({
  types: {} as { context: Context; events: Events; input: { signedIn: boolean } },
  actors: {
    /**
     * Reads the whole list, into which the browser's list was merged at sign-in. Rejects like any
     * call.
     */
    readWishes: requestPort<Wish[], { signedIn: boolean }>(),
    /**
     * Saves changes and returns the whole list; rejects like any call, and with `refused
     * wish_list_full` at the limit.
     */
    changeWishes: requestPort<Wish[], { signedIn: boolean; changes: WishChange[] }>(),
    /** Signals that the list may have changed: in other tabs, or when online again. */
    wishListSignals: channelPort<EventObject, WishesFact>(),
  },
  actions: {
    ...setupQueue.actions,
    keepWishes: assign({ wishes: (_, wishes: Wish[]) => wishes, sending: [] }),
  },
  delays: setupQueue.delays,
  guards: setupQueue.guards,
}).createMachine({
  id: 'wishes',
  context: ({ input: { signedIn } }) => ({ signedIn, wishes: null, ...emptyQueue }),
  invoke: { id: 'wishListSignals', src: 'wishListSignals' },
  initial: 'reading',
  on: {
    ...queue.onSession,
    'wish.toggled': { actions: { type: 'keepChanges', params: ({ context, event }) => [toWishChange(context, event)] } },
    ...queue.onFailure,
  },
  states: queue.states,
});
