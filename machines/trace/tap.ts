import type { ActorOptions, AnyActor, AnyActorLogic, InspectionEvent } from 'xstate';

/**
 * The clock and timers of the host; injected, since machines and traces must not access these
 * themselves.
 */
export type Timers = {
  /** Milliseconds since 1970. */
  now: () => number;
  set: (run: () => void, ms: number) => unknown;
  clear: (id: unknown) => void;
};

/** An inspection event of XState, with data that is available only at that moment. */
export type TappedEvent = {
  /** Milliseconds since 1970. */
  at: number;
  event: InspectionEvent;
  /** The receiving actor was running. */
  active: boolean;
  /** The event came from a view while a running actor was handling another event. */
  busy: boolean;
  /** The delay in milliseconds of the timer that sent the event; undefined without a timer. */
  due: number | undefined;
};

type Clock = NonNullable<ActorOptions<AnyActorLogic>['clock']>;

/** Options for `createActor` of an inspected root actor. */
export type TapOptions = { id: string; clock: Clock; inspect: (event: InspectionEvent) => void };

export const isActive = (actor: AnyActor): boolean => (actor.getSnapshot() as { status: string }).status === 'active';

/**
 * Inspects an actor system without changing it. Snapshots and events are immutable, so `onEvent`
 * can store them to be processed when the page is idle.
 */
export const tap = (timers: Timers, onEvent: (tapped: TappedEvent) => void): TapOptions => {
  const handlingActors = new Set<AnyActor>();
  let firingDelay: number | undefined;
  const clock: Clock = {
    clearTimeout: (id) => timers.clear(id),
    setTimeout: (fire, ms) =>
      timers.set(() => {
        firingDelay = ms;
        try {
          fire();
        } finally {
          firingDelay = undefined;
        }
      }, ms),
  };
  const inspect = (event: InspectionEvent): void => {
    const { type, actorRef } = event;
    if (type === '@xstate.microstep' || type === '@xstate.action') return;
    const actor = actorRef as AnyActor;
    const isEvent = type === '@xstate.event';
    const active = isEvent && isActive(actor);
    const busy = isEvent && !event.sourceRef && handlingActors.size > 0 && [...handlingActors].some(isActive);
    onEvent({ at: timers.now(), event, active, busy, due: isEvent && event.sourceRef ? firingDelay : undefined });
    // Only the first event belongs to the fired timer, not the events that follow from it.
    if (isEvent && event.sourceRef) firingDelay = undefined;
    if (type === '@xstate.snapshot') handlingActors.delete(actor);
    else if (isEvent && active) handlingActors.add(actor);
  };
  return { id: 'root', clock, inspect };
};
