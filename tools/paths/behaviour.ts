import { join } from 'node:path';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper, type Effect } from '../../machines/paths/stepper.ts';
import { walk } from '../../machines/paths/walk.ts';
import { nameOf, stateNodesOf, transitionsOf } from '../../machines/paths/transitions.ts';
import { hashOf } from '../../machines/paths/hash.ts';
import { asIs, differences, kept, longestInContext, plainOf } from '../../machines/trace/plain.ts';
import { caseDescription } from '../../machines/path-models/description.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/** Characters of JSON above which a value is written by its hash: a change still shows, and a line can be read. */
const longest = 240;

const written = (value: unknown): string => JSON.stringify(kept(plainOf(value), longest));

const stateOf = ({ value }: AnyMachineSnapshot): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Kinds of snapshots are told apart by their state, and by a number where a state has several. */
const namesOf = ({ nodes }: Graph): Map<Node, string> => {
  const counts = new Map<string, number>();
  return new Map(
    nodes.map((node) => {
      const state = stateOf(node.snapshot);
      const count = (counts.get(state) ?? 0) + 1;
      counts.set(state, count);
      return [node, count === 1 ? state : `${state} (${count})`];
    }),
  );
};

const eventText = ({ type, ...payload }: Edge['event'], cases: PathModel['cases']): string => {
  const same = (cases?.[type] ?? []).find((each) => JSON.stringify(each) === JSON.stringify(payload));
  const text = (same && caseDescription(same)) || (Object.keys(payload).length === 0 ? '' : written(payload));
  return text === '' ? type : `${type}: ${text}`;
};

/** XState's names for whom an event is sent to. */
const receivers: Readonly<Record<string, string>> = { '#_parent': 'parent', '#_internal': 'itself' };

const effectText = (effect: Effect): string => {
  if (effect.kind === 'start') return `start ${effect.id}${effect.input === undefined ? '' : ` ${written(effect.input)}`}`;
  if (effect.kind === 'stop') return `stop ${effect.id}`;
  if (effect.kind === 'action') return `do ${effect.type} ${written(effect.params)}`;
  return `send ${receivers[effect.to] ?? effect.to} ${written(effect.event)}${effect.delay === undefined ? '' : ` after ${effect.delay} ms`}`;
};

const contextLines = (before: AnyMachineSnapshot | null, after: AnyMachineSnapshot): string[] =>
  Object.entries(
    differences(
      (before?.context ?? {}) as object as Record<string, unknown>,
      after.context as Record<string, unknown>,
      asIs,
      longestInContext,
    ),
  ).map(([key, value]) => `${key} = ${written(value)}`);

/**
 * What a case of an event does; `key` is the same where the same transitions take the same case, `outcome` is what changes
 * and what is told.
 */
type Way = { key: string; outcome: readonly string[]; lines: string[] };

/** Outcomes of ways, by their keys. */
type Outcomes = Map<string, Set<string>>;

const noteIn = (outcomes: Outcomes, key: string, outcome: readonly string[]): void => {
  outcomes.set(key, (outcomes.get(key) ?? new Set()).add(outcome.join('\n')));
};

/** Random walks meet contexts that take several steps to come about, such as what is left of a failure after the retry. */
const walks = { most: 40, length: 60, steps: 300 };

/**
 * A machine's behaviour from one start: each kind of snapshot, and what each case of each event does there. What the same
 * transitions make of the same case elsewhere (`seen`) is only hashed.
 */
const behaviourFrom = (model: PathModel, seen: Set<string>, explored: Outcomes, walked: Outcomes): string[] => {
  const { machine, given, input, cases = {} } = model;
  const graph = explore(machine, model);
  const names = namesOf(graph);
  const stepper = createStepper(machine);
  const started = stepper.start(input);
  const tags = ({ snapshot }: Node): string =>
    [...snapshot.tags]
      .toSorted()
      .map((tag) => ` [${tag}]`)
      .join('');
  const end = ({ snapshot: { status, output } }: Node): string => {
    if (status !== 'done') return '';
    return output === undefined ? ', which ends' : `, which ends with ${written(output)}`;
  };
  const wayOf = ({ from, to, event, fired }: Edge, target: string): Way => {
    const title = `  ${eventText(event, cases)}`;
    if (fired.length === 0) return { key: `${stateOf(from.snapshot)} ${title}`, outcome: [], lines: [`${title}: nothing`] };
    const { snapshot, effects } = stepper.step(from.snapshot, event);
    const by = fired.map(nameOf).join(', ');
    const outcome = [...contextLines(from.snapshot, snapshot), ...effects.map(effectText)];
    const lines = [`${title} -> ${target}`, `    by ${by}`, ...outcome.map((line) => `    ${line}`)];
    return { key: `${by} ${title}`, outcome: [...outcome, end(to)], lines };
  };
  const block = (node: Node): string[] => {
    const ways = node.out.map((edge) => wayOf(edge, names.get(edge.to) ?? ''));
    for (const { key, outcome } of ways) noteIn(explored, key, outcome);
    const further = ways.filter(({ key }) => seen.has(key)).map(({ key, lines }) => ({ key, lines }));
    const fresh = ways.filter(({ key }) => !seen.has(key));
    for (const { key } of fresh) seen.add(key);
    return [
      '',
      `${names.get(node) ?? ''}${tags(node)}${end(node)}`,
      ...fresh.flatMap(({ lines }) => lines),
      ...(further.length === 0 ? [] : [`  ${further.length} as above: ${hashOf(JSON.stringify(further)).toString(36)}`]),
    ];
  };
  for (let seed = 1, steps = 0; seed <= walks.most && steps < walks.steps; seed += 1) {
    const edges = walk(machine, { seed, length: walks.length, cases, input });
    steps += Math.max(1, edges.length);
    for (const edge of edges) {
      const { key, outcome } = wayOf(edge, '');
      noteIn(walked, key, outcome);
    }
  }
  return [
    '',
    `Start: ${given} -> ${names.get(graph.start) ?? ''}`,
    ...[...contextLines(null, started.snapshot), ...started.effects.map(effectText)].map((line) => `  ${line}`),
    ...graph.nodes.flatMap(block),
  ];
};

/** Where walks find what no kind of snapshot shows: the way, how many other outcomes it has, and their hash. */
const furtherOutcomes = (explored: Outcomes, walked: Outcomes): string[] =>
  [...walked]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, outcomes]) => {
      const others = [...outcomes].filter((outcome) => !explored.get(key)?.has(outcome)).toSorted();
      const hash = hashOf(JSON.stringify(others)).toString(36);
      return others.length === 0 ? [] : [`  ${key.replace('   ', ', ')}: ${others.length} further, ${hash}`];
    });

/**
 * What a machine does, as text: for each start and each kind of snapshot, what each event leads to, the transitions that
 * take it, what changes in the context, and what is started, stopped and sent; then what comes out otherwise on longer
 * ways. Two machines that differ in anything that can be seen on these ways have different texts.
 */
export const behaviourOf = (name: string, starts: readonly PathModel[]): string => {
  const seen = new Set<string>();
  const explored: Outcomes = new Map();
  const walked: Outcomes = new Map();
  const texts = starts.flatMap((start) => behaviourFrom(start, seen, explored, walked));
  const further = furtherOutcomes(explored, walked);
  const longer = further.length === 0 ? [] : ['', 'On longer ways, by', ...further];
  return `${[`# ${name}`, ...texts, ...longer].join('\n')}\n`;
};

/** A machine that asks for nothing, decides nothing and keeps nothing: what it does is what stands in it. */
const isBare = (machine: AnyStateMachine): boolean =>
  stateNodesOf(machine).every(({ invoke, entry, exit }) => invoke.length + entry.length + exit.length === 0) &&
  transitionsOf(machine).every(({ guard, actions }) => guard === undefined && actions.length === 0);

/** The machines whose behaviour has to be approved. */
export const toApprove = (startsOf: Iterable<[string, PathModel[]]>): [string, PathModel[]][] =>
  [...startsOf].filter(([, [first]]) => first !== undefined && !isBare(first.machine));

/** The folder of the behaviour that somebody has approved. */
export const approvedFolder = join(import.meta.dirname, '../../tests/approved');

/** The file of a machine's approved behaviour. */
export const approvedFile = (name: string): string => join(approvedFolder, `${name}.txt`);
