import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import { growing } from './growth.ts';
import { createStepper, type Moment, type Step } from './stepper.ts';
import { nameOf } from './transitions.ts';

/** What may come with an event besides its type: one entry for each case worth telling apart. */
export type Cases = Record<string, readonly Record<string, unknown>[]>;

/** What is kept in mind of the way to a snapshot: plain JSON, of which there are only a few values. */
export type Memory = { start: unknown; next: (memory: unknown, moment: Moment) => unknown };

export type ExploreOptions = {
  cases?: Cases;
  input?: unknown;
  /** Snapshots that are reached with different memories are of different kinds. */
  memory?: Memory;
  /** What makes two snapshots of one kind; by default their state and which transitions each event would fire. */
  kind?: (snapshot: AnyMachineSnapshot) => unknown;
  /** Snapshots that are looked at for each kind. */
  perKind?: number;
  /** Snapshots at most. @throws RangeError beyond it, naming the context keys that grow. */
  limit?: number;
};

export type Edge = {
  from: Node;
  to: Node;
  event: AnyEventObject;
  /** Empty when no transition took the event, because a guard said no. */
  fired: AnyTransitionDefinition[];
  /** False if `to` is not the snapshot reached, but another one of the same kind. */
  exact: boolean;
};
/** `memory` is there where the exploration keeps one. */
export type Node = { id: number; snapshot: AnyMachineSnapshot; out: Edge[]; memory?: unknown };
export type Failure = { state: string; event: AnyEventObject; error: unknown };
export type Graph = {
  start: Node;
  /** Transitions that fire before the first event. */
  firedAtStart: AnyTransitionDefinition[];
  nodes: Node[];
  edges: Edge[];
  /** Steps in which the machine threw, its start included. */
  failures: Failure[];
};

type Outcome = { event: AnyEventObject; step: Step };
type Found = { node: Node; depth: number; outcomes: Outcome[]; exactKey: string };

const stateOf = (snapshot: AnyMachineSnapshot): string => JSON.stringify(snapshot.value);

const exactKeyOf = ({ value, context, historyValue }: AnyMachineSnapshot): string =>
  JSON.stringify([value, context, Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)])]);

/** The events that some active state takes, one for each case; none when the machine is done or has failed. */
export const eventsOf = (snapshot: AnyMachineSnapshot, cases: Cases): AnyEventObject[] => {
  if (snapshot.status !== 'active') return [];
  const types = new Set(snapshot._nodes.flatMap((node) => [...node.transitions.keys()]));
  return [...types].flatMap((type) => (cases[type] ?? [{}]).map((payload) => ({ type, ...payload })));
};

/** Walks every kind of snapshot that the cases lead to, breadth first. */
export const explore = (machine: AnyStateMachine, options: ExploreOptions = {}): Graph => {
  const { cases = {}, input, kind, memory, perKind = 1, limit = 20_000 } = options;
  const stepper = createStepper(machine);
  const failures: Failure[] = [];
  const nodes: Node[] = [];
  const edges: Edge[] = [];
  const queue: Found[] = [];
  const byKey = new Map<string, Found>();
  const byKind = new Map<string, Found[]>();

  const outcomesOf = (snapshot: AnyMachineSnapshot): Outcome[] =>
    eventsOf(snapshot, cases).flatMap((event) => {
      try {
        return [{ event, step: stepper.step(snapshot, event) }];
      } catch (error) {
        failures.push({ state: stateOf(snapshot), event, error });
        return [];
      }
    });

  const kindOf = (snapshot: AnyMachineSnapshot, outcomes: Outcome[]): string =>
    JSON.stringify(kind ? kind(snapshot) : [snapshot.value, outcomes.map(({ step }) => step.fired.map(nameOf))]);

  const remembered = (before: unknown, moment: Moment): unknown => memory?.next(before, moment);
  const keyOf = (snapshot: AnyMachineSnapshot, kept: unknown): string =>
    memory ? `${exactKeyOf(snapshot)} ${JSON.stringify(kept)}` : exactKeyOf(snapshot);

  const find = (snapshot: AnyMachineSnapshot, kept: unknown, exactKey: string, depth: number): Found => {
    const known = byKey.get(exactKey);
    if (known) return known;
    const outcomes = outcomesOf(snapshot);
    const key = memory ? `${kindOf(snapshot, outcomes)} ${JSON.stringify(kept)}` : kindOf(snapshot, outcomes);
    const alike = byKind.get(key) ?? [];
    const [stand] = alike;
    if (stand && alike.length >= perKind) return stand;
    if (nodes.length >= limit) {
      const keys = growing(queue.map((found) => ({ context: found.node.snapshot.context as unknown, depth: found.depth })));
      const why = keys.length > 0 ? `growing: ${keys.join(', ')}` : 'no key of its context grows';
      throw new RangeError(`${machine.id} has more than ${limit} kinds of snapshots; ${why}`);
    }
    const node = { id: nodes.length, snapshot, out: [], ...(memory && { memory: kept }) };
    const found = { node, depth, outcomes, exactKey };
    nodes.push(found.node);
    byKey.set(exactKey, found);
    byKind.set(key, [...alike, found]);
    queue.push(found);
    return found;
  };

  const first = stepper.start(input);
  if (first.snapshot.status === 'error') {
    failures.push({ state: machine.id, event: { type: 'xstate.init', input }, error: first.snapshot.error });
  }
  const keptAtStart = remembered(memory?.start, { before: null, event: { type: 'xstate.init', input }, ...first });
  const start = find(first.snapshot, keptAtStart, keyOf(first.snapshot, keptAtStart), 0).node;
  for (const { node: from, depth, outcomes } of queue) {
    for (const { event, step } of outcomes) {
      const kept = remembered(from.memory, { before: from.snapshot, event, ...step });
      const reached = keyOf(step.snapshot, kept);
      const { node: to, exactKey } = find(step.snapshot, kept, reached, depth + 1);
      const edge = { from, to, event, fired: step.fired, exact: exactKey === reached };
      from.out.push(edge);
      edges.push(edge);
    }
  }
  return { start, firedAtStart: first.fired, nodes, edges, failures };
};
