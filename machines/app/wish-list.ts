import { assign, setup, type EventObject, type SnapshotFrom } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { applied, withChange, type Wish, type WishChange } from '../model/wish-list.ts';
import { channelPort, outputIn, problemIn, requestPort } from '../ports.ts';

/** The list may have changed: another tab says so, or the network has come back. */
export type WishesFact = { type: 'wishes.changed' };

/** Changes that were not kept, and why. */
type Failure = { changes: WishChange[]; problem: Problem };

type Context = {
  signedIn: boolean;
  /** As last heard; null until that is known. */
  wishes: Wish[] | null;
  /** Changes under way, and those that wait for them. */
  sending: WishChange[];
  waiting: WishChange[];
  failure: Failure | null;
  /** What the customer has taken off the list in this tab, and not put back. */
  removed?: string[];
};

type Events =
  | SessionChange
  | WishesFact
  /** `savedAt` is given where a title that was removed comes back. */
  | { type: 'wish.toggled'; titleId: string; savedAt?: string }
  | { type: 'failure.retried' }
  | { type: 'failure.closed' };

type Shown = Pick<Context, 'wishes' | 'sending' | 'waiting'>;

/** Whether a title is saved, as far as somebody who presses may know: a change counts before it is answered. */
export const isWished = ({ wishes, sending, waiting }: Shown, titleId: string): boolean =>
  applied(wishes ?? [], [...sending, ...waiting]).some((wish) => wish.titleId === titleId);

/** Whether the customer has taken a title off in this tab: its card stays, so that it can be put back. */
export const isRemoved = ({ context }: SnapshotFrom<typeof wishesMachine>, titleId: string): boolean =>
  context.removed?.includes(titleId) === true && !isWished(context, titleId);

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
    startAnew: assign(({ context }, signedIn: boolean) => ({
      ...context,
      signedIn,
      wishes: null,
      sending: [],
      waiting: [],
      failure: null,
      ...(context.removed === undefined ? {} : { removed: [] }),
    })),
    keepWishes: assign({ wishes: (_, wishes: Wish[]) => wishes, sending: [] }),
    keepChange: assign(({ context }, { titleId, savedAt }: { titleId: string; savedAt?: string }) => {
      const isSaved = !isWished(context, titleId);
      const others = context.removed?.filter((each) => each !== titleId);
      return {
        waiting: withChange(context.waiting, { titleId, isSaved, ...(savedAt === undefined ? {} : { savedAt }) }),
        failure: null,
        ...(isSaved ? others && { removed: others } : { removed: [...(others ?? []), titleId] }),
      };
    }),
    keepFailed: assign({
      waiting: ({ context: { failure, waiting } }) => [...(failure?.changes ?? []), ...waiting],
      failure: null,
    }),
    send: assign({ sending: ({ context }) => context.waiting, waiting: [] }),
    keepFailure: assign({
      failure: ({ context }, problem: Problem) => ({ changes: context.sending, problem }),
      sending: [],
    }),
    dropFailure: assign({ failure: null }),
  },
  delays: { readAgain: 60_000 },
  guards: {
    hasWaiting: ({ context }) => context.waiting.length > 0,
    hasFailed: ({ context }) => context.failure !== null,
  },
}).createMachine({
  id: 'wishes',
  context: ({ input: { signedIn } }) => ({ signedIn, wishes: null, sending: [], waiting: [], failure: null }),
  invoke: { id: 'wishNews', src: 'wishNews' },
  initial: 'reading',
  on: {
    'session.changed': {
      target: '.reading',
      reenter: true,
      actions: { type: 'startAnew', params: ({ event }) => event.userId !== null },
    },
    'wish.toggled': { actions: { type: 'keepChange', params: ({ event }) => event } },
    'failure.retried': { guard: 'hasFailed', actions: 'keepFailed' },
    'failure.closed': { guard: 'hasFailed', actions: 'dropFailure' },
  },
  states: {
    reading: {
      on: { 'wishes.changed': { target: 'reading', reenter: true } },
      invoke: {
        id: 'readWishes',
        src: 'readWishes',
        input: ({ context: { signedIn } }) => ({ signedIn }),
        onDone: { target: 'resting', actions: { type: 'keepWishes', params: outputIn } },
        // What is not known is not shown as saved.
        onError: 'unread',
      },
    },
    resting: {
      always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
      on: { 'wishes.changed': 'reading' },
    },
    /** What the server has is not known, or not any more. A change is answered with the whole list. */
    unread: {
      always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
      after: { readAgain: 'reading' },
      on: { 'wishes.changed': 'reading' },
    },
    sending: {
      invoke: {
        id: 'changeWishes',
        src: 'changeWishes',
        input: ({ context: { signedIn, sending } }) => ({ signedIn, changes: sending }),
        onDone: { target: 'resting', actions: { type: 'keepWishes', params: outputIn } },
        // An answer that was lost may have changed the list.
        onError: { target: 'unread', actions: { type: 'keepFailure', params: problemIn } },
      },
    },
  },
});
