import type { ActorOptions, AnyActor, AnyActorLogic, InspectionEvent } from 'xstate';

/** The world's time; given from outside, because machines and their traces have none of their own. */
export type Timers = {
  /** Milliseconds since 1970. */
  now: () => number;
  set: (run: () => void, ms: number) => unknown;
  clear: (id: unknown) => void;
};

/** What XState's inspection told, with what can be known only at that moment. */
export type Tapped = {
  /** Milliseconds since 1970. */
  at: number;
  event: InspectionEvent;
  /** The actor that takes the event was running. */
  active: boolean;
  /** Some running actor was in the middle of a step. */
  busy: boolean;
  /** Milliseconds of the timer that was firing. */
  due: number | undefined;
};

type Clock = NonNullable<ActorOptions<AnyActorLogic>['clock']>;

/** Options for `createActor` of a root that is listened to. */
export type TapOptions = { id: string; clock: Clock; inspect: (event: InspectionEvent) => void };

const isActive = (actor: AnyActor): boolean => (actor.getSnapshot() as { status: string }).status === 'active';

/**
 * Listens to an actor system, and only that: snapshots and events never change once they are there, so what they say can be
 * written down later, when nobody waits for it.
 */
export const tap = (timers: Timers, tell: (tapped: Tapped) => void): TapOptions => {
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
    // Only the first event reports a timer that fired; the events that follow from it do not.
    if (isEvent && event.sourceRef) due = undefined;
    if (type === '@xstate.snapshot') inTurn.delete(actor);
    else if (isEvent && active) inTurn.add(actor);
  };
  return { id: 'root', clock, inspect };
};
