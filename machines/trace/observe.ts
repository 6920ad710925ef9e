import type { AnyActor, AnyEventObject, AnyMachineSnapshot, AnyTransitionDefinition, InspectionEvent } from 'xstate';
import type { Reaction, Input, Plain, RecordedEvent, CrossMessage } from './format.ts';
import { isAnonymous, isEffect, getActorKind } from './kinds.ts';
import { diffContexts, keepOrDigest, MAX_CONTEXT_CHARS, toPlain, type Redact } from './plain.ts';
import { isActive, type TappedEvent } from './tap.ts';
import { isSameJson } from '../same-json.ts';

type Watcher = {
  redact: Redact;
  /** `at` is in milliseconds since 1970. */
  onInput: (input: Input, at: number) => void;
  /** `before` is the machine's context before the reaction. */
  onReaction: (reaction: Reaction, before: Readonly<Record<string, unknown>>) => void;
  onMessage: (message: CrossMessage) => void;
  /** Omits messages from machines to their child machines, as in older records. */
  omitsChildMessages?: boolean;
  /** Reports values in full, however long, so that a replay can compare them. */
  withFullValues?: boolean;
  onActor?: (name: string, actor: AnyActor) => void;
};

const settledPattern = /^xstate\.(done|error)\.actor\./;
const observablePattern = /^xstate\.observable\./;
const snapshotPattern = /^xstate\.snapshot\./;
const anonymousIdPattern = /x:c?\d+$/;

/** Maximum characters of JSON of a message; a longer value is stored as its hash. */
const MAX_MESSAGE_CHARS = 200;

/** Whether a message has no content: an event with only a type, or a start without input. */
const isEmptyMessage = (event: AnyEventObject, to: AnyActor): boolean =>
  event.type === 'xstate.init' ? to.options.input === undefined : Object.keys(event).length === 1;

type SettledState = { state: Plain; context: Record<string, unknown> };

/**
 * Processes the tapped events of one actor system: reports inputs, reactions and messages.
 */
export const observe = (watcher: Watcher) => {
  const { redact, onInput, onReaction, onMessage, omitsChildMessages = false, withFullValues = false, onActor } = watcher;
  const maxChars = withFullValues
    ? { message: Infinity, changed: Infinity }
    : { message: MAX_MESSAGE_CHARS, changed: MAX_CONTEXT_CHARS };
  const actors = new Map<string, AnyActor>();
  const names = new WeakMap<AnyActor, string>();
  /** The names of actors whose ids XState generated, by these ids. */
  const anonymousNames = new Map<string, string>();
  const occurrences = new Map<string, number>();
  /** Actors that are handling an event now. */
  const handlingActors = new Set<AnyActor>();
  /** The number of the event that each actor handled last, counted from 0. */
  let turnCounts = new WeakMap<AnyActor, number>();
  const lastSettled = new WeakMap<AnyActor, SettledState>();

  const getActorName = (actor: AnyActor): string => names.get(actor) ?? '';

  const registerActor = (actor: AnyActor): void => {
    const parent = actor._parent as AnyActor | undefined;
    const source = typeof actor.src === 'string' ? actor.src : 'unnamed';
    const base = parent ? `${getActorName(parent)}/${isAnonymous(actor) ? source : actor.id}` : 'root';
    const occurrence = occurrences.get(base) ?? 0;
    occurrences.set(base, occurrence + 1);
    const name = occurrence === 0 ? base : `${base}~${occurrence}`;
    names.set(actor, name);
    actors.set(name, actor);
    if (isAnonymous(actor)) anonymousNames.set(actor.id, name);
    onActor?.(name, actor);
  };

  const withoutAnonymous = (type: string): string => type.replace(anonymousIdPattern, (id) => anonymousNames.get(id) ?? id);

  const storeSettled = (actor: AnyActor, { value, context }: AnyMachineSnapshot): SettledState => {
    const settledState = { state: toPlain(value), context: context as Record<string, unknown> };
    lastSettled.set(actor, settledState);
    return settledState;
  };

  const toRecordedEvent = (event: AnyEventObject): RecordedEvent => toPlain(event, redact) as RecordedEvent;

  /** Converts an event to an external input; null if the machines send the event in a replay. */
  const toInput = (to: AnyActor, source: AnyActor | undefined, event: AnyEventObject, tappedEvent: TappedEvent): Input | null => {
    const target = getActorName(to);
    const kind = source && getActorKind(source);
    const turn = source && handlingActors.has(source) ? turnCounts.get(source) : undefined;
    const turnField = turn === undefined ? {} : { turn };
    if (observablePattern.test(event.type)) {
      const originFields = turn === undefined || !source ? {} : { from: getActorName(source), turn };
      return { kind: 'observed', to: target, event: toRecordedEvent(event), ...originFields };
    }
    if (source && (kind === 'promise' || kind === 'callback' || kind === 'observable')) {
      if (settledPattern.test(event.type)) {
        // An observable's completion follows from its values, except if it completes on start.
        if (kind === 'observable' && turn !== 0) return null;
        const settledTurn = kind === 'callback' || turn === 0 ? turnField : {};
        return { kind: 'settled', to: target, from: getActorName(source), event: toRecordedEvent(event), ...settledTurn };
      }
      // A promise notifies itself of its end before its parent.
      if (snapshotPattern.test(event.type) || (kind === 'promise' && source === to)) return null;
      return { kind: 'emitted', to: target, from: getActorName(source), event: toRecordedEvent(event), ...turnField };
    }
    if (tappedEvent.due !== undefined) return { kind: 'timer', to: target, event: toRecordedEvent(event), ms: tappedEvent.due };
    if (source) return null;
    const reentrantField = tappedEvent.busy ? { reentrant: true as const } : {};
    return { kind: 'event', to: target, event: toRecordedEvent(event), ...reentrantField };
  };

  /**
   * Converts an event to a machine's message: the input of an actor that the machine starts, or an
   * event to another actor. Null for all other events.
   */
  const toMessage = (source: AnyActor | undefined, to: AnyActor, event: AnyEventObject): CrossMessage | null => {
    if (!source || source === to || getActorKind(source) !== 'machine') return null;
    const isOutside = isEffect(to) || to === source._parent;
    if (!isOutside && (omitsChildMessages || isEmptyMessage(event, to))) return null;
    const sender = getActorName(source);
    const endpoints = { from: sender, to: getActorName(to) };
    const toStoredValue = (value: unknown) => keepOrDigest(toPlain(value, redact), maxChars.message);
    if (event.type === 'xstate.init') return { ...endpoints, input: toStoredValue(to.options.input) };
    if (snapshotPattern.test(event.type)) return null;
    // XState numbers actors across all systems of a page, so the number is not reproducible.
    const reproducible = settledPattern.test(event.type) ? { ...event, actorId: undefined } : event;
    return { ...endpoints, event: toStoredValue({ ...reproducible, type: withoutAnonymous(event.type) }) };
  };

  const receive = (actor: AnyActor, source: AnyActor | undefined, event: AnyEventObject, tappedEvent: TappedEvent): void => {
    if (event.type !== 'xstate.init') {
      const input = toInput(actor, source, event, tappedEvent);
      if (input) onInput(input, tappedEvent.at);
    }
    const message = tappedEvent.due === undefined ? toMessage(source, actor, event) : null;
    if (message) onMessage(message);
    if (!tappedEvent.active || observablePattern.test(event.type)) return;
    handlingActors.add(actor);
    turnCounts.set(actor, (turnCounts.get(actor) ?? -1) + 1);
  };

  const settle = (actor: AnyActor, event: AnyEventObject, snapshot: AnyMachineSnapshot): void => {
    handlingActors.delete(actor);
    if (getActorKind(actor) !== 'machine' || event.type === 'xstate.stop') return;
    const before = lastSettled.get(actor);
    const { state, context } = storeSettled(actor, snapshot);
    const reaction = {
      actor: getActorName(actor),
      on: withoutAnonymous(event.type),
      ...(before && isSameJson(before.state, state) ? {} : { state }),
      ...(snapshot.status === 'active' ? {} : { status: snapshot.status }),
      changed: diffContexts(before?.context ?? {}, context, redact, maxChars.changed),
    };
    onReaction(reaction, before?.context ?? {});
  };

  const take = (tappedEvent: TappedEvent): void => {
    const inspected = tappedEvent.event;
    const actor = inspected.actorRef as AnyActor;
    if (inspected.type === '@xstate.actor') registerActor(actor);
    else if (inspected.type === '@xstate.event')
      receive(actor, inspected.sourceRef as AnyActor | undefined, inspected.event, tappedEvent);
    else if (inspected.type === '@xstate.snapshot') settle(actor, inspected.event, inspected.snapshot as AnyMachineSnapshot);
  };

  /**
   * Forgets all actors and registers the existing ones again, in the order in which a restored
   * system creates them, so that they get the same names.
   */
  const restart = (root: AnyActor): void => {
    for (const each of [actors, anonymousNames, occurrences, handlingActors]) each.clear();
    turnCounts = new WeakMap();
    const registerTree = (actor: AnyActor): void => {
      registerActor(actor);
      turnCounts.set(actor, 0);
      const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
      if (getActorKind(actor) !== 'machine') return;
      storeSettled(actor, snapshot);
      for (const child of Object.values(snapshot.children as Record<string, AnyActor>)) registerTree(child);
    };
    registerTree(root);
  };

  /** Whether no running actor is handling an event. */
  const isIdle = (): boolean => ![...handlingActors].some(isActive);

  return { take, restart, isIdle, actors, getActorName };
};

/**
 * The transitions of an inspected microstep, in firing order; empty for other inspection events.
 */
export const getFiredTransitions = (inspected: InspectionEvent): readonly AnyTransitionDefinition[] =>
  inspected.type === '@xstate.microstep' ? inspected._transitions : [];
