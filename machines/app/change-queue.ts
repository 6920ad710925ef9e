import { assign, type EventObject } from 'xstate';
import type { Problem } from '../model/problem.ts';
import { applied, withChange, type Wish, type WishChange } from '../model/buying/wish-list.ts';
import { outputIn, problemIn } from '../ports.ts';

/**
 * The queue of changes to a list that a customer or a visitor keeps: the cart, the wish list. A
 * change counts at once, waits for the one before it, and is undone when it is refused. A sign-in
 * or a sign-out begins the queue again with another list.
 */
export type ChangeQueue<Change extends WishChange> = {
  signedIn: boolean;
  /** Changes under way, and those that wait for them. */
  sending: Change[];
  waiting: Change[];
  /** Changes that were not kept, and why. */
  failure: { changes: Change[]; problem: Problem } | null;
  /** Titles taken out in this tab and not put back; null before the first. */
  removed: string[] | null;
};

export type FailureAnswer = { type: 'failure.retried' } | { type: 'failure.closed' };

/** The list as the queue's changes will leave it. */
export const withPending = <Change extends WishChange>(
  list: readonly Wish[] | null,
  { sending, waiting }: Pick<ChangeQueue<Change>, 'sending' | 'waiting'>,
): Wish[] => applied(list ?? [], [...sending, ...waiting]);

export const emptyQueue = { sending: [], waiting: [], failure: null, removed: null };

/**
 * The queue's part of a machine's `setup`. `unread` is the machine's own context before its list
 * has been read.
 */
export const queueSetup = <Context extends ChangeQueue<Change>, Change extends WishChange, Event extends EventObject>(
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
        waiting: changes.reduce(withChange<Change>, context.waiting),
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

type Names<Read, Send, Keep, Changed> = { read: Read; send: Send; keep: Keep; changed: Changed };

const when = <Changed extends string, const Answer>(changed: Changed, answer: Answer) =>
  ({ [changed]: answer }) as Record<Changed, Answer>;

/**
 * The queue's transitions and states, by the machine's names for its ports, for the action that
 * keeps the list, and for the news that the list may have changed.
 */
export const queueStates = <Read extends string, Send extends string, Keep extends string, Changed extends string>({
  read,
  send,
  keep,
  changed,
}: Names<Read, Send, Keep, Changed>) =>
  ({
    /** Another customer's list, or a visitor's, is read. */
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
    /** The answers to a failure that is shown. */
    onFailure: {
      'failure.retried': { guard: 'hasFailed', actions: 'keepFailed' },
      'failure.closed': { guard: 'hasFailed', actions: 'dropFailure' },
    },
    states: {
      reading: {
        on: when(changed, { target: 'reading', reenter: true }),
        invoke: {
          id: read,
          src: read,
          input: ({ context: { signedIn } }: { context: { signedIn: boolean } }) => ({ signedIn }),
          onDone: { target: 'resting', actions: { type: keep, params: outputIn } },
          // Without an answer nothing counts as kept.
          onError: 'unread',
        },
      },
      resting: {
        always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
        on: when(changed, 'reading'),
      },
      /** The server's list is not known, or no longer. A change is answered with the whole list. */
      unread: {
        always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
        after: { readAgain: 'reading' },
        on: when(changed, 'reading'),
      },
      sending: {
        invoke: {
          id: send,
          src: send,
          input: <Change>({ context }: { context: { signedIn: boolean; sending: Change[] } }) => ({
            signedIn: context.signedIn,
            changes: context.sending,
          }),
          onDone: { target: 'resting', actions: { type: keep, params: outputIn } },
          // A lost answer may have changed the list.
          onError: { target: 'unread', actions: { type: 'keepFailure', params: problemIn } },
        },
      },
    },
  }) as const;
