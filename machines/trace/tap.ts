import type { ActorOptions, AnyActor, AnyActorLogic, InspectionEvent } from 'xstate';

/**
 * The clock and timers of the host; injected, because machines and their traces have none of their
 * own.
 */
export type Timers = {
  /** Milliseconds since 1970. */
  now: () => number;
  set: (run: () => void, ms: number) => unknown;
  clear: (id: unknown) => void;
};

/** An inspection event of XState, with data that is only available when it occurs. */
export type TappedEvent = {
  /** Milliseconds since 1970. */
  at: number;
  event: InspectionEvent;
  /** The receiving actor was running. */
  active: boolean;
  /** Some running actor was in the middle of a step. */
  busy: boolean;
  /** Delay in milliseconds of the timer that was firing. */
  due: number | undefined;
};

type Clock = NonNullable<ActorOptions<AnyActorLogic>['clock']>;

/** Options for `createActor` of an inspected root actor. */
export type TapOptions = { id: string; clock: Clock; inspect: (event: InspectionEvent) => void };

const isActive = (actor: AnyActor): boolean => (actor.getSnapshot() as { status: string }).status === 'active';

/**
 * Inspects an actor system without changing it. Snapshots and events are immutable, so the recorder
 * can process them later, when idle.
 */
export const tap = (timers: Timers, tell: (tapped: TappedEvent) => void): TapOptions => {
  const inTurn = new Set<AnyActor>();
  let due: number | undefined;
  const clock: Clock = {
    clearTimeout: (id) => timers.clear(id),
    setTimeout: (fire, ms) =>
      timers.set(() => {
        due = ms;
        try {
          fire();
        } finally {
          due = undefined;
        }
      }, ms),
  };
  const inspect = (event: InspectionEvent): void => {
    const { type, actorRef } = event;
    if (type === '@xstate.microstep' || type === '@xstate.action') return;
    const actor = actorRef as AnyActor;
    const isEvent = type === '@xstate.event';
    const active = isEvent && isActive(actor);
    const busy = isEvent && !event.sourceRef && inTurn.size > 0 && [...inTurn].some(isActive);
    tell({ at: timers.now(), event, active, busy, due: isEvent && event.sourceRef ? due : undefined });
    // Only the first event belongs to the fired timer; the events that follow from it do not.
    if (isEvent && event.sourceRef) due = undefined;
    if (type === '@xstate.snapshot') inTurn.delete(actor);
    else if (isEvent && active) inTurn.add(actor);
  };
  return { id: 'root', clock, inspect };
};
