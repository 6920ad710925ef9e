import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import type { Rule } from '../paths/rules.ts';
import { rulesFor } from '../paths/rules.ts';
import { getTransitions } from '../paths/transitions.ts';
import { awaitsPromise, getPendingActivities } from '../paths/pending-activities.ts';
import type { PathModel } from './path-model.ts';

/**
 * A machine's parameters for the general rules. States are named by their ids, as in
 * `signIn.checking`; a state includes its sub-states.
 */
export type GeneralRuleOptions = {
  /**
   * The states that need personal data (`pii` in the context), each with the reason. The context
   * must hold none in other states.
   */
  pii?: Record<string, string>;
  /**
   * States that wait or report a failure and have no way out of their own, each with a text about
   * the way out from elsewhere.
   */
  externalExits?: Record<string, string>;
  /** The presses that the screen of each state always offers: the state must accept them. */
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

/** A cache: most objects of a context stay the same from one step to the next. */
const objectsWithoutPersonalData = new WeakSet<object>();

/** The key paths of the personal data in a context, such as `pii.form`. */
const findPersonalData = (value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null || objectsWithoutPersonalData.has(value)) return [];
  const keyPaths = Object.entries(value).flatMap(([key, child]) => {
    const keyPath = path === '' ? key : `${path}.${key}`;
    if (key === 'pii') return isEmpty(child) ? [] : [keyPath];
    return findPersonalData(child, keyPath);
  });
  if (keyPaths.length === 0) objectsWithoutPersonalData.add(value);
  return keyPaths;
};

const getAtomicStates = (snapshot: AnyMachineSnapshot): AnyStateNode[] =>
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
  const isFailureById = new Map<string, boolean>();
  for (const { target, eventType } of getTransitions(machine)) {
    const isFailure = /^xstate\.error\.|\.failed$/.test(String(eventType));
    for (const node of target ?? []) isFailureById.set(node.id, isFailure && isFailureById.get(node.id) !== false);
  }
  return new Set([...isFailureById].filter(([id, isFailure]) => isFailure || failureStatePattern.test(id)).map(([id]) => id));
};

/** The rules that hold for every machine. */
export const createGeneralRules = (
  { machine, description }: PathModel,
  { pii = {}, externalExits = {}, pressable = {} }: GeneralRuleOptions = {},
): Rule[] => {
  const presses = description.presses ?? {};
  const failureStates = findFailureStates(machine);
  return [
    invariant('no machine ends with an error', ({ status, error }) => status !== 'error' || String(error)),
    invariant('personal data is kept only in states that declare it', (snapshot) => {
      const keyPaths = isInAnyState(snapshot, pii) ? [] : findPersonalData(snapshot.context);
      return keyPaths.length === 0 || `${keyPaths.join(', ')} is kept in ${getStateIds(snapshot).at(-1) ?? ''}`;
    }),
    invariant('a failure screen has the problem that it reports', (snapshot) => {
      const { problem } = snapshot.context as { problem?: unknown };
      return problem !== null || !getAtomicStates(snapshot).some(({ id }) => reasonStatePattern.test(id));
    }),
    invariant('no context key is undefined, and every problem has a kind', ({ context }) => {
      const entries = Object.entries(context as object);
      const invalidEntry = entries.find(([key, value]) => value === undefined || (key === 'problem' && !isProblemOrNull(value)));
      return invalidEntry === undefined || `${invalidEntry[0]} is ${JSON.stringify(invalidEntry[1])}`;
    }),
    always('an accepted retry starts a request or sends an event', ({ event, fired, effects }) => {
      const isRetryAccepted = event.type === 'retry.pressed' && fired.length > 0;
      return !isRetryAccepted || effects.some(({ kind }) => kind === 'start' || kind === 'send');
    }),
    {
      kind: 'ways',
      name: 'every answer and every rejection of a port causes a transition',
      check: (_, edges) => {
        const unhandledEdges = edges.filter(
          ({ event, fired }) => /^xstate\.(done|error)\.actor\./.test(event.type) && fired.length === 0,
        );
        return unhandledEdges.length === 0 || `no transition for ${unhandledEdges.map(({ event }) => event.type).join(', ')}`;
      },
    },
    {
      kind: 'ways',
      name: 'every press that a screen offers causes a transition',
      check: (snapshot, edges) => {
        const acceptedTypes = new Set(edges.filter(({ fired }) => fired.length > 0).map(({ event }) => event.type));
        const refusedTypes = getStateIds(snapshot).flatMap((id) =>
          (pressable[id] ?? []).filter((type) => !acceptedTypes.has(type)),
        );
        return refusedTypes.length === 0 || `${refusedTypes.join(', ')} in ${getStateIds(snapshot).at(-1) ?? ''}`;
      },
    },
    {
      kind: 'ways',
      name: 'a state that waits or reports a failure has a way out: a pending activity or a press',
      check: (snapshot, edges) => {
        if (snapshot.status !== 'active' || isInAnyState(snapshot, externalExits)) return true;
        const states = snapshot._nodes as AnyStateNode[];
        const stuckState = states
          .filter((node) => node.tags.includes('busy') || awaitsPromise(node) || failureStates.has(node.id))
          .find((state) => {
            // An exit from another parallel region is no way out of this state.
            const lineage = states.filter((node) => getAncestors(node).includes(state) || getAncestors(state).includes(node));
            const hasPress = edges.some(
              ({ event, fired }) => event.type in presses && fired.some(({ source }) => lineage.includes(source)),
            );
            return !hasPress && getPendingActivities({ _nodes: lineage }).length === 0;
          });
        return stuckState === undefined || `no way out of ${stuckState.id}`;
      },
    },
  ];
};
