import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { generateTours } from '../../machines/paths/tour.ts';
import { getTransitionName, getTransitions } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { withShopReactions, parseAddress } from './in-shop.ts';
import { getSettledPort } from './settle.ts';
import type { BrowserAdapter } from './browser-adapter.ts';

/** A generated walk: from the start of a model through its steps. */
export type Tour = { model: PathModel; start: Node; firedAtStart: string[]; steps: Edge[] };

/**
 * Recomputes the snapshots of the steps on this exact path: an exploration keeps one for all of a
 * kind.
 */
const withExactSnapshots = (machine: AnyStateMachine, steps: Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  return steps.map((edge) =>
    edge.exact ? edge : { ...edge, to: { ...edge.to, snapshot: stepper.step(edge.from.snapshot, edge.event).snapshot } },
  );
};

/** Whether an event can be reproduced by responses: rejections need an error. */
const isPlayableSettlement = ({ ports }: BrowserAdapter, event: AnyEventObject): boolean =>
  !(event.type.startsWith('xstate.error.') && event['error'] === undefined && (getSettledPort(event) ?? '') in ports) &&
  !(event.type === 'session.changed' && event['userId'] === undefined);

/** A visitor cannot sign out, so the app sends no such event. */
const changesSession = (snapshot: { context: unknown }, event: AnyEventObject): boolean =>
  event.type !== 'session.changed' ||
  (event['userId'] ?? null) !== null ||
  ((snapshot.context as { signedIn?: boolean }).signedIn !== false && (snapshot.context as { userId?: unknown }).userId !== null);

export const getAddress = (adapter: BrowserAdapter, model: PathModel): string => adapter.address(model.input as never);

/** Whether a customer is signed in when a walk of the model starts. */
export const startsSignedIn = (adapter: BrowserAdapter, model: PathModel): boolean => {
  if (adapter.startsSignedIn) return adapter.startsSignedIn(model);
  const { signedIn, userId } = (model.input ?? {}) as { signedIn?: boolean; userId?: string | null };
  return signedIn === true || typeof userId === 'string' || parseAddress(getAddress(adapter, model)).access === 'login';
};

const createIsPossible =
  (adapter: BrowserAdapter) =>
  (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
    isPlayableSettlement(adapter, event) && changesSession(snapshot, event) && (adapter.isPossible?.(snapshot, event) ?? true);

const getReachable = (start: Node): Node[] => {
  const nodes = new Set([start]);
  for (const { out } of nodes) for (const { to, exact } of out) if (exact) nodes.add(to);
  return [...nodes];
};

/** A machine from one of its starts, as it runs in the shop, with its graph. */
export const exploreInShop = (adapter: BrowserAdapter, model: PathModel): { machine: AnyStateMachine; graph: Graph } => {
  const machine = withShopReactions(model.machine, {
    at: getAddress(adapter, model),
    reacts: adapter.reacts,
    isPossible: createIsPossible(adapter),
  });
  const graph = explore(machine, model);
  const isPossible = ({ from, event }: Edge): boolean => createIsPossible(adapter)(from.snapshot, event);
  for (const node of graph.nodes) {
    node.out = node.out.filter(isPossible).map((edge) => (adapter.isLast?.(edge) ? Object.assign(edge, { exact: false }) : edge));
  }
  const nodes = getReachable(graph.start);
  return { machine, graph: { ...graph, nodes, edges: nodes.flatMap(({ out }) => out) } };
};

export const getFiredNames = ({ firedAtStart, steps }: Tour): string[] => [
  ...firedAtStart,
  ...steps.flatMap(({ fired }) => fired.map(getTransitionName)),
];

const planModelTours = (adapter: BrowserAdapter, model: PathModel): Tour[] => {
  const { machine, graph } = exploreInShop(adapter, model);
  const common = { model, start: graph.start, firedAtStart: graph.firedAtStart.map(getTransitionName) };
  const { tours } = generateTours(graph);
  return (tours.length === 0 ? [[]] : tours).map((steps) => ({ ...common, steps: withExactSnapshots(machine, steps) }));
};

/**
 * Walks of all models of a machine, the longest first, without those that only repeat transitions.
 */
export const planTours = (adapter: BrowserAdapter): Tour[] => {
  const all = adapter.models.flatMap((model) => planModelTours(adapter, model));
  const seen = new Set<string>();
  return all
    .toSorted((a, b) => new Set(getFiredNames(b)).size - new Set(getFiredNames(a)).size)
    .filter((tour, at) => {
      const fired = getFiredNames(tour);
      const isNew = fired.some((name) => !seen.has(name));
      for (const name of fired) seen.add(name);
      // If no transition ever fires, the walk only checks the start.
      return isNew || at === 0;
    });
};

/** Transitions of a machine that are not among the names. */
export const listUncovered = (adapter: BrowserAdapter, names: Iterable<string>): string[] => {
  const fired = new Set(names);
  const [{ machine }] = adapter.models as [PathModel];
  return getTransitions(machine)
    .map(getTransitionName)
    .filter((name) => !fired.has(name));
};
