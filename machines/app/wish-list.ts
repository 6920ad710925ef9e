import { assign, setup, type EventObject, type SnapshotFrom } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import type { Wish, WishChange } from '../model/buying/wish-list.ts';
import { channelPort, requestPort } from '../ports.ts';
import { emptyQueue, queueSetup, queueStates, withPending, type ChangeQueue, type FailureAnswer } from './change-queue.ts';

/** The list may have changed: another tab says so, or the network has come back. */
export type WishesFact = { type: 'wishes.changed' };

type Context = ChangeQueue<WishChange> & {
  /** The server's last answer; null before it. */
  wishes: Wish[] | null;
};

type Events =
  | SessionChange
  | WishesFact
  /** `savedAt` is given where a title that was removed comes back. */
  | ({ type: 'wish.toggled' } & Toggled)
  | FailureAnswer;

type Shown = Pick<Context, 'wishes' | 'sending' | 'waiting'>;

/** Whether a title is saved, as far as somebody who presses may know: a change counts before it is answered. */
export const isWished = ({ wishes, ...queue }: Shown, titleId: string): boolean =>
  withPending(wishes, queue).some((wish) => wish.titleId === titleId);

type Toggled = { titleId: string; savedAt?: string };

const toggled = (context: Shown, { titleId, savedAt }: Toggled): WishChange => ({
  titleId,
  isSaved: !isWished(context, titleId),
  ...(savedAt === undefined ? {} : { savedAt }),
});

/** Whether the customer has taken a title off in this tab: its card stays, so that it can be put back. */
export const isRemoved = ({ context }: SnapshotFrom<typeof wishesMachine>, titleId: string): boolean =>
  context.removed?.includes(titleId) === true && !isWished(context, titleId);

const setupQueue = queueSetup<Context, WishChange, Events>({ wishes: null });
const queue = queueStates({ read: 'readWishes', send: 'changeWishes', keep: 'keepWishes', changed: 'wishes.changed' });

/** The wish list, for every place that shows a title: a visitor's in the browser, a customer's on the server. */
export const wishesMachine = setup({
  types: {} as { context: Context; events: Events; input: { signedIn: boolean } },
  actors: {
    /** The whole list; at sign-in the browser's own has been joined to it. Rejects as any call. */
    readWishes: requestPort<Wish[], { signedIn: boolean }>(),
    /** Keeps changes and gives the whole list; rejects as any call, and `refused wish_list_full` where there is no room. */
    changeWishes: requestPort<Wish[], { signedIn: boolean; changes: WishChange[] }>(),
    /** What other tabs do with the list, and that it is worth asking again. */
    wishNews: channelPort<EventObject, WishesFact>(),
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
  invoke: { id: 'wishNews', src: 'wishNews' },
  initial: 'reading',
  on: {
    ...queue.onSession,
    'wish.toggled': { actions: { type: 'keepChanges', params: ({ context, event }) => [toggled(context, event)] } },
    ...queue.onFailure,
  },
  states: queue.states,
});
