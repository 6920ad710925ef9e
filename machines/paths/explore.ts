import {
  fromTransition,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
} from 'xstate';
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph';
import { findGrowingKeys, type ReachedContext } from './growth.ts';
import { createStepper, type Moment, type Step } from './stepper.ts';
import { getTransitionName } from './transitions.ts';

/** The payloads of each event type: one entry for each case that must be distinguished. */
export type Cases = Record<string, readonly Record<string, unknown>[]>;

/** State that accumulates along the path to a snapshot: plain JSON with few distinct values. */
export type Memory = { start: unknown; next: (memory: unknown, moment: Moment) => unknown };

export type ExploreOptions = {
  cases?: Cases;
  input?: unknown;
  /** Snapshots with different memories are of different kinds. */
  memory?: Memory;
  /** The kind of a snapshot; by default its state, and which transitions each event would fire. */
  kind?: (snapshot: AnyMachineSnapshot) => unknown;
  /** A further distinction of snapshots of one kind: plain JSON with few distinct values. */
  apart?: (snapshot: AnyMachineSnapshot) => unknown;
  /** The maximum number of snapshots explored per kind. */
  perKind?: number;
  /**
   * The maximum number of snapshots. Beyond it, `explore` throws a RangeError that names the
   * context keys that grow.
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
/** A snapshot of the graph with its outgoing edges; `memory` is set if the exploration uses one. */
export type Node = { id: number; snapshot: AnyMachineSnapshot; out: Edge[]; memory?: unknown };
export type Failure = { state: string; event: AnyEventObject; error: unknown };
export type Graph = {
  start: Node;
  /** Transitions that fire before the first event. */
  firedAtStart: AnyTransitionDefinition[];
  nodes: Node[];
  edges: Edge[];
  /** Steps in which the machine threw an error, including its start. */
  failures: Failure[];
};

/** A reached snapshot and the steps from it, which are computed on first use. */
type Visit = Moment & { memory: unknown; depth: number; key: string; outcomes: () => Map<AnyEventObject, Step> };

const stateText = (snapshot: AnyMachineSnapshot): string => JSON.stringify(snapshot.value);

const getExactKey = ({ value, context, historyValue }: AnyMachineSnapshot): string =>
  JSON.stringify([value, context, Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)])]);

/**
 * The events that an active state accepts, one for each case; empty if the machine is done or has
 * failed.
 */
export const getEvents = (snapshot: AnyMachineSnapshot, cases: Cases): AnyEventObject[] => {
  if (snapshot.status !== 'active') return [];
  const types = new Set(snapshot._nodes.flatMap((node) => [...node.transitions.keys()]));
  return [...types].flatMap((type) => (cases[type] ?? [{}]).map((payload) => ({ type, ...payload })));
};

/**
 * Explores every kind of snapshot that the cases lead to, breadth first, and returns the graph.
 * `getAdjacencyMap` of `xstate/graph` does the search; the steps, which name the fired transitions,
 * and the kinds are computed here.
 */
export const explore = (machine: AnyStateMachine, options: ExploreOptions = {}): Graph => {
  const { cases = {}, input, kind, apart, memory, perKind = 1, limit = 20_000 } = options;
  const stepper = createStepper(machine);
  const failures: Failure[] = [];
  const nodes: Node[] = [];
  const reachedContexts: ReachedContext[] = [];
  const nodesByVisit = new Map<Visit, Node>();
  const nodesByKey = new Map<string, Node>();
  const nodesByKind = new Map<string, Node[]>();

  const computeOutcomes = (snapshot: AnyMachineSnapshot): Map<AnyEventObject, Step> => {
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

  const withMemory = (key: string, visitMemory: unknown): string => (memory ? `${key} ${JSON.stringify(visitMemory)}` : key);

  const createVisit = (moment: Moment, memoryBefore: unknown, depth: number): Visit => {
    const visitMemory: unknown = memory?.next(memoryBefore, moment);
    const key = withMemory(getExactKey(moment.snapshot), visitMemory);
    let outcomes: Map<AnyEventObject, Step> | null = null;
    return { ...moment, memory: visitMemory, depth, key, outcomes: () => (outcomes ??= computeOutcomes(moment.snapshot)) };
  };

  const getKindKey = ({ snapshot, memory: visitMemory, outcomes }: Visit): string => {
    const getFiredNames = () => [...outcomes().values()].map(({ fired }) => fired.map(getTransitionName));
    const kindValue = kind ? kind(snapshot) : [snapshot.value, getFiredNames()];
    return withMemory(JSON.stringify([kindValue, apart?.(snapshot)]), visitMemory);
  };

  /** The node of this exact snapshot, else a node of its kind, else a new node. */
  const findOrAddNode = (visit: Visit): Node => {
    const knownNode = nodesByKey.get(visit.key);
    if (knownNode) return knownNode;
    const kindKey = getKindKey(visit);
    const sameKind = nodesByKind.get(kindKey) ?? [];
    const [representative] = sameKind;
    if (representative && sameKind.length >= perKind) return representative;
    if (nodes.length >= limit) {
      const keys = findGrowingKeys(reachedContexts);
      const reason = keys.length > 0 ? `growing: ${keys.join(', ')}` : 'no key of its context grows';
      throw new RangeError(`${machine.id} has more than ${limit} kinds of snapshots; ${reason}`);
    }
    const { snapshot, depth } = visit;
    const node = { id: nodes.length, snapshot, out: [], ...(memory && { memory: visit.memory }) };
    nodes.push(node);
    reachedContexts.push({ context: snapshot.context, depth });
    nodesByKey.set(visit.key, node);
    nodesByKind.set(kindKey, [...sameKind, node]);
    return node;
  };

  const getNode = (visit: Visit): Node => {
    const node = nodesByVisit.get(visit) ?? findOrAddNode(visit);
    nodesByVisit.set(visit, node);
    return node;
  };

  const startStep = stepper.start(input);
  if (startStep.snapshot.status === 'error') {
    failures.push({ state: machine.id, event: { type: 'xstate.init', input }, error: startStep.snapshot.error });
  }
  const initialVisit = createVisit({ before: null, event: { type: 'xstate.init', input }, ...startStep }, memory?.start, 0);
  const steps = fromTransition((from: Visit, event: AnyEventObject): Visit => {
    const step = from.outcomes().get(event);
    if (!step) throw new Error(`${machine.id}: no step was computed for ${event.type}`);
    return createVisit({ before: from.snapshot, event, ...step }, from.memory, from.depth + 1);
  }, initialVisit);
  const adjacency = getAdjacencyMap(steps, {
    events: ({ context: visit }) => [...visit.outcomes().keys()],
    serializeState: ({ context: visit }) => String(getNode(visit).id),
  });
  const edges = adjacencyMapToArray(adjacency).map(({ state, event, nextState: { context: reached } }): Edge => {
    const from = getNode(state.context);
    const to = getNode(reached);
    const edge = { from, to, event, fired: reached.fired, exact: nodesByKey.get(reached.key) === to };
    from.out.push(edge);
    return edge;
  });
  return { start: getNode(initialVisit), firedAtStart: startStep.fired, nodes, edges, failures };
};
