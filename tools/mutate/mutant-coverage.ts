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
export type Coverage = { fired: ReadonlySet<string>; active: ReadonlySet<string>; ran: readonly Profiler.ScriptCoverage[] };

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
  return Object.entries(value as object).flatMap(([key, inner]) => [
    `${prefix}.${key}`,
    ...getActiveStates(`${prefix}.${key}`, inner),
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
  const left = [...fired].map((name) => name.slice(0, name.indexOf(' ')));
  return { fired, active: new Set([...active, ...left]), ran: result };
};

/** Whether the innermost function around a position has run; null outside functions. */
const hasRun = ({ ran }: Coverage, url: string, start: number): boolean | null => {
  const around = ran
    .filter((script) => script.url === url)
    .flatMap(({ functions }) =>
      functions.map(({ ranges }) => ranges.filter((range) => range.startOffset <= start && start < range.endOffset)),
    )
    .filter((ranges) => ranges.length > 0)
    .toSorted(
      (one, other) =>
        (one[0]?.endOffset ?? 0) - (one[0]?.startOffset ?? 0) - (other[0]?.endOffset ?? 0) + (other[0]?.startOffset ?? 0),
    );
  const [innermost] = around;
  if (!innermost || around.length < 2) return null;
  return (innermost.at(-1)?.count ?? 0) > 0;
};

const getInvokedId = (node: AnyStateNode, place: string): string =>
  node.invoke[Number(/^invoke\[(\d+)\]/.exec(place)?.[1] ?? 0)]?.id ?? '';

/** The event of the transition at a place such as `on.pay.pressed[1].guard`. */
const getEventType = (node: AnyStateNode, place: string): string | null => {
  if (place.startsWith('always')) return '';
  const settled = /^invoke(?:\[\d+\])?\.(onDone|onError)/.exec(place)?.[1];
  if (settled) return `xstate.${settled === 'onDone' ? 'done' : 'error'}.actor.${getInvokedId(node, place)}`;
  const delay = /^after\.(\w+)/.exec(place)?.[1];
  if (delay) return `xstate.after.${delay}.${node.id}`;
  const types = [...node.transitions.keys()].filter((type) => place.startsWith(`on.${type}`));
  return types.toSorted((one, other) => other.length - one.length)[0] ?? null;
};

const findUses = (machine: AnyStateMachine, action: string): { transitions: string[]; states: string[] } => {
  const isIt = (use: unknown) => use === action || (use as { type?: string }).type === action;
  return {
    transitions: getTransitions(machine)
      .filter(({ actions }) => actions.some(isIt))
      .map(getTransitionName),
    states: getAllStateNodes(machine)
      .filter(({ entry, exit }) => [...entry, ...exit].some(isIt))
      .map(({ id }) => id),
  };
};

const isAlternativeCovered = ({ kind, key }: Mutant, at: number, firedAt: readonly number[]): boolean => {
  if (kind === 'guards') return firedAt.some((each) => each >= at);
  if (kind === 'order' && !key.includes('.actions')) return firedAt.some((each) => each === at || each === at + 1);
  return firedAt.includes(at);
};

/** Whether the replay covered the mutated code, in the machines of its file. */
export const isCovered = (crossing: Coverage, root: string, mutant: Mutant, machines: readonly AnyStateMachine[]): boolean => {
  const { fired, active } = crossing;
  const ran = hasRun(crossing, pathToFileURL(join(root, mutant.file)).href, mutant.start);
  if (ran !== null) return ran;
  let place = mutant.key.slice(mutant.file.length + 1);
  return machines.some((machine) => {
    const action = /^actions\.(\w+)/.exec(place)?.[1];
    if (action !== undefined) {
      const { transitions, states } = findUses(machine, action);
      return transitions.some((name) => fired.has(name)) || states.some((id) => active.has(id));
    }
    let node: AnyStateNode = machine.root;
    for (let state = /^states\.(\w+)\.?/.exec(place); state; state = /^states\.(\w+)\.?/.exec(place)) {
      const inner = node.states[state[1] ?? ''];
      if (!inner) return false;
      node = inner;
      place = place.slice(state[0].length);
    }
    const event = getEventType(node, place);
    // Other code outside functions, such as the names of guards, has no effect by itself.
    if (event === null) return /^(initial|entry|exit|invoke|type|tags|context)\b/.test(place) && active.has(node.id);
    const all = event === '' ? (node.always ?? []) : (node.transitions.get(event) ?? []);
    const firedAt = [...all.entries()].filter(([, transition]) => fired.has(getTransitionName(transition))).map(([at]) => at);
    const rest = event === '' ? place : place.slice(place.indexOf(event) + event.length);
    const isWhole = mutant.key.endsWith('the transition is left out');
    const at = Number(
      /^(?:always|[^:]*?(?:onDone|onError))?\[(\d+)\]/.exec(rest)?.[1] ?? /on(?:Done|Error)\[(\d+)\]/.exec(place)?.[1] ?? 0,
    );
    return isWhole ? firedAt.length > 0 : isAlternativeCovered(mutant, at, firedAt);
  });
};
