import { assign, type EventObject } from 'xstate';
import type { Problem } from '../model/problem.ts';
import { applyChanges, addChange, type Wish, type WishChange } from '../model/buying/wish-list.ts';
import { getOutput, getProblem } from '../ports.ts';

/**
 * The queue of changes to a customer's or visitor's list: the cart, the wish list. A change is
 * applied optimistically, is sent after the previous one, and is rolled back if it is refused. A
 * sign-in or sign-out restarts the queue with another list.
 */
export type ChangeQueue<Change extends WishChange> = {
  signedIn: boolean;
  /** Changes that are being sent, and those that wait. */
  sending: Change[];
  waiting: Change[];
  /** Changes that were not saved, and why. */
  failure: { changes: Change[]; problem: Problem } | null;
  /** Titles removed in this tab and not put back; null before the first. */
  removed: string[] | null;
};

export type FailureDecision = { type: 'failure.retried' } | { type: 'failure.closed' };

/** The list with the queue's pending changes applied. */
export const withPending = <Change extends WishChange>(
  list: readonly Wish[] | null,
  { sending, waiting }: Pick<ChangeQueue<Change>, 'sending' | 'waiting'>,
): Wish[] => applyChanges(list ?? [], [...sending, ...waiting]);

export const emptyQueue = { sending: [], waiting: [], failure: null, removed: null };

/**
 * The queue's part of a machine's `setup`. `unread` resets the machine's own context to the state
 * before its list was read.
 */
export const createQueueSetup = <Context extends ChangeQueue<Change>, Change extends WishChange, Event extends EventObject>(
  unread: Partial<Context>,
) => ({
  actions: {
    startAnew: assign<Context, Event, boolean, Event, never>(({ context }, signedIn) => ({
      ...context,
      signedIn,
      ...unread,
      ...emptyQueue,
      removed: context.removed && [],
    })),
    keepChanges: assign<Context, Event, Change[], Event, never>(({ context }, changes) => {
      const changed = new Set(changes.map(({ titleId }) => titleId));
      const others = context.removed?.filter((each) => !changed.has(each));
      const out = changes.filter(({ isSaved }) => !isSaved).map(({ titleId }) => titleId);
      return {
        waiting: changes.reduce(addChange<Change>, context.waiting),
        failure: null,
        removed: out.length === 0 ? (others ?? null) : [...(others ?? []), ...out],
      } as Partial<Context>;
    }),
    keepFailed: assign<Context, Event, undefined, Event, never>(
      ({ context: { failure, waiting } }) =>
        ({ waiting: [...(failure?.changes ?? []), ...waiting], failure: null }) as Partial<Context>,
    ),
    send: assign<Context, Event, undefined, Event, never>(
      ({ context }) => ({ sending: context.waiting, waiting: [] as Change[] }) as Partial<Context>,
    ),
    keepFailure: assign<Context, Event, Problem, Event, never>(
      ({ context }, problem) =>
        ({ failure: { changes: context.sending, problem }, sending: [] as Change[] }) as unknown as Partial<Context>,
    ),
    dropFailure: assign<Context, Event, undefined, Event, never>(() => ({ failure: null }) as Partial<Context>),
  },
  guards: {
    hasWaiting: ({ context }: { context: Context }): boolean => context.waiting.length > 0,
    hasFailed: ({ context }: { context: Context }): boolean => context.failure !== null,
  },
  delays: { readAgain: 60_000 },
});

type QueueNames<Read, Send, Keep, Changed> = { read: Read; send: Send; keep: Keep; changed: Changed };

const onEvent = <Changed extends string, const Answer>(changed: Changed, answer: Answer) =>
  ({ [changed]: answer }) as Record<Changed, Answer>;

/**
 * The queue's transitions and states, by the machine's names for its ports, for the action that
 * stores the list, and for the event that the list may have changed.
 */
export const queueStates = <Read extends string, Send extends string, Keep extends string, Changed extends string>({
  read,
  send,
  keep,
  changed,
}: QueueNames<Read, Send, Keep, Changed>) =>
  ({
    /** Reads the list of the new customer or visitor. */
    onSession: {
      'session.changed': {
        target: '.reading',
        reenter: true,
        actions: {
          type: 'startAnew',
          params: ({ event }: { event: { userId: string | null } }): boolean => event.userId !== null,
        },
      },
    },
    /** The customer's responses to a failure message. */
    onFailure: {
      'failure.retried': { guard: 'hasFailed', actions: 'keepFailed' },
      'failure.closed': { guard: 'hasFailed', actions: 'dropFailure' },
    },
    states: {
      reading: {
        on: onEvent(changed, { target: 'reading', reenter: true }),
        invoke: {
          id: read,
          src: read,
          input: ({ context: { signedIn } }: { context: { signedIn: boolean } }) => ({ signedIn }),
          onDone: { target: 'resting', actions: { type: keep, params: getOutput } },
          // Without an answer no change counts as saved.
          onError: 'unread',
        },
      },
      resting: {
        always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
        on: onEvent(changed, 'reading'),
      },
      /** The server's list is unknown or outdated. The answer to a change is the whole list. */
      unread: {
        always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
        after: { readAgain: 'reading' },
        on: onEvent(changed, 'reading'),
      },
      sending: {
        invoke: {
          id: send,
          src: send,
          input: <Change>({ context }: { context: { signedIn: boolean; sending: Change[] } }) => ({
            signedIn: context.signedIn,
            changes: context.sending,
          }),
          onDone: { target: 'resting', actions: { type: keep, params: getOutput } },
          // The change may have been made although its answer was lost.
          onError: { target: 'unread', actions: { type: 'keepFailure', params: getProblem } },
        },
      },
    },
  }) as const;
