import type { AnyActor, AnyEventObject, AnyMachineSnapshot, AnyTransitionDefinition, InspectionEvent } from 'xstate';
import type { Reaction, Input, Plain, RecordedEvent, CrossMessage } from './format.ts';
import { isActive, isAnonymous, isEffect, getActorKind } from './kinds.ts';
import { diffContexts, isSame, keepOrDigest, MAX_CONTEXT_CHARS, toPlain, type Redact } from './plain.ts';
import type { TappedEvent } from './tap.ts';

type Watcher = {
  redact: Redact;
  /** `at` is in milliseconds since 1970. */
  onInput: (input: Input, at: number) => void;
  /** `before` is the machine's context before the reaction. */
  onReaction: (reaction: Reaction, before: Readonly<Record<string, unknown>>) => void;
  onMessage: (told: CrossMessage) => void;
  /** Omits messages from machines to their child machines, as in older records. */
  withoutChildren?: boolean;
  /** Reports values in full, however long, for comparison. */
  isWhole?: boolean;
  onActor?: (name: string, actor: AnyActor) => void;
};

const settledPattern = /^xstate\.(done|error)\.actor\./;
const observablePattern = /^xstate\.observable\./;
const snapshotPattern = /^xstate\.snapshot\./;
const anonymousIdPattern = /x:c?\d+$/;

/** Maximum characters of JSON of a message; a longer value is stored as its hash. */
const MAX_MESSAGE_CHARS = 200;

/** Whether an event has only a type, or an actor starts without input. */
const isEmptyMessage = (event: AnyEventObject, to: AnyActor): boolean =>
  event.type === 'xstate.init' ? to.options.input === undefined : Object.keys(event).length === 1;

type SettledState = { state: Plain; context: Record<string, unknown> };

/**
 * Processes the tapped events of one actor system: reports the inputs, and the machines' reactions.
 * Only this module knows XState's event names and semi-public fields.
 */
export const observe = (watcher: Watcher) => {
  const { redact, onInput, onReaction, onMessage, withoutChildren = false, isWhole = false, onActor } = watcher;
  const longest = isWhole ? { told: Infinity, changed: Infinity } : { told: MAX_MESSAGE_CHARS, changed: MAX_CONTEXT_CHARS };
  const actors = new Map<string, AnyActor>();
  const names = new WeakMap<AnyActor, string>();
  /** Names of actors whose id XState generated. */
  const anonymous = new Map<string, string>();
  const occurrences = new Map<string, number>();
  /** Actors that are handling an event now, and the number of events that each has handled. */
  const inTurn = new Set<AnyActor>();
  let turns = new WeakMap<AnyActor, number>();
  const lastSettled = new WeakMap<AnyActor, SettledState>();

  const nameOf = (actor: AnyActor): string => names.get(actor) ?? '';

  const enter = (actor: AnyActor): void => {
    const parent = actor._parent as AnyActor | undefined;
    const source = typeof actor.src === 'string' ? actor.src : 'unnamed';
    const base = parent ? `${nameOf(parent)}/${isAnonymous(actor) ? source : actor.id}` : 'root';
    const occurrence = occurrences.get(base) ?? 0;
    occurrences.set(base, occurrence + 1);
    const name = occurrence === 0 ? base : `${base}~${occurrence}`;
    names.set(actor, name);
    actors.set(name, actor);
    if (isAnonymous(actor)) anonymous.set(actor.id, name);
    onActor?.(name, actor);
  };

  const withoutAnonymous = (type: string): string => type.replace(anonymousIdPattern, (id) => anonymous.get(id) ?? id);

  const keepSettled = (actor: AnyActor, { value, context }: AnyMachineSnapshot): SettledState => {
    const settled = { state: toPlain(value), context: context as Record<string, unknown> };
    lastSettled.set(actor, settled);
    return settled;
  };

  const recorded = (event: AnyEventObject): RecordedEvent => toPlain(event, redact) as RecordedEvent;

  /** The external input that an event is, or null if a replay produces the event itself. */
  const inputOf = (to: AnyActor, source: AnyActor | undefined, event: AnyEventObject, tapped: TappedEvent): Input | null => {
    const target = nameOf(to);
    const kind = source && getActorKind(source);
    const turn = source && inTurn.has(source) ? turns.get(source) : undefined;
    const during = turn === undefined ? {} : { turn };
    if (observablePattern.test(event.type)) {
      const origin = turn === undefined || !source ? {} : { from: nameOf(source), turn };
      return { kind: 'fed', to: target, event: recorded(event), ...origin };
    }
    if (source && (kind === 'promise' || kind === 'callback' || kind === 'observable')) {
      if (settledPattern.test(event.type)) {
        // An observable's completion follows from its values, except if it completes on start.
        if (kind === 'observable' && turn !== 0) return null;
        const within = kind === 'callback' || turn === 0 ? during : {};
        return { kind: 'settled', to: target, from: nameOf(source), event: recorded(event), ...within };
      }
      // A promise notifies itself of its end before its parent.
      if (snapshotPattern.test(event.type) || (kind === 'promise' && source === to)) return null;
      return { kind: 'said', to: target, from: nameOf(source), event: recorded(event), ...during };
    }
    if (tapped.due !== undefined) return { kind: 'timer', to: target, event: recorded(event), ms: tapped.due };
    if (source) return null;
    return { kind: 'event', to: target, event: recorded(event), ...(tapped.busy ? { reentrant: true as const } : {}) };
  };

  /**
   * A machine's message: the input of an actor that it starts, or an event to one; null for all
   * other events.
   */
  const toldBy = (source: AnyActor | undefined, to: AnyActor, event: AnyEventObject): CrossMessage | null => {
    if (!source || source === to || getActorKind(source) !== 'machine') return null;
    const isOutside = isEffect(to) || to === source._parent;
    if (!isOutside && (withoutChildren || isEmptyMessage(event, to))) return null;
    const by = nameOf(source);
    const [who, what] = [{ by, to: nameOf(to) }, (value: unknown) => keepOrDigest(toPlain(value, redact), longest.told)];
    if (event.type === 'xstate.init') return { ...who, input: what(to.options.input) };
    if (snapshotPattern.test(event.type)) return null;
    // XState numbers actors across all systems of a page, so the number is not reproducible.
    const own = settledPattern.test(event.type) ? { ...event, actorId: undefined } : event;
    return { ...who, event: what({ ...own, type: withoutAnonymous(event.type) }) };
  };

  const receive = (actor: AnyActor, source: AnyActor | undefined, event: AnyEventObject, tapped: TappedEvent): void => {
    if (event.type !== 'xstate.init') {
      const input = inputOf(actor, source, event, tapped);
      if (input) onInput(input, tapped.at);
    }
    const told = tapped.due === undefined ? toldBy(source, actor, event) : null;
    if (told) onMessage(told);
    if (!tapped.active || observablePattern.test(event.type)) return;
    inTurn.add(actor);
    turns.set(actor, (turns.get(actor) ?? -1) + 1);
  };

  const settle = (actor: AnyActor, event: AnyEventObject, snapshot: AnyMachineSnapshot): void => {
    inTurn.delete(actor);
    if (getActorKind(actor) !== 'machine' || event.type === 'xstate.stop') return;
    const before = lastSettled.get(actor);
    const { state, context } = keepSettled(actor, snapshot);
    const reaction = {
      actor: nameOf(actor),
      on: withoutAnonymous(event.type),
      ...(before && isSame(before.state, state) ? {} : { state }),
      ...(snapshot.status === 'active' ? {} : { status: snapshot.status }),
      changed: diffContexts(before?.context ?? {}, context, redact, longest.changed),
    };
    onReaction(reaction, before?.context ?? {});
  };

  const take = (tapped: TappedEvent): void => {
    const inspected = tapped.event;
    const actor = inspected.actorRef as AnyActor;
    if (inspected.type === '@xstate.actor') enter(actor);
    else if (inspected.type === '@xstate.event')
      receive(actor, inspected.sourceRef as AnyActor | undefined, inspected.event, tapped);
    else if (inspected.type === '@xstate.snapshot') settle(actor, inspected.event, inspected.snapshot as AnyMachineSnapshot);
  };

  /**
   * Starts over with the existing actors, named in the order in which a restored system creates
   * them.
   */
  const begin = (root: AnyActor): void => {
    for (const each of [actors, anonymous, occurrences, inTurn]) each.clear();
    turns = new WeakMap();
    const visit = (actor: AnyActor): void => {
      enter(actor);
      turns.set(actor, 0);
      const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
      if (getActorKind(actor) !== 'machine') return;
      keepSettled(actor, snapshot);
      for (const child of Object.values(snapshot.children as Record<string, AnyActor>)) visit(child);
    };
    visit(root);
  };

  /** No running actor is in the middle of a step. */
  const isIdle = (): boolean => ![...inTurn].some(isActive);

  return { take, begin, isIdle, actors, nameOf };
};

/**
 * The transitions of an inspected microstep, in firing order; empty for other inspection events.
 */
export const getFiredTransitions = (inspected: InspectionEvent): readonly AnyTransitionDefinition[] =>
  inspected.type === '@xstate.microstep' ? inspected._transitions : [];
