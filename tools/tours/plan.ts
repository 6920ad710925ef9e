import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { generateTours } from '../../machines/paths/tour.ts';
import { getTransitionName, getTransitions } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { withShopReactions, parseAddress } from './in-shop.ts';
import { getSettledPort } from './settle.ts';
import type { BrowserAdapter } from './browser-adapter.ts';

/** A generated walk: the start of a model, and the steps from there. */
export type Tour = { model: PathModel; start: Node; firedAtStart: string[]; steps: Edge[] };

/**
 * Recomputes the snapshots of the steps on this exact path: an exploration keeps one snapshot for
 * all states of a kind.
 */
const withExactSnapshots = (machine: AnyStateMachine, steps: Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  return steps.map((edge) =>
    edge.exact ? edge : { ...edge, to: { ...edge.to, snapshot: stepper.step(edge.from.snapshot, edge.event).snapshot } },
  );
};

/**
 * Whether the walk can cause an event: a rejection by a response needs an error, and a changed
 * session a user id.
 */
const isPlayableSettlement = ({ ports }: BrowserAdapter, event: AnyEventObject): boolean =>
  !(event.type.startsWith('xstate.error.') && event['error'] === undefined && (getSettledPort(event) ?? '') in ports) &&
  !(event.type === 'session.changed' && event['userId'] === undefined);

/** False for a sign-out while no customer is signed in: the app sends no such event. */
const changesSession = (snapshot: { context: unknown }, event: AnyEventObject): boolean =>
  event.type !== 'session.changed' ||
  (event['userId'] ?? null) !== null ||
  ((snapshot.context as { signedIn?: boolean }).signedIn !== false && (snapshot.context as { userId?: unknown }).userId !== null);

/** Returns the path at which a walk of the model starts. */
export const getStartPath = (adapter: BrowserAdapter, model: PathModel): string => adapter.getStartPath(model.input as never);

/** Whether a customer is signed in when a walk of the model starts. */
export const startsSignedIn = (adapter: BrowserAdapter, model: PathModel): boolean => {
  if (adapter.startsSignedIn) return adapter.startsSignedIn(model);
  const { signedIn, userId } = (model.input ?? {}) as { signedIn?: boolean; userId?: string | null };
  return signedIn === true || typeof userId === 'string' || parseAddress(getStartPath(adapter, model)).access === 'login';
};

const createIsPossible =
  (adapter: BrowserAdapter) =>
  (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
    isPlayableSettlement(adapter, event) && changesSession(snapshot, event) && (adapter.isPossible?.(snapshot, event) ?? true);

/** Returns the nodes that a walk can reach: a walk ends after a step that is not exact. */
const getReachableNodes = (start: Node): Node[] => {
  const nodes = new Set([start]);
  for (const { out } of nodes) for (const { to, exact } of out) if (exact) nodes.add(to);
  return [...nodes];
};

/** Explores a model's machine as it runs in the shop. */
export const exploreInShop = (adapter: BrowserAdapter, model: PathModel): { machine: AnyStateMachine; graph: Graph } => {
  const machine = withShopReactions(model.machine, {
    screenPath: getStartPath(adapter, model),
    getReaction: adapter.getReaction,
    isPossible: createIsPossible(adapter),
  });
  const graph = explore(machine, model);
  const isPossible = ({ from, event }: Edge): boolean => createIsPossible(adapter)(from.snapshot, event);
  for (const node of graph.nodes) {
    node.out = node.out.filter(isPossible).map((edge) => (adapter.isLast?.(edge) ? Object.assign(edge, { exact: false }) : edge));
  }
  const nodes = getReachableNodes(graph.start);
  return { machine, graph: { ...graph, nodes, edges: nodes.flatMap(({ out }) => out) } };
};

/** Returns the names of the transitions that a walk takes. */
export const getFiredNames = ({ firedAtStart, steps }: Tour): string[] => [
  ...firedAtStart,
  ...steps.flatMap(({ fired }) => fired.map(getTransitionName)),
];

const planModelTours = (adapter: BrowserAdapter, model: PathModel): Tour[] => {
  const { machine, graph } = exploreInShop(adapter, model);
  const startOfTours = { model, start: graph.start, firedAtStart: graph.firedAtStart.map(getTransitionName) };
  const { tours } = generateTours(graph);
  return (tours.length === 0 ? [[]] : tours).map((steps) => ({ ...startOfTours, steps: withExactSnapshots(machine, steps) }));
};

/**
 * Plans the walks of all models of a machine, those with the most transitions first, without walks
 * that only repeat transitions.
 */
export const planTours = (adapter: BrowserAdapter): Tour[] => {
  const tours = adapter.models.flatMap((model) => planModelTours(adapter, model));
  const coveredNames = new Set<string>();
  return tours
    .toSorted((a, b) => new Set(getFiredNames(b)).size - new Set(getFiredNames(a)).size)
    .filter((tour, index) => {
      const firedNames = getFiredNames(tour);
      const hasNewTransition = firedNames.some((name) => !coveredNames.has(name));
      for (const name of firedNames) coveredNames.add(name);
      // If no transition ever fires, the walk only checks the start.
      return hasNewTransition || index === 0;
    });
};

/** Returns the names of the machine's transitions that are not among `names`. */
export const listUncovered = (adapter: BrowserAdapter, names: Iterable<string>): string[] => {
  const firedNames = new Set(names);
  const [{ machine }] = adapter.models as [PathModel];
  return getTransitions(machine)
    .map(getTransitionName)
    .filter((name) => !firedNames.has(name));
};
