import type { AnyActor, AnyEventObject, AnyMachineSnapshot, AnyTransitionDefinition, InspectionEvent } from 'xstate';
import type { Reaction, Input, Plain, RecordedEvent, Told } from './format.ts';
import { isActive, isAnonymous, isEffect, kindOfActor } from './kinds.ts';
import { differences, isSame, kept, longestInContext, plainOf, type Redact } from './plain.ts';
import type { Tapped } from './tap.ts';

type Watcher = {
  redact: Redact;
  /** `at` is in milliseconds since 1970. */
  onInput: (input: Input, at: number) => void;
  /** `before` is the machine's context before the reaction. */
  onReaction: (reaction: Reaction, before: Readonly<Record<string, unknown>>) => void;
  onTold: (told: Told) => void;
  /** Whether what machines tell those that they started is left out, as in older records. */
  withoutChildren?: boolean;
  /** Reports values whole, however long they are, to be compared. */
  isWhole?: boolean;
  onActor?: (name: string, actor: AnyActor) => void;
};

const settles = /^xstate\.(done|error)\.actor\./;
const feeds = /^xstate\.observable\./;
const reports = /^xstate\.snapshot\./;
const anonymousId = /x:c?\d+$/;

/** Characters of JSON above which what was told is kept by its hash. */
const longestTold = 200;

/** Whether the type of an event, or the start of an actor, is all that there is to say. */
const isBare = (event: AnyEventObject, to: AnyActor): boolean =>
  event.type === 'xstate.init' ? to.options.input === undefined : Object.keys(event).length === 1;

type Settled = { state: Plain; context: Record<string, unknown> };

/**
 * Reads what was tapped from one actor system: reports the inputs, and the reactions of the machines. This is the
 * module that knows XState's event names and half-public fields.
 */
export const observe = (watcher: Watcher) => {
  const { redact, onInput, onReaction, onTold, withoutChildren = false, isWhole = false, onActor } = watcher;
  const longest = isWhole ? { told: Infinity, changed: Infinity } : { told: longestTold, changed: longestInContext };
  const actors = new Map<string, AnyActor>();
  const names = new WeakMap<AnyActor, string>();
  /** Names of actors that XState gave an id. */
  const anonymous = new Map<string, string>();
  const occurrences = new Map<string, number>();
  /** Actors that are taking an event right now, and how many turns each has taken. */
  const inTurn = new Set<AnyActor>();
  let turns = new WeakMap<AnyActor, number>();
  const lastSettled = new WeakMap<AnyActor, Settled>();

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

  const withoutAnonymous = (type: string): string => type.replace(anonymousId, (id) => anonymous.get(id) ?? id);

  const keepSettled = (actor: AnyActor, { value, context }: AnyMachineSnapshot): Settled => {
    const settled = { state: plainOf(value), context: context as Record<string, unknown> };
    lastSettled.set(actor, settled);
    return settled;
  };

  const recorded = (event: AnyEventObject): RecordedEvent => plainOf(event, redact) as RecordedEvent;

  /** The input that an event is, or null when a replay produces the event by itself. */
  const inputOf = (to: AnyActor, source: AnyActor | undefined, event: AnyEventObject, tapped: Tapped): Input | null => {
    const target = nameOf(to);
    const kind = source && kindOfActor(source);
    const turn = source && inTurn.has(source) ? turns.get(source) : undefined;
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
      // A promise tells itself of its end before it tells its parent.
      if (reports.test(event.type) || (kind === 'promise' && source === to)) return null;
      return { kind: 'said', to: target, from: nameOf(source), event: recorded(event), ...during };
    }
    if (tapped.due !== undefined) return { kind: 'timer', to: target, event: recorded(event), ms: tapped.due };
    if (source) return null;
    return { kind: 'event', to: target, event: recorded(event), ...(tapped.busy ? { reentrant: true as const } : {}) };
  };

  /** What a machine says in starting another actor, or in an event to one; null for everything else. */
  const toldBy = (source: AnyActor | undefined, to: AnyActor, event: AnyEventObject): Told | null => {
    if (!source || source === to || kindOfActor(source) !== 'machine') return null;
    const isOutside = isEffect(to) || to === source._parent;
    if (!isOutside && (withoutChildren || isBare(event, to))) return null;
    const by = nameOf(source);
    const [who, what] = [{ by, to: nameOf(to) }, (value: unknown) => kept(plainOf(value, redact), longest.told)];
    if (event.type === 'xstate.init') return { ...who, input: what(to.options.input) };
    if (reports.test(event.type)) return null;
    // XState's own count of actors goes on over all systems of a page.
    const own = settles.test(event.type) ? { ...event, actorId: undefined } : event;
    return { ...who, event: what({ ...own, type: withoutAnonymous(event.type) }) };
  };

  const receive = (actor: AnyActor, source: AnyActor | undefined, event: AnyEventObject, tapped: Tapped): void => {
    if (event.type !== 'xstate.init') {
      const input = inputOf(actor, source, event, tapped);
      if (input) onInput(input, tapped.at);
    }
    const told = tapped.due === undefined ? toldBy(source, actor, event) : null;
    if (told) onTold(told);
    if (!tapped.active || feeds.test(event.type)) return;
    inTurn.add(actor);
    turns.set(actor, (turns.get(actor) ?? -1) + 1);
  };

  const settle = (actor: AnyActor, event: AnyEventObject, snapshot: AnyMachineSnapshot): void => {
    inTurn.delete(actor);
    if (kindOfActor(actor) !== 'machine' || event.type === 'xstate.stop') return;
    const before = lastSettled.get(actor);
    const { state, context } = keepSettled(actor, snapshot);
    const reaction = {
      actor: nameOf(actor),
      on: withoutAnonymous(event.type),
      ...(before && isSame(before.state, state) ? {} : { state }),
      ...(snapshot.status === 'active' ? {} : { status: snapshot.status }),
      changed: differences(before?.context ?? {}, context, redact, longest.changed),
    };
    onReaction(reaction, before?.context ?? {});
  };

  const take = (tapped: Tapped): void => {
    const inspected = tapped.event;
    const actor = inspected.actorRef as AnyActor;
    if (inspected.type === '@xstate.actor') enter(actor);
    else if (inspected.type === '@xstate.event')
      receive(actor, inspected.sourceRef as AnyActor | undefined, inspected.event, tapped);
    else if (inspected.type === '@xstate.snapshot') settle(actor, inspected.event, inspected.snapshot as AnyMachineSnapshot);
  };

  /** Begins again with the actors that exist, named in the order in which a restored system would create them. */
  const begin = (root: AnyActor): void => {
    for (const each of [actors, anonymous, occurrences, inTurn]) each.clear();
    turns = new WeakMap();
    const visit = (actor: AnyActor): void => {
      enter(actor);
      turns.set(actor, 0);
      const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
      if (kindOfActor(actor) !== 'machine') return;
      keepSettled(actor, snapshot);
      for (const child of Object.values(snapshot.children as Record<string, AnyActor>)) visit(child);
    };
    visit(root);
  };

  /** No running actor is in the middle of a step. */
  const isAtRest = (): boolean => ![...inTurn].some(isActive);

  return { take, begin, isAtRest, actors, nameOf };
};

/** The transitions of an inspected microstep, in the order in which they fired; none for other inspection events. */
export const firedIn = (inspected: InspectionEvent): readonly AnyTransitionDefinition[] =>
  inspected.type === '@xstate.microstep' ? inspected._transitions : [];
