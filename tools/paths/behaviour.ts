import { join } from 'node:path';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper, type Effect } from '../../machines/paths/stepper.ts';
import { walkRandomly } from '../../machines/paths/walk.ts';
import { getTransitionName, getAllStateNodes, getTransitions } from '../../machines/paths/transitions.ts';
import { hashText } from '../../machines/paths/hash.ts';
import { unredacted, diffContexts, keepOrDigest, MAX_CONTEXT_CHARS, toPlain } from '../../machines/trace/plain.ts';
import { caseDescription } from '../../machines/path-models/description.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/**
 * Maximum length of a value's JSON, in characters; longer ones are replaced by a hash, which still
 * shows changes but keeps lines readable.
 */
const MAX_JSON_CHARS = 240;

const toShortJson = (value: unknown): string => JSON.stringify(keepOrDigest(toPlain(value), MAX_JSON_CHARS));

const stateText = ({ value }: AnyMachineSnapshot): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Names kinds of snapshots by their state, with a number if a state has several. */
const nameNodes = ({ nodes }: Graph): Map<Node, string> => {
  const counts = new Map<string, number>();
  return new Map(
    nodes.map((node) => {
      const state = stateText(node.snapshot);
      const count = (counts.get(state) ?? 0) + 1;
      counts.set(state, count);
      return [node, count === 1 ? state : `${state} (${count})`];
    }),
  );
};

const eventText = ({ type, ...payload }: Edge['event'], cases: PathModel['cases']): string => {
  const same = (cases?.[type] ?? []).find((each) => JSON.stringify(each) === JSON.stringify(payload));
  const text = (same && caseDescription(same)) || (Object.keys(payload).length === 0 ? '' : toShortJson(payload));
  return text === '' ? type : `${type}: ${text}`;
};

/** XState's names of an event's receivers. */
const receiverNames: Readonly<Record<string, string>> = { '#_parent': 'parent', '#_internal': 'itself' };

const effectText = (effect: Effect): string => {
  if (effect.kind === 'start') return `start ${effect.id}${effect.input === undefined ? '' : ` ${toShortJson(effect.input)}`}`;
  if (effect.kind === 'stop') return `stop ${effect.id}`;
  if (effect.kind === 'action') return `do ${effect.type} ${toShortJson(effect.params)}`;
  return `send ${receiverNames[effect.to] ?? effect.to} ${toShortJson(effect.event)}${effect.delay === undefined ? '' : ` after ${effect.delay} ms`}`;
};

const contextLines = (before: AnyMachineSnapshot | null, after: AnyMachineSnapshot): string[] =>
  Object.entries(
    diffContexts(
      (before?.context ?? {}) as object as Record<string, unknown>,
      after.context as Record<string, unknown>,
      unredacted,
      MAX_CONTEXT_CHARS,
    ),
  ).map(([key, value]) => `${key} = ${toShortJson(value)}`);

/**
 * The effect of a case of an event. `key` is the same for the same transitions and case; `outcome`
 * is the context changes and effects.
 */
type CaseEffect = { key: string; outcome: readonly string[]; lines: string[] };

/** Outcomes by the key of their `Way`. */
type Outcomes = Map<string, Set<string>>;

const addOutcome = (outcomes: Outcomes, key: string, outcome: readonly string[]): void => {
  outcomes.set(key, (outcomes.get(key) ?? new Set()).add(outcome.join('\n')));
};

/**
 * Random walks reach contexts that take several steps, such as the remains of a failure after the
 * retry.
 */
const WALK_LIMITS = { most: 40, length: 60, steps: 300 };

/**
 * A machine's behaviour from one start: each kind of snapshot, and the effect of each case of each
 * event there. A result that the same transitions had for the same case before (`seen`) is only
 * hashed.
 */
const describeModel = (model: PathModel, seen: Set<string>, explored: Outcomes, walked: Outcomes): string[] => {
  const { machine, given, input, cases = {} } = model;
  const graph = explore(machine, model);
  const names = nameNodes(graph);
  const stepper = createStepper(machine);
  const started = stepper.start(input);
  const tags = ({ snapshot }: Node): string =>
    [...snapshot.tags]
      .toSorted()
      .map((tag) => ` [${tag}]`)
      .join('');
  const end = ({ snapshot: { status, output } }: Node): string => {
    if (status !== 'done') return '';
    return output === undefined ? ', which ends' : `, which ends with ${toShortJson(output)}`;
  };
  const wayOf = ({ from, to, event, fired }: Edge, target: string): CaseEffect => {
    const title = `  ${eventText(event, cases)}`;
    if (fired.length === 0) return { key: `${stateText(from.snapshot)} ${title}`, outcome: [], lines: [`${title}: nothing`] };
    const { snapshot, effects } = stepper.step(from.snapshot, event);
    const by = fired.map(getTransitionName).join(', ');
    const outcome = [...contextLines(from.snapshot, snapshot), ...effects.map(effectText)];
    const lines = [`${title} -> ${target}`, `    by ${by}`, ...outcome.map((line) => `    ${line}`)];
    return { key: `${by} ${title}`, outcome: [...outcome, end(to)], lines };
  };
  const block = (node: Node): string[] => {
    const ways = node.out.map((edge) => wayOf(edge, names.get(edge.to) ?? ''));
    for (const { key, outcome } of ways) addOutcome(explored, key, outcome);
    const further = ways.filter(({ key }) => seen.has(key)).map(({ key, lines }) => ({ key, lines }));
    const fresh = ways.filter(({ key }) => !seen.has(key));
    for (const { key } of fresh) seen.add(key);
    return [
      '',
      `${names.get(node) ?? ''}${tags(node)}${end(node)}`,
      ...fresh.flatMap(({ lines }) => lines),
      ...(further.length === 0 ? [] : [`  ${further.length} as above: ${hashText(JSON.stringify(further)).toString(36)}`]),
    ];
  };
  for (let seed = 1, steps = 0; seed <= WALK_LIMITS.most && steps < WALK_LIMITS.steps; seed += 1) {
    const edges = walkRandomly(machine, { seed, length: WALK_LIMITS.length, cases, input });
    steps += Math.max(1, edges.length);
    for (const edge of edges) {
      const { key, outcome } = wayOf(edge, '');
      addOutcome(walked, key, outcome);
    }
  }
  return [
    '',
    `Start: ${given} -> ${names.get(graph.start) ?? ''}`,
    ...[...contextLines(null, started.snapshot), ...started.effects.map(effectText)].map((line) => `  ${line}`),
    ...graph.nodes.flatMap(block),
  ];
};

/**
 * Outcomes found only by random walks: the key of each, the number of its other outcomes, and their
 * hash.
 */
const formatFurtherOutcomes = (explored: Outcomes, walked: Outcomes): string[] =>
  [...walked]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, outcomes]) => {
      const others = [...outcomes].filter((outcome) => !explored.get(key)?.has(outcome)).toSorted();
      const hash = hashText(JSON.stringify(others)).toString(36);
      return others.length === 0 ? [] : [`  ${key.replace('   ', ', ')}: ${others.length} further, ${hash}`];
    });

/**
 * A machine's behaviour as text. For each start and each kind of snapshot: the target of each
 * event, its transitions, the context changes, and effects (started, stopped, sent); then outcomes
 * that only longer paths have. Two machines whose observable behaviour differs on these paths have
 * different texts.
 */
export const describeMachine = (name: string, starts: readonly PathModel[]): string => {
  const seen = new Set<string>();
  const explored: Outcomes = new Map();
  const walked: Outcomes = new Map();
  const texts = starts.flatMap((start) => describeModel(start, seen, explored, walked));
  const further = formatFurtherOutcomes(explored, walked);
  const longer = further.length === 0 ? [] : ['', 'On longer ways, by', ...further];
  return `${[`# ${name}`, ...texts, ...longer].join('\n')}\n`;
};

/** Whether a machine has no actors, guards or context: its definition is its whole behaviour. */
const isEmptyMachine = (machine: AnyStateMachine): boolean =>
  getAllStateNodes(machine).every(({ invoke, entry, exit }) => invoke.length + entry.length + exit.length === 0) &&
  getTransitions(machine).every(({ guard, actions }) => guard === undefined && actions.length === 0);

/** The machines whose behaviour must be approved. */
export const selectMachines = (startsOf: Iterable<[string, PathModel[]]>): [string, PathModel[]][] =>
  [...startsOf].filter(([, [first]]) => first !== undefined && !isEmptyMachine(first.machine));

/** The folder of the approved behaviour texts. */
export const approvedFolder = join(import.meta.dirname, '../../tests/approved');

/** The file of a machine's approved behaviour. */
export const getApprovedFile = (name: string): string => join(approvedFolder, `${name}.txt`);
