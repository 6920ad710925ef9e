import { Session, type Profiler } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { getTransitionName, getAllStateNodes, getTransitions } from '../../machines/paths/transitions.ts';
import type { Replay } from '../../machines/trace/replay.ts';
import type { Mutant } from './mutant.ts';

/**
 * The coverage of a replay: fired transitions, active states, and the executed code of each file.
 */
export type Coverage = { fired: ReadonlySet<string>; active: ReadonlySet<string>; scripts: readonly Profiler.ScriptCoverage[] };

/** Starts counting executions; for files that are loaded later, per block. */
export const startCounting = async (): Promise<Session> => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
};

const getActiveStates = (prefix: string, value: unknown): string[] => {
  if (typeof value === 'string') return [`${prefix}.${value}`];
  return Object.entries(value as object).flatMap(([key, child]) => [
    `${prefix}.${key}`,
    ...getActiveStates(`${prefix}.${key}`, child),
  ]);
};

const getMachine = (snapshot: unknown): AnyStateMachine | undefined => (snapshot as { machine?: AnyStateMachine }).machine;

/** Replays, and returns the coverage. */
export const measureCoverage = async (session: Session, replays: () => readonly Replay[]): Promise<Coverage> => {
  await session.post('Profiler.takePreciseCoverage');
  const moments = replays().flatMap((replay) => replay.moments);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const fired = new Set(moments.flatMap((moment) => moment.fired));
  const snapshots = moments.flatMap(({ actors }) => Object.values(actors));
  const active = snapshots.flatMap((snapshot) => {
    const id = getMachine(snapshot)?.id;
    return id === undefined ? [] : [id, ...getActiveStates(id, (snapshot as unknown as { value: unknown }).value)];
  });
  // A state that is left at once is in no snapshot.
  const sourceStates = [...fired].map((name) => name.slice(0, name.indexOf(' ')));
  return { fired, active: new Set([...active, ...sourceStates]), scripts: result };
};

/** Whether the innermost function around a position has run; null outside functions. */
const hasRun = ({ scripts }: Coverage, url: string, start: number): boolean | null => {
  const enclosingRanges = scripts
    .filter((script) => script.url === url)
    .flatMap(({ functions }) =>
      functions.map(({ ranges }) => ranges.filter((range) => range.startOffset <= start && start < range.endOffset)),
    )
    .filter((ranges) => ranges.length > 0)
    .toSorted(
      (one, other) =>
        (one[0]?.endOffset ?? 0) - (one[0]?.startOffset ?? 0) - (other[0]?.endOffset ?? 0) + (other[0]?.startOffset ?? 0),
    );
  const [innermost] = enclosingRanges;
  if (!innermost || enclosingRanges.length < 2) return null;
  return (innermost.at(-1)?.count ?? 0) > 0;
};

const getInvokedId = (node: AnyStateNode, path: string): string =>
  node.invoke[Number(/^invoke\[(\d+)\]/.exec(path)?.[1] ?? 0)]?.id ?? '';

/** The event of the transition at a path such as `on.pay.pressed[1].guard`. */
const getEventType = (node: AnyStateNode, path: string): string | null => {
  if (path.startsWith('always')) return '';
  const settleKey = /^invoke(?:\[\d+\])?\.(onDone|onError)/.exec(path)?.[1];
  if (settleKey) return `xstate.${settleKey === 'onDone' ? 'done' : 'error'}.actor.${getInvokedId(node, path)}`;
  const delay = /^after\.(\w+)/.exec(path)?.[1];
  if (delay) return `xstate.after.${delay}.${node.id}`;
  const types = [...node.transitions.keys()].filter((type) => path.startsWith(`on.${type}`));
  return types.toSorted((one, other) => other.length - one.length)[0] ?? null;
};

const findUses = (machine: AnyStateMachine, action: string): { transitions: string[]; states: string[] } => {
  const isUse = (use: unknown) => use === action || (use as { type?: string }).type === action;
  return {
    transitions: getTransitions(machine)
      .filter(({ actions }) => actions.some(isUse))
      .map(getTransitionName),
    states: getAllStateNodes(machine)
      .filter(({ entry, exit }) => [...entry, ...exit].some(isUse))
      .map(({ id }) => id),
  };
};

const isAlternativeCovered = ({ kind, key }: Mutant, index: number, firedAt: readonly number[]): boolean => {
  if (kind === 'guards') return firedAt.some((each) => each >= index);
  if (kind === 'order' && !key.includes('.actions')) return firedAt.some((each) => each === index || each === index + 1);
  return firedAt.includes(index);
};

/** Whether the replay covered the mutated code, in the machines of its file. */
export const isCovered = (coverage: Coverage, root: string, mutant: Mutant, machines: readonly AnyStateMachine[]): boolean => {
  const { fired, active } = coverage;
  const hasCodeRun = hasRun(coverage, pathToFileURL(join(root, mutant.file)).href, mutant.start);
  if (hasCodeRun !== null) return hasCodeRun;
  let path = mutant.key.slice(mutant.file.length + 1);
  return machines.some((machine) => {
    const action = /^actions\.(\w+)/.exec(path)?.[1];
    if (action !== undefined) {
      const { transitions, states } = findUses(machine, action);
      return transitions.some((name) => fired.has(name)) || states.some((id) => active.has(id));
    }
    let node: AnyStateNode = machine.root;
    for (let state = /^states\.(\w+)\.?/.exec(path); state; state = /^states\.(\w+)\.?/.exec(path)) {
      const child = node.states[state[1] ?? ''];
      if (!child) return false;
      node = child;
      path = path.slice(state[0].length);
    }
    const event = getEventType(node, path);
    // Other code outside functions, such as the names of guards, has no effect by itself.
    if (event === null) return /^(initial|entry|exit|invoke|type|tags|context)\b/.test(path) && active.has(node.id);
    const alternatives = event === '' ? (node.always ?? []) : (node.transitions.get(event) ?? []);
    const firedAt = [...alternatives.entries()]
      .filter(([, transition]) => fired.has(getTransitionName(transition)))
      .map(([at]) => at);
    const remainder = event === '' ? path : path.slice(path.indexOf(event) + event.length);
    const isTransitionOmitted = mutant.key.endsWith('the transition is left out');
    const index = Number(
      /^(?:always|[^:]*?(?:onDone|onError))?\[(\d+)\]/.exec(remainder)?.[1] ?? /on(?:Done|Error)\[(\d+)\]/.exec(path)?.[1] ?? 0,
    );
    return isTransitionOmitted ? firedAt.length > 0 : isAlternativeCovered(mutant, index, firedAt);
  });
};
