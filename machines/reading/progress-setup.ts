import { assign, sendParent, sendTo, setup, type EventObject } from 'xstate';
import type { Problem } from '../model/problem.ts';
import type { KnownPlace, PlaceCommand, Position, ProgressInput, ProgressKey, SaveOutcome } from '../model/reading/reading.ts';
import { channelPort, requestPort } from '../ports.ts';
import { connectionPort, type ConnectionSignal } from './connection.ts';

type Context = ProgressKey &
  Pick<ProgressInput, 'known' | 'offered' | 'earlier'> & {
    position: Position | null;
    /** The response to a save if another device has read on; null once the customer has chosen. */
    conflict: SaveOutcome | null;
    /** Milliseconds from the server's last refusal until it accepts positions again. */
    retryDelay: number | null;
    /** The number of consecutive failed saves; the backoff grows with it. */
    failures: number;
  };

/** The ports, actions, guards and delays of saving the position. */
export const progressSetup = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'position.moved'; position: Position }
      | { type: 'place.accepted' }
      | { type: 'place.dismissed' }
      | { type: 'earlier.chosen'; savedAt: string }
      | ConnectionSignal
      | { type: 'page.hidden' }
      | { type: 'close' };
    input: ProgressInput;
  },
  actors: {
    /** Saves the position; the request completes even if the page closes. */
    saveProgress: requestPort<SaveOutcome, ProgressKey & { position: Position | null; known: KnownPlace }>(),
    /** Stores the position in this browser. */
    memory: channelPort<PlaceCommand, EventObject>(),
    connection: connectionPort(),
  },
  actions: {
    keepPosition: assign({ position: (_, position: Position) => position }),
    rememberMove: sendTo('memory', ({ context }, position: Position) => ({
      type: 'place.moved',
      ...toProgressKey(context),
      position,
      known: context.known,
    })),
    keepSaved: assign({
      known: (_, { known }: SaveOutcome) => known,
      earlier: (_, { earlier }: SaveOutcome) => earlier,
      failures: 0,
    }),
    rememberSent: sendTo('memory', ({ context }, { known }: SaveOutcome) => ({
      type: 'place.sent',
      ...toProgressKey(context),
      position: context.position,
      known,
    })),
    // Until the customer chooses, stored positions stay based on the version before the conflict.
    keepConflict: assign({ conflict: (_, conflict: SaveOutcome) => conflict }),
    endConflict: assign({
      known: ({ context }) => context.conflict?.known ?? context.known,
      earlier: ({ context }) => context.conflict?.earlier ?? context.earlier,
      conflict: null,
    }),
    goToNewer: sendParent(({ context }) => ({ type: 'place.requested', place: context.conflict?.newer?.position })),
    goToOffered: sendParent(({ context }) => ({ type: 'place.requested', place: context.offered?.position })),
    goToEarlier: sendParent(({ context }, savedAt: string) => ({
      type: 'place.requested',
      place: context.earlier.find((each) => each.savedAt === savedAt)?.position,
    })),
    dropOffered: assign({ offered: null }),
    rememberAnswer: sendTo('memory', ({ context }) => ({ type: 'place.answered', ...toProgressKey(context) })),
    keepRetryDelay: assign({ retryDelay: (_, problem: Problem) => (getRetryAfter(problem) ?? 0) * 1000 }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
  },
  guards: {
    isRateLimited: (_, problem: Problem) => getRetryAfter(problem) !== undefined,
    isUnsent: ({ context }) => context.position !== null,
    isOffered: ({ context }) => context.offered !== null,
    isConflict: (_, { newer }: SaveOutcome) => newer !== null,
    isEarlier: ({ context }, savedAt: string) => context.earlier.some((each) => each.savedAt === savedAt),
  },
  delays: {
    saveSoon: 800,
    closeLimit: 2000,
    takenAgain: ({ context }) => context.retryDelay ?? 0,
    /** The backoff in ms: 5 s, doubled with each failure, at most 60 s. */
    tryAgain: ({ context }) => Math.min(2500 * 2 ** context.failures, 60_000),
  },
});

export function toProgressKey({ titleId, contextKey }: ProgressKey): ProgressKey {
  return { titleId, contextKey };
}

function getRetryAfter(problem: Problem): number | undefined {
  return problem.kind === 'refused' ? problem.retryAfterSeconds : undefined;
}
