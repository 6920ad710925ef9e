import type { AnyActor, AnyEventObject, AnyMachineSnapshot, InspectionEvent } from 'xstate';
import type { Frame, Input, Plain, RecordedEvent } from './format.ts';
import { isActive, kindOfActor } from './kinds.ts';
import { differences, isSame, plainOf, type Redact } from './plain.ts';

type Watcher = {
  redact: Redact;
  onInput: (input: Input) => void;
  onFrame: (frame: Frame) => void;
  /** Milliseconds of the timer that is firing right now, if one is; asked once for each event that could be a timer's. */
  firing: () => number | undefined;
};

const settles = /^xstate\.(done|error)\.actor\./;
const feeds = /^xstate\.observable\./;
const reports = /^xstate\.snapshot\./;
const sessionId = /x:\d+$/;

type Settled = { state: Plain; context: Record<string, Plain> };

/**
 * Watches one actor system through XState's inspection: tells what came from outside, and how each machine settled.
 * This is the module that knows XState's event names and half-public fields.
 */
export const observe = ({ redact, onInput, onFrame, firing }: Watcher) => {
  const actors = new Map<string, AnyActor>();
  const names = new Map<string, string>();
  const occurrences = new Map<string, number>();
  /** Actors that are taking an event right now, and how many turns each has taken. */
  const inTurn = new Map<string, AnyActor>();
  const turns = new Map<string, number>();
  const lastSettled = new Map<string, Settled>();

  const nameOf = (actor: AnyActor): string => names.get(actor.sessionId) ?? '';

  const enter = (actor: AnyActor): void => {
    const parent = actor._parent as AnyActor | undefined;
    const own = actor.id && actor.id !== actor.sessionId ? actor.id : typeof actor.src === 'string' ? actor.src : 'unnamed';
    const base = parent ? `${nameOf(parent)}/${own}` : 'root';
    const occurrence = occurrences.get(base) ?? 0;
    occurrences.set(base, occurrence + 1);
    const name = occurrence === 0 ? base : `${base}~${occurrence}`;
    names.set(actor.sessionId, name);
    actors.set(name, actor);
  };

  const recorded = (event: AnyEventObject): RecordedEvent => plainOf(event, redact) as RecordedEvent;

  /** What kind of news an event is, or null when a pure run comes to it by itself. */
  const inputOf = (to: AnyActor, source: AnyActor | undefined, event: AnyEventObject): Input | null => {
    const target = nameOf(to);
    const kind = source && kindOfActor(source);
    const turn = source && inTurn.has(source.sessionId) ? turns.get(source.sessionId) : undefined;
    const during = turn === undefined ? {} : { turn };
    if (feeds.test(event.type)) {
      const origin = turn === undefined || !source ? {} : { from: nameOf(source), turn };
      return { kind: 'fed', to: target, event: recorded(event), ...origin };
    }
    if (source && (kind === 'promise' || kind === 'callback' || kind === 'observable')) {
      if (settles.test(event.type)) {
        // An observable's completion follows from what it was fed, but for one that completes as it starts.
        if (kind === 'observable' && turn !== 0) return null;
        const within = kind === 'callback' || turn === 0 ? during : {};
        return { kind: 'settled', to: target, from: nameOf(source), event: recorded(event), ...within };
      }
      if (reports.test(event.type)) return null;
      return { kind: 'said', to: target, from: nameOf(source), event: recorded(event), ...during };
    }
    const ms = source ? firing() : undefined;
    if (ms !== undefined) return { kind: 'timer', to: target, event: recorded(event), ms };
    if (source) return null;
    const busy = [...inTurn.values()].some(isActive);
    return { kind: 'event', to: target, event: recorded(event), ...(busy ? { reentrant: true as const } : {}) };
  };

  const take = (actor: AnyActor, source: AnyActor | undefined, event: AnyEventObject): void => {
    if (event.type !== 'xstate.init') {
      const input = inputOf(actor, source, event);
      if (input) onInput(input);
    }
    if (!isActive(actor) || feeds.test(event.type)) return;
    inTurn.set(actor.sessionId, actor);
    turns.set(actor.sessionId, (turns.get(actor.sessionId) ?? -1) + 1);
  };

  const settle = (actor: AnyActor, event: AnyEventObject, snapshot: AnyMachineSnapshot): void => {
    inTurn.delete(actor.sessionId);
    if (kindOfActor(actor) !== 'machine' || event.type === 'xstate.stop') return;
    const before = lastSettled.get(actor.sessionId);
    const state = plainOf(snapshot.value);
    const context = plainOf(snapshot.context, redact) as Record<string, Plain>;
    lastSettled.set(actor.sessionId, { state, context });
    onFrame({
      actor: nameOf(actor),
      on: event.type.replace(sessionId, (id) => names.get(id) ?? id),
      ...(before && isSame(before.state, state) ? {} : { state }),
      ...(snapshot.status === 'active' ? {} : { status: snapshot.status }),
      changed: differences(before?.context ?? {}, context),
    });
  };

  const inspect = (inspected: InspectionEvent): void => {
    const actor = inspected.actorRef as AnyActor;
    if (inspected.type === '@xstate.actor') enter(actor);
    else if (inspected.type === '@xstate.event') take(actor, inspected.sourceRef as AnyActor | undefined, inspected.event);
    else if (inspected.type === '@xstate.snapshot') settle(actor, inspected.event, inspected.snapshot as AnyMachineSnapshot);
  };

  return { inspect, actors, nameOf };
};
