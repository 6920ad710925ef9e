import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import {
  checkCrafted,
  checkSpawn,
  checkUse,
  type StoredAction,
  type NamedImplementations,
  type Report,
} from './purity-definition.ts';
import type { OnAccess } from './purity-local.ts';
import { createPiiProbes, deepFreeze, findNonPlain } from './purity-values.ts';

type ActionArgs = { context?: unknown; event?: unknown; input?: unknown; spawn?: Spawn; check?: (guard: unknown) => boolean };
type Run = (args: ActionArgs, params?: unknown) => unknown;
type Spawn = (src: unknown, options?: { id?: string }) => unknown;
type ResolvedAction = [AnyMachineSnapshot, { event?: unknown } | undefined, unknown[] | undefined];
type Resolve = (
  scope: unknown,
  snapshot: AnyMachineSnapshot,
  args: ActionArgs,
  params: unknown,
  action: unknown,
  extra: unknown,
) => ResolvedAction;
type Action = StoredAction & { resolve?: Resolve; collect?: Run };
type Check = (snapshot: unknown, args: ActionArgs, guard: unknown) => boolean;
type Guard = StoredAction & { check?: Check };

const getChildren = ({ children }: AnyMachineSnapshot) => Object.values(children as Record<string, AnyActorRef>);

const isForbiddenWrite = (error: unknown): error is TypeError =>
  error instanceof TypeError &&
  /^Cannot (assign to read only|add|delete|redefine|define) property|not extensible/.test(error.message);

/**
 * Creates wrappers for a machine's functions that behave like the originals and report impurity.
 */
export const createWatch = (report: Report) => {
  const activePlaces: string[] = [];
  const reportedErrors = new WeakSet<Error>();

  /**
   * Runs one of the machine's functions; accesses and mutations during the run are attributed to
   * `place`.
   */
  const runAt = <T>(place: string, run: () => T): T => {
    activePlaces.push(place);
    try {
      return run();
    } catch (error) {
      if (isForbiddenWrite(error) && !reportedErrors.has(error)) {
        reportedErrors.add(error);
        report(place, `mutates its arguments: ${error.message}`);
      }
      throw error;
    } finally {
      activePlaces.pop();
    }
  };

  /**
   * Reports an access during one of the machine's functions. Code outside them, such as XState and
   * the tests themselves, may access anything.
   */
  const onAccess: OnAccess = (name) => {
    const place = activePlaces.at(-1);
    if (place === undefined) return;
    report(place, `touches ${name}`);
    throw new Error(`${place} touches ${name}: expected a pure function`);
  };

  const probe = createPiiProbes(() => report(activePlaces.at(-1) ?? '', 'reads pii'));
  const withProbes = (args: ActionArgs): ActionArgs => ({
    ...args,
    context: probe(args.context),
    event: probe(args.event),
  });
  const freezeArgs = (args: ActionArgs): ActionArgs => {
    for (const part of [args.context, args.event, args.input]) deepFreeze(part);
    return args;
  };

  /**
   * Reports values that are not plain, except at paths at which `previousValue` has such values as
   * well.
   */
  const checkValue = (place: string, value: unknown, previousValue: unknown = null) => {
    const nonPlainValues = findNonPlain(value);
    const earlierPaths = new Set(nonPlainValues.length === 0 ? [] : findNonPlain(previousValue).map(({ path }) => path));
    for (const { path, is } of nonPlainValues) {
      if (!earlierPaths.has(path)) report(`${place}${path}`, `${is}, which is not plain JSON`);
    }
  };

  const watchGuard = (guard: Guard, place: string): Guard => {
    const { check } = guard;
    const run = (args: ActionArgs, params: unknown) => runAt(place, () => guard(withProbes(args), probe(params)));
    const watchedGuard = Object.assign(run as StoredAction, guard);
    if (!check) return watchedGuard;
    return Object.assign(watchedGuard, {
      check: ((snapshot, args) => runAt(place, () => check(snapshot, withProbes(args), guard))) satisfies Check,
    });
  };

  /**
   * Watches a function that returns a value. `value`: a context, input or output; `parameter`: a
   * value for an action only (parameters, a delay); `guard`: a guard's parameters, which count as
   * read by the guard.
   */
  const watchValue = (run: Run, place: string, role: 'guard' | 'parameter' | 'value'): Run => {
    const watchedSpawn =
      (spawn: Spawn): Spawn =>
      (src, options) => {
        checkSpawn(src, options?.id, place, report);
        return spawn(src, options);
      };
    return (args, params) =>
      runAt(place, () => {
        if (role === 'guard') return run(withProbes(args), params);
        const value = run(args.spawn ? { ...freezeArgs(args), spawn: watchedSpawn(args.spawn) } : freezeArgs(args), params);
        if (role === 'value') checkValue(place, value);
        return value;
      });
  };

  /**
   * Executes custom actions at once, since a watched machine is stepped without executing anything.
   */
  const runCustom = (action: Action, args: ActionArgs, params: unknown) => {
    const result = action(args, params);
    if (result instanceof Promise) result.catch(() => {});
  };

  /** Checks the actors that an assign spawned; without an id, they have the id of their session. */
  const checkSpawned = (before: AnyMachineSnapshot, after: AnyMachineSnapshot, place: string) => {
    const earlierChildren = new Set(getChildren(before));
    for (const child of getChildren(after)) {
      if (!earlierChildren.has(child)) checkSpawn(child.src, child.id === child.sessionId ? undefined : child.id, place, report);
    }
  };

  const watchAction = (
    action: Action,
    place: string,
    implementations: { actions: NamedImplementations; guards: NamedImplementations },
  ): Action => {
    const watchedAction: Action = Object.assign((() => {}) as StoredAction, action);
    const { collect } = action;
    if (collect) {
      watchedAction.collect = (args, params) => {
        const check = (guard: unknown) => {
          checkUse('guard', guard, implementations.guards, place, report);
          return args.check?.(typeof guard === 'function' ? watchGuard(guard as Guard, place) : guard) ?? false;
        };
        return collect({ ...args, check }, params);
      };
    }
    const watchEnqueued = (enqueued: unknown): unknown => {
      if (typeof enqueued !== 'function') {
        checkUse('action', enqueued, implementations.actions, place, report);
        return enqueued;
      }
      if (!('resolve' in enqueued)) report(place, 'an unnamed action');
      checkCrafted(enqueued as StoredAction, place, report);
      return watchAction(enqueued as Action, place, implementations);
    };
    watchedAction.resolve = (scope, snapshot, args, params, _, extra) =>
      runAt(place, () => {
        freezeArgs(args);
        deepFreeze(params);
        if (!action.resolve) {
          runCustom(action, args, params);
          return [snapshot, undefined, undefined];
        }
        const [next, resolved, enqueued] = action.resolve(scope, snapshot, args, params, watchedAction, extra);
        checkValue(`${place} context`, next.context, snapshot.context);
        checkValue(`${place} event`, resolved?.event ?? null);
        if (action.type === 'xstate.assign') checkSpawned(snapshot, next, place);
        return [next, resolved, enqueued?.map(watchEnqueued)];
      });
    return watchedAction;
  };

  return { runAt, checkValue, onAccess, watchAction, watchGuard, watchValue };
};

export type Watch = ReturnType<typeof createWatch>;
