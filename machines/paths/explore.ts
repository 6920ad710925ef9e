import {
  fromTransition,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
} from 'xstate';
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph';
import { findGrowing, type Growth } from './growth.ts';
import { createStepper, type Moment, type Step } from './stepper.ts';
import { getTransitionName } from './transitions.ts';

/** Payloads of an event besides its type: one entry for each case that must be distinguished. */
export type Cases = Record<string, readonly Record<string, unknown>[]>;

/** State carried along the path to a snapshot: plain JSON with few distinct values. */
export type Memory = { start: unknown; next: (memory: unknown, moment: Moment) => unknown };

export type ExploreOptions = {
  cases?: Cases;
  input?: unknown;
  /** Snapshots with different memories are of different kinds. */
  memory?: Memory;
  /** The kind of a snapshot; by default its state, and which transitions each event would fire. */
  kind?: (snapshot: AnyMachineSnapshot) => unknown;
  /** Distinguishes snapshots in addition to their kind: plain JSON with few distinct values. */
  apart?: (snapshot: AnyMachineSnapshot) => unknown;
  /** The number of snapshots explored per kind. */
  perKind?: number;
  /**
   * The maximum number of snapshots. @throws RangeError beyond it, naming the context keys that
   * grow
   */
  limit?: number;
};

export type Edge = {
  from: Node;
  to: Node;
  event: AnyEventObject;
  /** Empty if a guard refused the event, so that no transition fired. */
  fired: AnyTransitionDefinition[];
  /** False if `to` is not the reached snapshot, but another one of the same kind. */
  exact: boolean;
};
/** `memory` is present if the exploration uses one. */
export type Node = { id: number; snapshot: AnyMachineSnapshot; out: Edge[]; memory?: unknown };
export type Failure = { state: string; event: AnyEventObject; error: unknown };
export type Graph = {
  start: Node;
  /** Transitions that fire before the first event. */
  firedAtStart: AnyTransitionDefinition[];
  nodes: Node[];
  edges: Edge[];
  /** Steps in which the machine threw, including its start. */
  failures: Failure[];
};

/** A reached snapshot and the steps from it, which are computed on first use. */
type Visit = Moment & { memory: unknown; depth: number; key: string; outcomes: () => Map<AnyEventObject, Step> };

const stateText = (snapshot: AnyMachineSnapshot): string => JSON.stringify(snapshot.value);

const getExactKey = ({ value, context, historyValue }: AnyMachineSnapshot): string =>
  JSON.stringify([value, context, Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)])]);

/**
 * The events that some active state accepts, one for each case; empty if the machine is done or has
 * failed.
 */
export const getEvents = (snapshot: AnyMachineSnapshot, cases: Cases): AnyEventObject[] => {
  if (snapshot.status !== 'active') return [];
  const types = new Set(snapshot._nodes.flatMap((node) => [...node.transitions.keys()]));
  return [...types].flatMap((type) => (cases[type] ?? [{}]).map((payload) => ({ type, ...payload })));
};

/**
 * Walks every kind of snapshot that the cases lead to, breadth first. `getAdjacencyMap` of
 * `xstate/graph` does the search; the steps, which name the fired transitions, and the kinds are
 * our own.
 */
export const explore = (machine: AnyStateMachine, options: ExploreOptions = {}): Graph => {
  const { cases = {}, input, kind, apart, memory, perKind = 1, limit = 20_000 } = options;
  const stepper = createStepper(machine);
  const failures: Failure[] = [];
  const nodes: Node[] = [];
  const added: Growth[] = [];
  const byVisit = new Map<Visit, Node>();
  const byKey = new Map<string, Node>();
  const byKind = new Map<string, Node[]>();

  const outcomesOf = (snapshot: AnyMachineSnapshot): Map<AnyEventObject, Step> => {
    const outcomes = new Map<AnyEventObject, Step>();
    for (const event of getEvents(snapshot, cases)) {
      try {
        outcomes.set(event, stepper.step(snapshot, event));
      } catch (error) {
        failures.push({ state: stateText(snapshot), event, error });
      }
    }
    return outcomes;
  };

  const withMemory = (key: string, kept: unknown): string => (memory ? `${key} ${JSON.stringify(kept)}` : key);

  const visitOf = (moment: Moment, before: unknown, depth: number): Visit => {
    const kept: unknown = memory?.next(before, moment);
    const key = withMemory(getExactKey(moment.snapshot), kept);
    let outcomes: Map<AnyEventObject, Step> | null = null;
    return { ...moment, memory: kept, depth, key, outcomes: () => (outcomes ??= outcomesOf(moment.snapshot)) };
  };

  const kindOf = ({ snapshot, memory: kept, outcomes }: Visit): string => {
    const firing = () => [...outcomes().values()].map(({ fired }) => fired.map(getTransitionName));
    return withMemory(JSON.stringify([kind ? kind(snapshot) : [snapshot.value, firing()], apart?.(snapshot)]), kept);
  };

  /** The node of this exact snapshot, else one of its kind, else a new one. */
  const find = (visit: Visit): Node => {
    const known = byKey.get(visit.key);
    if (known) return known;
    const kindKey = kindOf(visit);
    const alike = byKind.get(kindKey) ?? [];
    const [stand] = alike;
    if (stand && alike.length >= perKind) return stand;
    if (nodes.length >= limit) {
      const keys = findGrowing(added);
      const why = keys.length > 0 ? `growing: ${keys.join(', ')}` : 'no key of its context grows';
      throw new RangeError(`${machine.id} has more than ${limit} kinds of snapshots; ${why}`);
    }
    const { snapshot, depth } = visit;
    const node = { id: nodes.length, snapshot, out: [], ...(memory && { memory: visit.memory }) };
    nodes.push(node);
    added.push({ context: snapshot.context, depth });
    byKey.set(visit.key, node);
    byKind.set(kindKey, [...alike, node]);
    return node;
  };

  const nodeOf = (visit: Visit): Node => {
    const node = byVisit.get(visit) ?? find(visit);
    byVisit.set(visit, node);
    return node;
  };

  const first = stepper.start(input);
  if (first.snapshot.status === 'error') {
    failures.push({ state: machine.id, event: { type: 'xstate.init', input }, error: first.snapshot.error });
  }
  const atStart = visitOf({ before: null, event: { type: 'xstate.init', input }, ...first }, memory?.start, 0);
  const steps = fromTransition((from: Visit, event: AnyEventObject): Visit => {
    const step = from.outcomes().get(event);
    if (!step) throw new Error(`${machine.id}: no step was computed for ${event.type}`);
    return visitOf({ before: from.snapshot, event, ...step }, from.memory, from.depth + 1);
  }, atStart);
  const adjacency = getAdjacencyMap(steps, {
    events: ({ context: visit }) => [...visit.outcomes().keys()],
    serializeState: ({ context: visit }) => String(nodeOf(visit).id),
  });
  const edges = adjacencyMapToArray(adjacency).map(({ state, event, nextState: { context: reached } }): Edge => {
    const from = nodeOf(state.context);
    const to = nodeOf(reached);
    const edge = { from, to, event, fired: reached.fired, exact: byKey.get(reached.key) === to };
    from.out.push(edge);
    return edge;
  });
  return { start: nodeOf(atStart), firedAtStart: first.fired, nodes, edges, failures };
};
