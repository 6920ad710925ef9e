import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { toursOf } from '../../machines/paths/tour.ts';
import { nameOf, transitionsOf } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { inShop, routeAt } from './in-shop.ts';
import { portSettledBy } from './settle.ts';
import type { Stage } from './stage.ts';

/** A tour to be played: from the start of a model through its steps. */
export type Tour = { model: PathModel; start: Node; firedAtStart: string[]; steps: Edge[] };

/** The same steps, each leading to the very snapshot that it reaches: an exploration lets one of a kind stand for all. */
const exactly = (machine: AnyStateMachine, steps: Edge[]): Edge[] => {
  const stepper = createStepper(machine);
  return steps.map((edge) =>
    edge.exact ? edge : { ...edge, to: { ...edge.to, snapshot: stepper.step(edge.from.snapshot, edge.event).snapshot } },
  );
};

/** An event that only its name is known of cannot be acted out on the wire. */
const isWhole = ({ ports }: Stage, event: AnyEventObject): boolean =>
  !(event.type.startsWith('xstate.error.') && event['error'] === undefined && (portSettledBy(event) ?? '') in ports) &&
  !(event.type === 'session.changed' && event['userId'] === undefined);

/** Who is no customer cannot sign out, and hears nothing of it. */
const isNews = (snapshot: { context: unknown }, event: AnyEventObject): boolean =>
  event.type !== 'session.changed' ||
  (event['userId'] ?? null) !== null ||
  ((snapshot.context as { signedIn?: boolean }).signedIn !== false && (snapshot.context as { userId?: unknown }).userId !== null);

export const addressOf = (stage: Stage, model: PathModel): string => stage.address(model.input as never);

/** Whether somebody is signed in when a tour of the model starts. */
export const startsSignedIn = (stage: Stage, model: PathModel): boolean => {
  if (stage.startsSignedIn) return stage.startsSignedIn(model);
  const { signedIn, userId } = (model.input ?? {}) as { signedIn?: boolean; userId?: string | null };
  return signedIn === true || typeof userId === 'string' || routeAt(addressOf(stage, model)).access === 'login';
};

const isPossibleOn =
  (stage: Stage) =>
  (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
    isWhole(stage, event) && isNews(snapshot, event) && (stage.isPossible?.(snapshot, event) ?? true);

const reachedFrom = (start: Node): Node[] => {
  const nodes = new Set([start]);
  for (const { out } of nodes) for (const { to, exact } of out) if (exact) nodes.add(to);
  return [...nodes];
};

/** A machine from one of its starts, as it runs in the shop, and what can be done there. */
export const exploreInShop = (stage: Stage, model: PathModel): { machine: AnyStateMachine; graph: Graph } => {
  const machine = inShop(model.machine, {
    at: addressOf(stage, model),
    reacts: stage.reacts,
    isPossible: isPossibleOn(stage),
  });
  const graph = explore(machine, model);
  const isPossible = ({ from, event }: Edge): boolean => isPossibleOn(stage)(from.snapshot, event);
  for (const node of graph.nodes) {
    node.out = node.out.filter(isPossible).map((edge) => (stage.isLast?.(edge) ? Object.assign(edge, { exact: false }) : edge));
  }
  const nodes = reachedFrom(graph.start);
  return { machine, graph: { ...graph, nodes, edges: nodes.flatMap(({ out }) => out) } };
};

export const firedBy = ({ firedAtStart, steps }: Tour): string[] => [
  ...firedAtStart,
  ...steps.flatMap(({ fired }) => fired.map(nameOf)),
];

const toursOfModel = (stage: Stage, model: PathModel): Tour[] => {
  const { machine, graph } = exploreInShop(stage, model);
  const common = { model, start: graph.start, firedAtStart: graph.firedAtStart.map(nameOf) };
  const { tours } = toursOf(graph);
  return (tours.length === 0 ? [[]] : tours).map((steps) => ({ ...common, steps: exactly(machine, steps) }));
};

/** Tours of all models of a machine, the longest first; what goes where others went already is left out. */
export const planTours = (stage: Stage): Tour[] => {
  const all = stage.models.flatMap((model) => toursOfModel(stage, model));
  const seen = new Set<string>();
  return all
    .toSorted((a, b) => new Set(firedBy(b)).size - new Set(firedBy(a)).size)
    .filter((tour, at) => {
      const fired = firedBy(tour);
      const isNew = fired.some((name) => !seen.has(name));
      for (const name of fired) seen.add(name);
      // Where nothing ever fires, that its start is seen is the tour.
      return isNew || at === 0;
    });
};

/** Transitions of a machine that the names leave out. */
export const uncoveredBy = (stage: Stage, names: Iterable<string>): string[] => {
  const fired = new Set(names);
  const [{ machine }] = stage.models as [PathModel];
  return transitionsOf(machine)
    .map(nameOf)
    .filter((name) => !fired.has(name));
};
