import { join } from 'node:path';
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { explore, type Edge, type Graph, type Node } from '../../machines/paths/explore.ts';
import { createStepper, type Effect } from '../../machines/paths/stepper.ts';
import { nameOf, stateNodesOf, transitionsOf } from '../../machines/paths/transitions.ts';
import { differences, asIs, hashOf, kept, plainOf } from '../../machines/trace/plain.ts';
import { caseDescription } from '../../tests/support/description.ts';
import type { PathModel } from '../../tests/support/path-model.ts';

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
    differences((before?.context ?? {}) as object as Record<string, unknown>, after.context as Record<string, unknown>, asIs),
  ).map(([key, value]) => `${key} = ${written(value)}`);

/** What a case of an event does; `key` is the same where the same transitions take the same case. */
type Way = { key: string; lines: string[] };

/**
 * A machine's behaviour from one start: each kind of snapshot, and what each case of each event does there. What the same
 * transitions make of the same case elsewhere (`seen`) is only hashed.
 */
const behaviourFrom = (model: PathModel, seen: Set<string>): string[] => {
  const { machine, given, input, cases } = model;
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
  const wayOf = (node: Node, edge: Edge): Way => {
    const title = `  ${eventText(edge.event, cases)}`;
    if (edge.fired.length === 0) return { key: `${stateOf(node.snapshot)} ${title}`, lines: [`${title}: nothing`] };
    const { snapshot, effects } = stepper.step(node.snapshot, edge.event);
    const by = edge.fired.map(nameOf).join(', ');
    const outcome = [...contextLines(node.snapshot, snapshot), ...effects.map(effectText)].map((line) => `    ${line}`);
    return { key: `${by} ${title}`, lines: [`${title} -> ${names.get(edge.to) ?? ''}`, `    by ${by}`, ...outcome] };
  };
  const block = (node: Node): string[] => {
    const ways = node.out.map((edge) => wayOf(node, edge));
    const further = ways.filter(({ key }) => seen.has(key));
    const fresh = ways.filter(({ key }) => !seen.has(key));
    for (const { key } of fresh) seen.add(key);
    return [
      '',
      `${names.get(node) ?? ''}${tags(node)}${end(node)}`,
      ...fresh.flatMap(({ lines }) => lines),
      ...(further.length === 0 ? [] : [`  ${further.length} as above: ${hashOf(JSON.stringify(further)).toString(36)}`]),
    ];
  };
  return [
    '',
    `Start: ${given} -> ${names.get(graph.start) ?? ''}`,
    ...[...contextLines(null, started.snapshot), ...started.effects.map(effectText)].map((line) => `  ${line}`),
    ...graph.nodes.flatMap(block),
  ];
};

/**
 * What a machine does, as text: for each start and each kind of snapshot, what each event leads to, the transitions that
 * take it, what changes in the context, and what is started, stopped and sent. Two machines that differ in anything that
 * can be seen on these ways have different texts.
 */
export const behaviourOf = (name: string, starts: readonly PathModel[]): string => {
  const seen = new Set<string>();
  return `${[`# ${name}`, ...starts.flatMap((start) => behaviourFrom(start, seen))].join('\n')}\n`;
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
