import type { AnyStateMachine } from 'xstate';
import { explore, type Edge, type ExploreOptions, type Graph, type Node } from './explore.ts';
import { brokenIn, isPending, memoryOf, type Rule, type Verdict } from './rules.ts';
import { underWay } from './waiting.ts';

/** A rule that does not hold: a shortest path that shows it, from the machine's start, and what is wrong at its end. */
export type Counterexample = { rule: string; says: string; steps: Edge[] };

export type CheckOptions = ExploreOptions & {
  /** Whether an event is something that a customer does. */
  isPress?: (type: string) => boolean;
};

const isAnswer = ({ event: { type } }: Edge): boolean => /^xstate\.(done|error)\.actor\./.test(type);

const isTaken = ({ fired }: Edge): boolean => fired.length > 0;

/** The way on which each node was found; every edge of it leads to the very snapshot that it reaches. */
const wayTo = (graph: Graph): ((node: Node) => Edge[]) => {
  const cameBy = new Map<Node, Edge>();
  for (const edge of graph.edges) if (edge.exact && edge.to !== graph.start && !cameBy.has(edge.to)) cameBy.set(edge.to, edge);
  return (node) => {
    const way: Edge[] = [];
    for (let edge = cameBy.get(node); edge; edge = cameBy.get(edge.from)) way.unshift(edge);
    return way;
  };
};

/** Nodes from which some way leads to a node that is wanted. */
const leadingTo = (nodes: readonly Node[], isWanted: (node: Node) => boolean): Set<Node> => {
  const leading = new Set(nodes.filter(isWanted));
  for (let size = -1; size !== leading.size;) {
    size = leading.size;
    for (const node of nodes) if (node.out.some(({ to }) => leading.has(to))) leading.add(node);
  }
  return leading;
};

/** An answer that leads on. One that leaves its machine where it is, which asked once, does not come again. */
const isAnswered = (edge: Edge): boolean => isAnswer(edge) && edge.fired.some(({ target }) => target !== undefined);

/** Nodes from which answers alone may lead round for ever, among these. */
const circling = (nodes: readonly Node[]): Set<Node> => {
  const left = new Set(nodes);
  const goesOn = ({ out }: Node): boolean => out.some((edge) => isAnswered(edge) && left.has(edge.to));
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const node of left) if (!goesOn(node)) left.delete(node);
  }
  return left;
};

const sentenceOf = (verdict: Verdict): string => (typeof verdict === 'string' ? verdict : '');

/** Why a pending end is not reached from a snapshot; null where it is. */
const stuckIn = (graph: Graph, at: number, isPress: (type: string) => boolean): { node: Node; says: string } | null => {
  const pending = graph.nodes.filter(({ memory }) => isPending(memory, at));
  const leading = leadingTo(graph.nodes, ({ memory }) => !isPending(memory, at));
  const round = circling(pending);
  for (const node of pending) {
    if (!leading.has(node)) return { node, says: 'from here no way leads there any more' };
    const isMoved = underWay(node.snapshot).length > 0 || node.out.some((edge) => isPress(edge.event.type) && isTaken(edge));
    if (!isMoved) return { node, says: 'here nothing goes on, and nobody can press anything' };
    if (round.has(node)) return { node, says: 'from here answers alone may lead round for ever' };
  }
  return null;
};

/** Explores a machine, and says which of the rules do not hold on its paths, and where it throws. An empty list: all hold. */
export const checkRules = (machine: AnyStateMachine, rules: readonly Rule[], options: CheckOptions = {}): Counterexample[] => {
  const { isPress = () => true, ...others } = options;
  const graph = explore(machine, { ...others, memory: memoryOf(rules) });
  const way = wayTo(graph);
  const shown = (rule: Rule, node: Node, says: string): Counterexample => ({ rule: rule.name, says, steps: way(node) });
  const thrown = graph.failures.slice(0, 1).map(({ state, event, error }): Counterexample => {
    return { rule: 'no step throws', says: `${state}, ${event.type}: ${String(error)}`, steps: [] };
  });
  const broken = rules.flatMap((rule, at): Counterexample[] => {
    if (rule.kind === 'leadsTo') {
      const stuck = stuckIn(graph, at, isPress);
      return stuck === null ? [] : [shown(rule, stuck.node, stuck.says)];
    }
    for (const node of graph.nodes) {
      if (rule.kind === 'steps') {
        const broken = brokenIn(node.memory).find((each) => each.at === at);
        if (broken) return [shown(rule, node, broken.says)];
      } else {
        const verdict = rule.check(node.snapshot, node.out);
        if (verdict !== true) return [shown(rule, node, sentenceOf(verdict))];
      }
    }
    return [];
  });
  return [...thrown, ...broken];
};
