import { join } from 'node:path';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper, type Effect } from '../../machines/paths/stepper.ts';
import { walkRandomly } from '../../machines/paths/walk.ts';
import { getTransitionName, getAllStateNodes, getTransitions } from '../../machines/paths/transitions.ts';
import { hashText } from '../../machines/paths/hash.ts';
import { unredacted, diffContexts, keepOrDigest, MAX_CONTEXT_CHARS, toPlain } from '../../machines/trace/plain.ts';
import { getCaseDescription } from '../../machines/path-models/description.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/**
 * Maximum length of a value's JSON, in characters; longer ones are replaced by a hash, which still
 * shows changes but keeps lines readable.
 */
const MAX_JSON_CHARS = 240;

const toShortJson = (value: unknown): string => JSON.stringify(keepOrDigest(toPlain(value), MAX_JSON_CHARS));

const formatState = ({ value }: AnyMachineSnapshot): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Names kinds of snapshots by their state, with a number if a state has several. */
const nameNodes = ({ nodes }: Graph): Map<Node, string> => {
  const counts = new Map<string, number>();
  return new Map(
    nodes.map((node) => {
      const state = formatState(node.snapshot);
      const count = (counts.get(state) ?? 0) + 1;
      counts.set(state, count);
      return [node, count === 1 ? state : `${state} (${count})`];
    }),
  );
};

const formatEvent = ({ type, ...payload }: Edge['event'], cases: PathModel['cases']): string => {
  const matchingCase = (cases?.[type] ?? []).find((each) => JSON.stringify(each) === JSON.stringify(payload));
  const text =
    (matchingCase && getCaseDescription(matchingCase)) || (Object.keys(payload).length === 0 ? '' : toShortJson(payload));
  return text === '' ? type : `${type}: ${text}`;
};

/** XState's names of an event's receivers. */
const receiverNames: Readonly<Record<string, string>> = { '#_parent': 'parent', '#_internal': 'itself' };

const formatEffect = (effect: Effect): string => {
  if (effect.kind === 'start') return `start ${effect.id}${effect.input === undefined ? '' : ` ${toShortJson(effect.input)}`}`;
  if (effect.kind === 'stop') return `stop ${effect.id}`;
  if (effect.kind === 'action') return `do ${effect.type} ${toShortJson(effect.params)}`;
  return `send ${receiverNames[effect.to] ?? effect.to} ${toShortJson(effect.event)}${effect.delay === undefined ? '' : ` after ${effect.delay} ms`}`;
};

const formatContextChanges = (previousSnapshot: AnyMachineSnapshot | null, snapshot: AnyMachineSnapshot): string[] =>
  Object.entries(
    diffContexts(
      (previousSnapshot?.context ?? {}) as object as Record<string, unknown>,
      snapshot.context as Record<string, unknown>,
      unredacted,
      MAX_CONTEXT_CHARS,
    ),
  ).map(([key, value]) => `${key} = ${toShortJson(value)}`);

/**
 * The effect of a case of an event. `key` is the same for the same transitions and case; `outcome`
 * is the context changes and effects.
 */
type CaseEffect = { key: string; outcome: readonly string[]; lines: string[] };

/** Outcomes by the key of their `CaseEffect`. */
type Outcomes = Map<string, Set<string>>;

const addOutcome = (outcomes: Outcomes, key: string, outcome: readonly string[]): void => {
  outcomes.set(key, (outcomes.get(key) ?? new Set()).add(outcome.join('\n')));
};

/**
 * Limits of the random walks, which reach contexts that take several steps, such as the remains of
 * a failure after the retry: the number of walks, the length of each, and the sum of their steps.
 */
const WALK_LIMITS = { count: 40, length: 60, steps: 300 };

/**
 * A machine's behaviour from one start: each kind of snapshot, and the effect of each case of each
 * event there. A result that the same transitions had for the same case before (`knownKeys`) is
 * only hashed.
 */
const describeModel = (
  model: PathModel,
  knownKeys: Set<string>,
  exploredOutcomes: Outcomes,
  walkOutcomes: Outcomes,
): string[] => {
  const { machine, startInstruction, input, cases = {} } = model;
  const graph = explore(machine, model);
  const names = nameNodes(graph);
  const stepper = createStepper(machine);
  const initialStep = stepper.start(input);
  const formatTags = ({ snapshot }: Node): string =>
    [...snapshot.tags]
      .toSorted()
      .map((tag) => ` [${tag}]`)
      .join('');
  const formatEnd = ({ snapshot: { status, output } }: Node): string => {
    if (status !== 'done') return '';
    return output === undefined ? ', which ends' : `, which ends with ${toShortJson(output)}`;
  };
  const describeCase = ({ from, to, event, fired }: Edge, target: string): CaseEffect => {
    const title = `  ${formatEvent(event, cases)}`;
    if (fired.length === 0) return { key: `${formatState(from.snapshot)} ${title}`, outcome: [], lines: [`${title}: nothing`] };
    const { snapshot, effects } = stepper.step(from.snapshot, event);
    const transitionNames = fired.map(getTransitionName).join(', ');
    const outcome = [...formatContextChanges(from.snapshot, snapshot), ...effects.map(formatEffect)];
    const lines = [`${title} -> ${target}`, `    by ${transitionNames}`, ...outcome.map((line) => `    ${line}`)];
    return { key: `${transitionNames} ${title}`, outcome: [...outcome, formatEnd(to)], lines };
  };
  const formatNode = (node: Node): string[] => {
    const caseEffects = node.out.map((edge) => describeCase(edge, names.get(edge.to) ?? ''));
    for (const { key, outcome } of caseEffects) addOutcome(exploredOutcomes, key, outcome);
    const repeatedCases = caseEffects.filter(({ key }) => knownKeys.has(key)).map(({ key, lines }) => ({ key, lines }));
    const newCases = caseEffects.filter(({ key }) => !knownKeys.has(key));
    for (const { key } of newCases) knownKeys.add(key);
    return [
      '',
      `${names.get(node) ?? ''}${formatTags(node)}${formatEnd(node)}`,
      ...newCases.flatMap(({ lines }) => lines),
      ...(repeatedCases.length === 0
        ? []
        : [`  ${repeatedCases.length} as above: ${hashText(JSON.stringify(repeatedCases)).toString(36)}`]),
    ];
  };
  for (let seed = 1, steps = 0; seed <= WALK_LIMITS.count && steps < WALK_LIMITS.steps; seed += 1) {
    const edges = walkRandomly(machine, { seed, length: WALK_LIMITS.length, cases, input });
    steps += Math.max(1, edges.length);
    for (const edge of edges) {
      const { key, outcome } = describeCase(edge, '');
      addOutcome(walkOutcomes, key, outcome);
    }
  }
  return [
    '',
    `Start: ${startInstruction} -> ${names.get(graph.start) ?? ''}`,
    ...[...formatContextChanges(null, initialStep.snapshot), ...initialStep.effects.map(formatEffect)].map((line) => `  ${line}`),
    ...graph.nodes.flatMap(formatNode),
  ];
};

/**
 * Outcomes found only by random walks: the key of each, the number of its other outcomes, and their
 * hash.
 */
const formatFurtherOutcomes = (exploredOutcomes: Outcomes, walkOutcomes: Outcomes): string[] =>
  [...walkOutcomes]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, outcomes]) => {
      const furtherOutcomes = [...outcomes].filter((outcome) => !exploredOutcomes.get(key)?.has(outcome)).toSorted();
      const hash = hashText(JSON.stringify(furtherOutcomes)).toString(36);
      return furtherOutcomes.length === 0 ? [] : [`  ${key.replace('   ', ', ')}: ${furtherOutcomes.length} further, ${hash}`];
    });

/**
 * A machine's behaviour as text. For each start and each kind of snapshot: the target of each
 * event, its transitions, the context changes, and effects (started, stopped, sent); then outcomes
 * that only longer paths have. Two machines whose observable behaviour differs on these paths have
 * different texts.
 */
export const describeMachine = (name: string, starts: readonly PathModel[]): string => {
  const knownKeys = new Set<string>();
  const exploredOutcomes: Outcomes = new Map();
  const walkOutcomes: Outcomes = new Map();
  const texts = starts.flatMap((start) => describeModel(start, knownKeys, exploredOutcomes, walkOutcomes));
  const furtherLines = formatFurtherOutcomes(exploredOutcomes, walkOutcomes);
  const footer = furtherLines.length === 0 ? [] : ['', 'On longer ways, by', ...furtherLines];
  return `${[`# ${name}`, ...texts, ...footer].join('\n')}\n`;
};

/** Whether a machine has no actors, guards or actions: its definition is its whole behaviour. */
const isEmptyMachine = (machine: AnyStateMachine): boolean =>
  getAllStateNodes(machine).every(({ invoke, entry, exit }) => invoke.length + entry.length + exit.length === 0) &&
  getTransitions(machine).every(({ guard, actions }) => guard === undefined && actions.length === 0);

/** The machines whose behaviour must be approved. */
export const selectMachines = (modelsByMachine: Iterable<[string, PathModel[]]>): [string, PathModel[]][] =>
  [...modelsByMachine].filter(([, [first]]) => first !== undefined && !isEmptyMachine(first.machine));

/** The folder of the approved behaviour texts. */
export const approvedFolder = join(import.meta.dirname, '../../tests/approved');

/** The file of a machine's approved behaviour. */
export const getApprovedFile = (name: string): string => join(approvedFolder, `${name}.txt`);
