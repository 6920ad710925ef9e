import { assign, type EventObject } from 'xstate';
import type { Problem } from '../model/problem.ts';
import { applyChanges, addChange, type Wish, type WishChange } from '../model/buying/wish-list.ts';
import { getOutput, getProblem } from '../ports.ts';

/**
 * The queue of changes to a customer's or visitor's list (the cart, or the wish list). A change is
 * applied optimistically, sent after the previous change, and rolled back if it fails. A sign-in or
 * sign-out restarts the queue with another list.
 */
export type ChangeQueue<Change extends WishChange> = {
  signedIn: boolean;
  /** Changes that are being sent. */
  sending: Change[];
  /** Changes to send after the ones in `sending`. */
  waiting: Change[];
  /** Changes that were not saved, and the reason. */
  failure: { changes: Change[]; problem: Problem } | null;
  /** Titles removed in this tab and not put back; null before the first removal. */
  removed: string[] | null;
};

export type FailureDecision = { type: 'failure.retried' } | { type: 'failure.closed' };

/** The list with the queue's pending changes applied. */
export const applyPendingChanges = <Change extends WishChange>(
  list: readonly Wish[] | null,
  { sending, waiting }: Pick<ChangeQueue<Change>, 'sending' | 'waiting'>,
): Wish[] => applyChanges(list ?? [], [...sending, ...waiting]);

export const emptyQueue = { sending: [], waiting: [], failure: null, removed: null };

/**
 * Creates the queue's part of a machine's `setup`. `initialValues` are the values of the machine's
 * own context before its list is read.
 */
export const createQueueSetup = <Context extends ChangeQueue<Change>, Change extends WishChange, Event extends EventObject>(
  initialValues: Partial<Context>,
) => ({
  actions: {
    restart: assign<Context, Event, boolean, Event, never>(({ context }, signedIn) => ({
      ...context,
      signedIn,
      ...initialValues,
      ...emptyQueue,
      removed: context.removed && [],
    })),
    keepChanges: assign<Context, Event, Change[], Event, never>(({ context }, changes) => {
      const changedIds = new Set(changes.map(({ titleId }) => titleId));
      const remainingIds = context.removed?.filter((each) => !changedIds.has(each));
      const removedIds = changes.filter(({ isSaved }) => !isSaved).map(({ titleId }) => titleId);
      return {
        waiting: changes.reduce(addChange<Change>, context.waiting),
        failure: null,
        removed: removedIds.length === 0 ? (remainingIds ?? null) : [...(remainingIds ?? []), ...removedIds],
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

const toTransition = <Changed extends string, const Answer>(changed: Changed, transition: Answer) =>
  ({ [changed]: transition }) as Record<Changed, Answer>;

/**
 * Creates the queue's transitions and states, from the machine's names for its ports, for the
 * action that stores the list, and for the event that the list may have changed.
 */
export const createQueueStates = <Read extends string, Send extends string, Keep extends string, Changed extends string>({
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
          type: 'restart',
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
        on: toTransition(changed, { target: 'reading', reenter: true }),
        invoke: {
          id: read,
          src: read,
          input: ({ context: { signedIn } }: { context: { signedIn: boolean } }) => ({ signedIn }),
          onDone: { target: 'resting', actions: { type: keep, params: getOutput } },
          // The list on the server is unknown then; waiting changes are sent from `unread`.
          onError: 'unread',
        },
      },
      resting: {
        always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
        on: toTransition(changed, 'reading'),
      },
      /** The server's list is unknown or outdated. The response to a change is the whole list. */
      unread: {
        always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
        after: { readAgain: 'reading' },
        on: toTransition(changed, 'reading'),
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
          // The server may have made the change although its response was lost.
          onError: { target: 'unread', actions: { type: 'keepFailure', params: getProblem } },
        },
      },
    },
  }) as const;
