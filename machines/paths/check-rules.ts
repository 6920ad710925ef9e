import type { AnyStateMachine } from 'xstate';
import { explore, type Edge, type ExploreOptions, type Graph, type Node } from './explore.ts';
import { getViolations, isPending, createMemory, type Rule, type Verdict } from './rules.ts';
import { getPendingActivities } from './pending-activities.ts';

/**
 * A violated rule: the shortest path from the machine's start that violates it, and a message about
 * the state at the path's end, which may be empty. An exception has its message and no path.
 */
export type Counterexample = { rule: string; message: string; steps: Edge[] };

export type CheckOptions = ExploreOptions & {
  /** Whether an event is an action of the customer. */
  isPress?: (type: string) => boolean;
};

const isAnswer = ({ event: { type } }: Edge): boolean => /^xstate\.(done|error)\.actor\./.test(type);

const hasFired = ({ fired }: Edge): boolean => fired.length > 0;

/** Finds the path by which a node was reached; all edges of the path are exact. */
const createPathFinder = (graph: Graph): ((node: Node) => Edge[]) => {
  const incomingEdges = new Map<Node, Edge>();
  for (const edge of graph.edges) {
    if (edge.exact && edge.to !== graph.start && !incomingEdges.has(edge.to)) incomingEdges.set(edge.to, edge);
  }
  return (node) => {
    const path: Edge[] = [];
    for (let edge = incomingEdges.get(node); edge; edge = incomingEdges.get(edge.from)) path.unshift(edge);
    return path;
  };
};

/** Nodes from which a path leads to a target node, including the targets. */
const findNodesLeadingTo = (nodes: readonly Node[], isTarget: (node: Node) => boolean): Set<Node> => {
  const leadingNodes = new Set(nodes.filter(isTarget));
  for (let size = -1; size !== leadingNodes.size;) {
    size = leadingNodes.size;
    for (const node of nodes) if (node.out.some(({ to }) => leadingNodes.has(to))) leadingNodes.add(node);
  }
  return leadingNodes;
};

/**
 * Whether an edge is an answer of a port that may be part of a cycle. An answer without a
 * transition target does not recur, since its request was made once.
 */
const isAnswered = (edge: Edge): boolean => isAnswer(edge) && edge.fired.some(({ target }) => target !== undefined);

/** The given nodes from which answers alone may loop forever. */
const findCycles = (nodes: readonly Node[]): Set<Node> => {
  const remainingNodes = new Set(nodes);
  const canContinue = ({ out }: Node): boolean => out.some((edge) => isAnswered(edge) && remainingNodes.has(edge.to));
  for (let size = -1; size !== remainingNodes.size;) {
    size = remainingNodes.size;
    for (const node of remainingNodes) if (!canContinue(node)) remainingNodes.delete(node);
  }
  return remainingNodes;
};

const getMessage = (verdict: Verdict): string => (typeof verdict === 'string' ? verdict : '');

/** The first node from which the required state may never be reached, and why; null without one. */
const findStuckNode = (
  graph: Graph,
  ruleIndex: number,
  isPress: (type: string) => boolean,
): { node: Node; message: string } | null => {
  const pendingNodes = graph.nodes.filter(({ memory }) => isPending(memory, ruleIndex));
  const leadingNodes = findNodesLeadingTo(graph.nodes, ({ memory }) => !isPending(memory, ruleIndex));
  const cycleNodes = findCycles(pendingNodes);
  for (const node of pendingNodes) {
    if (!leadingNodes.has(node)) return { node, message: 'no path leads from here to the required state' };
    const canProceed =
      getPendingActivities(node.snapshot).length > 0 || node.out.some((edge) => isPress(edge.event.type) && hasFired(edge));
    if (!canProceed) return { node, message: 'nothing is pending here, and no press is possible' };
    if (cycleNodes.has(node)) return { node, message: 'answers alone may loop forever from here' };
  }
  return null;
};

/**
 * Explores a machine and returns the rules that its paths violate, and its exceptions. Empty
 * if all rules hold and no step throws.
 */
export const checkRules = (machine: AnyStateMachine, rules: readonly Rule[], options: CheckOptions = {}): Counterexample[] => {
  const { isPress = () => true, ...exploreOptions } = options;
  const graph = explore(machine, { ...exploreOptions, memory: createMemory(rules) });
  const getPath = createPathFinder(graph);
  const toCounterexample = (rule: Rule, node: Node, message: string): Counterexample => ({
    rule: rule.name,
    message: message,
    steps: getPath(node),
  });
  const exceptionMessages = new Set(graph.failures.map(({ state, event, error }) => `${state}, ${event.type}: ${String(error)}`));
  const exceptions = [...exceptionMessages].map((message): Counterexample => ({ rule: 'no step throws', message, steps: [] }));
  const violations = rules.flatMap((rule, ruleIndex): Counterexample[] => {
    if (rule.kind === 'leadsTo') {
      const stuck = findStuckNode(graph, ruleIndex, isPress);
      return stuck === null ? [] : [toCounterexample(rule, stuck.node, stuck.message)];
    }
    for (const node of graph.nodes) {
      if (rule.kind === 'steps') {
        const violation = getViolations(node.memory).find((each) => each.at === ruleIndex);
        if (violation) return [toCounterexample(rule, node, violation.message)];
      } else {
        const verdict = rule.check(node.snapshot, node.out);
        if (verdict !== true) return [toCounterexample(rule, node, getMessage(verdict))];
      }
    }
    return [];
  });
  return [...exceptions, ...violations];
};
