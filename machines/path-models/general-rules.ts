import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Rule } from '../paths/rules.ts';
import { rulesFor } from '../paths/rules.ts';
import { transitionsOf } from '../paths/transitions.ts';
import { isAsking, underWay } from '../paths/waiting.ts';
import type { PathModel } from './path-model.ts';

/**
 * What a machine says of itself to the rules that hold for all. States are named by their ids, as in `signIn.checking`; a
 * state stands for those in it.
 */
export type Allowances = {
  /** The states that need what is personal (`pii` in the context), and for what. Elsewhere none may be kept. */
  pii?: Record<string, string>;
  /** States that wait, or say that something failed, without a way on of their own; and who leads on. */
  ledOn?: Record<string, string>;
  /** The presses that the screen of a state always offers: each of them is taken there. */
  pressable?: Record<string, readonly string[]>;
};

const { always, invariant } = rulesFor<AnyStateMachine>();

const idsIn = (snapshot: AnyMachineSnapshot): string[] => (snapshot._nodes as AnyStateNode[]).map(({ id }) => id);

const isIn = (snapshot: AnyMachineSnapshot, states: Record<string, string> = {}): boolean =>
  idsIn(snapshot).some((id) => id in states);

const isEmpty = (value: unknown): boolean => {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === undefined || value === '';
};

/** Most of a context is the same from step to step. */
const impersonal = new WeakSet<object>();

/** The key paths at which something personal is kept. */
const personalIn = (value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null || impersonal.has(value)) return [];
  const found = Object.entries(value).flatMap(([key, part]) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (key === 'pii') return isEmpty(part) ? [] : [at];
    return personalIn(part, at);
  });
  if (found.length === 0) impersonal.add(value);
  return found;
};

const leavesOf = (snapshot: AnyMachineSnapshot): AnyStateNode[] =>
  (snapshot._nodes as AnyStateNode[]).filter(({ type }) => type === 'atomic');

const upwards = (node: AnyStateNode): AnyStateNode[] => (node.parent ? [node, ...upwards(node.parent)] : [node]);

const saysFailure = /\.(failed|moreFailed|notFound|notGranted|notCopied|unavailable|unreachable|unknown|unfetched|invalid)$/;
/** Failures whose reason stands on the screen. */
const saysWhy = /\.(failed|moreFailed|notGranted|unavailable|unreachable|unknown)$/;

const isProblemOrNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && typeof (value as { kind?: unknown }).kind === 'string');

/** States that only a failure leads to, and those whose names say that something has failed. */
const failureStates = (machine: AnyStateMachine): Set<string> => {
  const reached = new Map<string, boolean>();
  for (const { target, eventType } of transitionsOf(machine)) {
    const isFailure = /^xstate\.error\.|\.failed$/.test(String(eventType));
    for (const node of target ?? []) reached.set(node.id, isFailure && reached.get(node.id) !== false);
  }
  return new Set([...reached].filter(([id, isFailure]) => isFailure || saysFailure.test(id)).map(([id]) => id));
};

/** The rules that hold for every machine. */
export const generalRules = (
  { machine, description }: PathModel,
  { pii = {}, ledOn = {}, pressable = {} }: Allowances = {},
): Rule[] => {
  const presses = description.presses ?? {};
  const failures = failureStates(machine);
  return [
    invariant('a machine ends well or not at all', ({ status, error }) => status !== 'error' || String(error)),
    invariant('what is personal is kept only where it is needed', (snapshot) => {
      const kept = isIn(snapshot, pii) ? [] : personalIn(snapshot.context);
      return kept.length === 0 || `${kept.join(', ')} is kept in ${idsIn(snapshot).at(-1) ?? ''}`;
    }),
    invariant('a screen that says what failed knows why', (snapshot) => {
      const { problem } = snapshot.context as { problem?: unknown };
      return problem !== null || !leavesOf(snapshot).some(({ id }) => saysWhy.test(id));
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
        return unheard.length === 0 || `nothing takes ${unheard.map(({ event }) => event.type).join(', ')}`;
      },
    },
    {
      kind: 'ways',
      name: 'each press that a screen offers is taken',
      check: (snapshot, ways) => {
        const taken = new Set(ways.filter(({ fired }) => fired.length > 0).map(({ event }) => event.type));
        const dead = idsIn(snapshot).flatMap((id) => (pressable[id] ?? []).filter((type) => !taken.has(type)));
        return dead.length === 0 || `${dead.join(', ')} in ${idsIn(snapshot).at(-1) ?? ''}`;
      },
    },
    {
      kind: 'ways',
      name: 'a state that waits, or says that something failed, has a way on: a limit, or something to press',
      check: (snapshot, ways) => {
        if (snapshot.status !== 'active' || isIn(snapshot, ledOn)) return true;
        const active = snapshot._nodes as AnyStateNode[];
        const stuck = active
          .filter((node) => node.tags.includes('busy') || isAsking(node) || failures.has(node.id))
          .find((state) => {
            // What goes on in another part of the screen leads nobody on in this one.
            const own = active.filter((node) => upwards(node).includes(state) || upwards(state).includes(node));
            const isLed = ways.some(
              ({ event, fired }) => event.type in presses && fired.some(({ source }) => own.includes(source)),
            );
            return !isLed && underWay({ _nodes: own }).length === 0;
          });
        return stuck === undefined || `nobody leads on from ${stuck.id}`;
      },
    },
  ];
};
