import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { toursOf } from '../../machines/paths/tour.ts';
import { nameOf, transitionsOf } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { inShop, routeAt } from './in-shop.ts';
import { portSettledBy } from './settle.ts';
import type { BrowserAdapter } from './stage.ts';

/** A generated walk: from the start of a model through its steps. */
export type Tour = { model: PathModel; start: Node; firedAtStart: string[]; steps: Edge[] };

/**
 * Recomputes the snapshots of the steps on this exact path: an exploration keeps one for all of a
 * kind.
 */
const exactly = (machine: AnyStateMachine, steps: Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  return steps.map((edge) =>
    edge.exact ? edge : { ...edge, to: { ...edge.to, snapshot: stepper.step(edge.from.snapshot, edge.event).snapshot } },
  );
};

/** Whether an event can be reproduced by responses: rejections need an error. */
const isWhole = ({ ports }: BrowserAdapter, event: AnyEventObject): boolean =>
  !(event.type.startsWith('xstate.error.') && event['error'] === undefined && (portSettledBy(event) ?? '') in ports) &&
  !(event.type === 'session.changed' && event['userId'] === undefined);

/** A visitor cannot sign out, so the app sends no such event. */
const isNews = (snapshot: { context: unknown }, event: AnyEventObject): boolean =>
  event.type !== 'session.changed' ||
  (event['userId'] ?? null) !== null ||
  ((snapshot.context as { signedIn?: boolean }).signedIn !== false && (snapshot.context as { userId?: unknown }).userId !== null);

export const addressOf = (adapter: BrowserAdapter, model: PathModel): string => adapter.address(model.input as never);

/** Whether a customer is signed in when a walk of the model starts. */
export const startsSignedIn = (adapter: BrowserAdapter, model: PathModel): boolean => {
  if (adapter.startsSignedIn) return adapter.startsSignedIn(model);
  const { signedIn, userId } = (model.input ?? {}) as { signedIn?: boolean; userId?: string | null };
  return signedIn === true || typeof userId === 'string' || routeAt(addressOf(adapter, model)).access === 'login';
};

const isPossibleOn =
  (adapter: BrowserAdapter) =>
  (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
    isWhole(adapter, event) && isNews(snapshot, event) && (adapter.isPossible?.(snapshot, event) ?? true);

const reachedFrom = (start: Node): Node[] => {
  const nodes = new Set([start]);
  for (const { out } of nodes) for (const { to, exact } of out) if (exact) nodes.add(to);
  return [...nodes];
};

/** A machine from one of its starts, as it runs in the shop, with its graph. */
export const exploreInShop = (adapter: BrowserAdapter, model: PathModel): { machine: AnyStateMachine; graph: Graph } => {
  const machine = inShop(model.machine, {
    at: addressOf(adapter, model),
    reacts: adapter.reacts,
    isPossible: isPossibleOn(adapter),
  });
  const graph = explore(machine, model);
  const isPossible = ({ from, event }: Edge): boolean => isPossibleOn(adapter)(from.snapshot, event);
  for (const node of graph.nodes) {
    node.out = node.out.filter(isPossible).map((edge) => (adapter.isLast?.(edge) ? Object.assign(edge, { exact: false }) : edge));
  }
  const nodes = reachedFrom(graph.start);
  return { machine, graph: { ...graph, nodes, edges: nodes.flatMap(({ out }) => out) } };
};

export const firedBy = ({ firedAtStart, steps }: Tour): string[] => [
  ...firedAtStart,
  ...steps.flatMap(({ fired }) => fired.map(nameOf)),
];

const toursOfModel = (adapter: BrowserAdapter, model: PathModel): Tour[] => {
  const { machine, graph } = exploreInShop(adapter, model);
  const common = { model, start: graph.start, firedAtStart: graph.firedAtStart.map(nameOf) };
  const { tours } = toursOf(graph);
  return (tours.length === 0 ? [[]] : tours).map((steps) => ({ ...common, steps: exactly(machine, steps) }));
};

/**
 * Walks of all models of a machine, the longest first, without those that only repeat transitions.
 */
export const planTours = (adapter: BrowserAdapter): Tour[] => {
  const all = adapter.models.flatMap((model) => toursOfModel(adapter, model));
  const seen = new Set<string>();
  return all
    .toSorted((a, b) => new Set(firedBy(b)).size - new Set(firedBy(a)).size)
    .filter((tour, at) => {
      const fired = firedBy(tour);
      const isNew = fired.some((name) => !seen.has(name));
      for (const name of fired) seen.add(name);
      // If no transition ever fires, the walk only checks the start.
      return isNew || at === 0;
    });
};

/** Transitions of a machine that are not among the names. */
export const uncoveredBy = (adapter: BrowserAdapter, names: Iterable<string>): string[] => {
  const fired = new Set(names);
  const [{ machine }] = adapter.models as [PathModel];
  return transitionsOf(machine)
    .map(nameOf)
    .filter((name) => !fired.has(name));
};
