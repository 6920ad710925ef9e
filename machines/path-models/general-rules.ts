import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Rule } from '../paths/rules.ts';
import { rulesFor } from '../paths/rules.ts';
import { getTransitions } from '../paths/transitions.ts';
import { awaitsPromise, getPendingActivities } from '../paths/waiting.ts';
import type { PathModel } from './path-model.ts';

/**
 * A machine's parameters for the general rules. States are named by their ids, as in
 * `signIn.checking`; a state includes its sub-states.
 */
export type Allowances = {
  /**
   * The states that need personal data (`pii` in the context), and why. Other states must not hold
   * any.
   */
  pii?: Record<string, string>;
  /**
   * States that wait or report a failure and have no way out of their own; and where it comes from
   * instead.
   */
  externalExits?: Record<string, string>;
  /** The presses that the screen of a state always offers: the state must accept each of them. */
  pressable?: Record<string, readonly string[]>;
};

const { always, invariant } = rulesFor<AnyStateMachine>();

const getStateIds = (snapshot: AnyMachineSnapshot): string[] => (snapshot._nodes as AnyStateNode[]).map(({ id }) => id);

const isInAnyState = (snapshot: AnyMachineSnapshot, states: Record<string, string> = {}): boolean =>
  getStateIds(snapshot).some((id) => id in states);

const isEmpty = (value: unknown): boolean => {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === undefined || value === '';
};

/** A cache, since most of a context is the same from step to step. */
const knownImpersonal = new WeakSet<object>();

/** The key paths at which personal data is stored. */
const findPersonal = (value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null || knownImpersonal.has(value)) return [];
  const found = Object.entries(value).flatMap(([key, part]) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (key === 'pii') return isEmpty(part) ? [] : [at];
    return findPersonal(part, at);
  });
  if (found.length === 0) knownImpersonal.add(value);
  return found;
};

const getLeaves = (snapshot: AnyMachineSnapshot): AnyStateNode[] =>
  (snapshot._nodes as AnyStateNode[]).filter(({ type }) => type === 'atomic');

const getAncestors = (node: AnyStateNode): AnyStateNode[] => (node.parent ? [node, ...getAncestors(node.parent)] : [node]);

const failureStatePattern =
  /\.(failed|moreFailed|notFound|notGranted|notCopied|unavailable|unreachable|unknown|unfetched|invalid)$/;
/** States whose screen shows the reason of a failure. */
const reasonStatePattern = /\.(failed|moreFailed|notGranted|unavailable|unreachable|unknown)$/;

const isProblemOrNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && typeof (value as { kind?: unknown }).kind === 'string');

/** States that only a failure leads to, and those whose names indicate a failure. */
const findFailureStates = (machine: AnyStateMachine): Set<string> => {
  const reached = new Map<string, boolean>();
  for (const { target, eventType } of getTransitions(machine)) {
    const isFailure = /^xstate\.error\.|\.failed$/.test(String(eventType));
    for (const node of target ?? []) reached.set(node.id, isFailure && reached.get(node.id) !== false);
  }
  return new Set([...reached].filter(([id, isFailure]) => isFailure || failureStatePattern.test(id)).map(([id]) => id));
};

/** The rules that hold for every machine. */
export const createGeneralRules = (
  { machine, description }: PathModel,
  { pii = {}, externalExits = {}, pressable = {} }: Allowances = {},
): Rule[] => {
  const presses = description.presses ?? {};
  const failures = findFailureStates(machine);
  return [
    invariant('a machine ends well or not at all', ({ status, error }) => status !== 'error' || String(error)),
    invariant('what is personal is kept only where it is needed', (snapshot) => {
      const kept = isInAnyState(snapshot, pii) ? [] : findPersonal(snapshot.context);
      return kept.length === 0 || `${kept.join(', ')} is kept in ${getStateIds(snapshot).at(-1) ?? ''}`;
    }),
    invariant('a screen that says what failed knows why', (snapshot) => {
      const { problem } = snapshot.context as { problem?: unknown };
      return problem !== null || !getLeaves(snapshot).some(({ id }) => reasonStatePattern.test(id));
    }),
    invariant('no part of a context is undefined, and a problem has a kind', ({ context }) => {
      const parts = Object.entries(context as object);
      const missing = parts.find(([key, value]) => value === undefined || (key === 'problem' && !isProblemOrNull(value)));
      return missing === undefined || `${missing[0]} is ${JSON.stringify(missing[1])}`;
    }),
    always('to try again asks again', ({ event, fired, effects }) => {
      const isTaken = event.type === 'retry.pressed' && fired.length > 0;
      return !isTaken || effects.some(({ kind }) => kind === 'start' || kind === 'send');
    }),
    {
      kind: 'ways',
      name: 'what was asked is heard: every answer and every refusal of a port leads to something',
      check: (_, ways) => {
        const unheard = ways.filter(
          ({ event, fired }) => /^xstate\.(done|error)\.actor\./.test(event.type) && fired.length === 0,
        );
        return unheard.length === 0 || `no transition for ${unheard.map(({ event }) => event.type).join(', ')}`;
      },
    },
    {
      kind: 'ways',
      name: 'each press that a screen offers is taken',
      check: (snapshot, ways) => {
        const taken = new Set(ways.filter(({ fired }) => fired.length > 0).map(({ event }) => event.type));
        const dead = getStateIds(snapshot).flatMap((id) => (pressable[id] ?? []).filter((type) => !taken.has(type)));
        return dead.length === 0 || `${dead.join(', ')} in ${getStateIds(snapshot).at(-1) ?? ''}`;
      },
    },
    {
      kind: 'ways',
      name: 'a state that waits, or says that something failed, has a way on: a limit, or something to press',
      check: (snapshot, ways) => {
        if (snapshot.status !== 'active' || isInAnyState(snapshot, externalExits)) return true;
        const active = snapshot._nodes as AnyStateNode[];
        const stuck = active
          .filter((node) => node.tags.includes('busy') || awaitsPromise(node) || failures.has(node.id))
          .find((state) => {
            // Progress in another parallel region is no way out of this one.
            const own = active.filter((node) => getAncestors(node).includes(state) || getAncestors(state).includes(node));
            const isLed = ways.some(
              ({ event, fired }) => event.type in presses && fired.some(({ source }) => own.includes(source)),
            );
            return !isLed && getPendingActivities({ _nodes: own }).length === 0;
          });
        return stuck === undefined || `no way out of ${stuck.id}`;
      },
    },
  ];
};
