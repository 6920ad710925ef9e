import type { AnyStateMachine } from 'xstate';
import { explore, type Edge, type ExploreOptions, type Graph, type Node } from './explore.ts';
import { getBroken, isPending, createMemory, type Rule, type Verdict } from './rules.ts';
import { getPending } from './waiting.ts';

/**
 * A violated rule: a shortest path from the machine's start that shows it, and what is wrong at its
 * end.
 */
export type Counterexample = { rule: string; says: string; steps: Edge[] };

export type CheckOptions = ExploreOptions & {
  /** Whether an event is an action of the customer. */
  isPress?: (type: string) => boolean;
};

const isAnswer = ({ event: { type } }: Edge): boolean => /^xstate\.(done|error)\.actor\./.test(type);

const hasFired = ({ fired }: Edge): boolean => fired.length > 0;

/** The path by which each node was found; all its edges are exact. */
const createPathFinder = (graph: Graph): ((node: Node) => Edge[]) => {
  const cameBy = new Map<Node, Edge>();
  for (const edge of graph.edges) if (edge.exact && edge.to !== graph.start && !cameBy.has(edge.to)) cameBy.set(edge.to, edge);
  return (node) => {
    const way: Edge[] = [];
    for (let edge = cameBy.get(node); edge; edge = cameBy.get(edge.from)) way.unshift(edge);
    return way;
  };
};

/** Nodes from which a path leads to a wanted node. */
const findNodesLeadingTo = (nodes: readonly Node[], isWanted: (node: Node) => boolean): Set<Node> => {
  const leading = new Set(nodes.filter(isWanted));
  for (let size = -1; size !== leading.size;) {
    size = leading.size;
    for (const node of nodes) if (node.out.some(({ to }) => leading.has(to))) leading.add(node);
  }
  return leading;
};

/**
 * An answer that makes progress. An answer without a transition target does not recur, since its
 * request was made once.
 */
const isAnswered = (edge: Edge): boolean => isAnswer(edge) && edge.fired.some(({ target }) => target !== undefined);

/** Those of these nodes from which answers alone may loop forever. */
const findCycles = (nodes: readonly Node[]): Set<Node> => {
  const left = new Set(nodes);
  const goesOn = ({ out }: Node): boolean => out.some((edge) => isAnswered(edge) && left.has(edge.to));
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const node of left) if (!goesOn(node)) left.delete(node);
  }
  return left;
};

const getSentence = (verdict: Verdict): string => (typeof verdict === 'string' ? verdict : '');

/** Why a pending end is not reached from a snapshot; null if it is reached. */
const findStuckNode = (graph: Graph, at: number, isPress: (type: string) => boolean): { node: Node; says: string } | null => {
  const pending = graph.nodes.filter(({ memory }) => isPending(memory, at));
  const leading = findNodesLeadingTo(graph.nodes, ({ memory }) => !isPending(memory, at));
  const round = findCycles(pending);
  for (const node of pending) {
    if (!leading.has(node)) return { node, says: 'no path leads from here to the required state' };
    const isMoved = getPending(node.snapshot).length > 0 || node.out.some((edge) => isPress(edge.event.type) && hasFired(edge));
    if (!isMoved) return { node, says: 'nothing is pending here, and no press is possible' };
    if (round.has(node)) return { node, says: 'answers alone may loop forever from here' };
  }
  return null;
};

/**
 * Explores a machine and returns the rules that its paths violate, and its exceptions. Empty if all
 * rules hold.
 */
export const checkRules = (machine: AnyStateMachine, rules: readonly Rule[], options: CheckOptions = {}): Counterexample[] => {
  const { isPress = () => true, ...others } = options;
  const graph = explore(machine, { ...others, memory: createMemory(rules) });
  const way = createPathFinder(graph);
  const shown = (rule: Rule, node: Node, says: string): Counterexample => ({ rule: rule.name, says, steps: way(node) });
  const thrown = graph.failures.slice(0, 1).map(({ state, event, error }): Counterexample => {
    return { rule: 'no step throws', says: `${state}, ${event.type}: ${String(error)}`, steps: [] };
  });
  const broken = rules.flatMap((rule, at): Counterexample[] => {
    if (rule.kind === 'leadsTo') {
      const stuck = findStuckNode(graph, at, isPress);
      return stuck === null ? [] : [shown(rule, stuck.node, stuck.says)];
    }
    for (const node of graph.nodes) {
      if (rule.kind === 'steps') {
        const broken = getBroken(node.memory).find((each) => each.at === at);
        if (broken) return [shown(rule, node, broken.says)];
      } else {
        const verdict = rule.check(node.snapshot, node.out);
        if (verdict !== true) return [shown(rule, node, getSentence(verdict))];
      }
    }
    return [];
  });
  return [...thrown, ...broken];
};
