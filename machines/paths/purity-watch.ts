import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import {
  readCrafted,
  readSpawn,
  readUse,
  type CraftedAction,
  type NamedImplementations,
  type Report,
} from './purity-definition.ts';
import type { OnAccess } from './purity-local.ts';
import { createPiiProbes, deepFreeze, findNonPlain } from './purity-values.ts';

type ActionArgs = { context?: unknown; event?: unknown; input?: unknown; spawn?: Spawn; check?: (guard: unknown) => boolean };
type Run = (given: ActionArgs, params?: unknown) => unknown;
type Spawn = (src: unknown, options?: { id?: string }) => unknown;
type ResolvedAction = [AnyMachineSnapshot, { event?: unknown } | undefined, unknown[] | undefined];
type Resolve = (
  scope: unknown,
  snapshot: AnyMachineSnapshot,
  given: ActionArgs,
  params: unknown,
  action: unknown,
  extra: unknown,
) => ResolvedAction;
type Action = CraftedAction & { resolve?: Resolve; collect?: Run };
type Check = (snapshot: unknown, given: ActionArgs, guard: unknown) => boolean;
type Guard = CraftedAction & { check?: Check };

const getChildren = ({ children }: AnyMachineSnapshot) => Object.values(children as Record<string, AnyActorRef>);

const isForbiddenWrite = (error: unknown): error is TypeError =>
  error instanceof TypeError &&
  /^Cannot (assign to read only|add|delete|redefine|define) property|not extensible/.test(error.message);

/** Creates machines that behave like the originals and report where they are not pure. */
export const createWatch = (report: Report) => {
  const running: string[] = [];
  const blamed = new WeakSet<Error>();

  /**
   * Runs one of the machine's functions; accesses and mutations during it are attributed to
   * `place`.
   */
  const inside = <T>(place: string, run: () => T): T => {
    running.push(place);
    try {
      return run();
    } catch (error) {
      if (isForbiddenWrite(error) && !blamed.has(error)) {
        blamed.add(error);
        report(place, `mutates its arguments: ${error.message}`);
      }
      throw error;
    } finally {
      running.pop();
    }
  };

  /**
   * Code outside the machine's functions, such as XState and the tests themselves, may access
   * anything.
   */
  const touch: OnAccess = (name) => {
    const place = running.at(-1);
    if (place === undefined) return;
    report(place, `touches ${name}`);
    throw new Error(`${place} touches ${name}`);
  };

  const probed = createPiiProbes(() => report(running.at(-1) ?? '', 'reads pii'));
  const withProbes = (given: ActionArgs): ActionArgs => ({
    ...given,
    context: probed(given.context),
    event: probed(given.event),
  });
  const frozen = (given: ActionArgs): ActionArgs => {
    for (const part of [given.context, given.event, given.input]) deepFreeze(part);
    return given;
  };

  /** Reports values that are not plain and were not there before. */
  const readValue = (place: string, value: unknown, before: unknown = null) => {
    const found = findNonPlain(value);
    const known = new Set(found.length === 0 ? [] : findNonPlain(before).map(({ path }) => path));
    for (const { path, is } of found) {
      if (!known.has(path)) report(`${place}${path}`, `${is}, which is not plain JSON`);
    }
  };

  const watchGuard = (guard: Guard, place: string): Guard => {
    const { check } = guard;
    const run = (given: ActionArgs, params: unknown) => inside(place, () => guard(withProbes(given), probed(params)));
    const watched = Object.assign(run as CraftedAction, guard);
    if (!check) return watched;
    return Object.assign(watched, {
      check: ((snapshot, given) => inside(place, () => check(snapshot, withProbes(given), guard))) satisfies Check,
    });
  };

  /**
   * A function that returns a value: a context, input or output, or a value for an action only
   * (parameters, a delay), or a guard's parameters, which count as read by the guard.
   */
  const watchValue = (run: Run, place: string, role: 'guard' | 'parameter' | 'value'): Run => {
    const watchedSpawn =
      (spawn: Spawn): Spawn =>
      (src, options) => {
        readSpawn(src, options?.id, place, report);
        return spawn(src, options);
      };
    return (given, params) =>
      inside(place, () => {
        if (role === 'guard') return run(withProbes(given), params);
        const value = run(given.spawn ? { ...frozen(given), spawn: watchedSpawn(given.spawn) } : frozen(given), params);
        if (role === 'value') readValue(place, value);
        return value;
      });
  };

  /**
   * Executes custom actions at once, since a watched machine is stepped without executing anything.
   */
  const runCustom = (action: Action, given: ActionArgs, params: unknown) => {
    const promised = action(given, params);
    if (promised instanceof Promise) promised.catch(() => {});
  };

  /** Actors that an assign spawned; XState gives those without an id the id of their session. */
  const readSpawned = (before: AnyMachineSnapshot, after: AnyMachineSnapshot, place: string) => {
    const known = new Set(getChildren(before));
    for (const child of getChildren(after)) {
      if (!known.has(child)) readSpawn(child.src, child.id === child.sessionId ? undefined : child.id, place, report);
    }
  };

  const watchAction = (
    action: Action,
    place: string,
    named: { actions: NamedImplementations; guards: NamedImplementations },
  ): Action => {
    const watched: Action = Object.assign((() => {}) as CraftedAction, action);
    const { collect } = action;
    if (collect) {
      watched.collect = (given, params) => {
        const check = (guard: unknown) => {
          readUse('guard', guard, named.guards, place, report);
          return given.check?.(typeof guard === 'function' ? watchGuard(guard as Guard, place) : guard) ?? false;
        };
        return collect({ ...given, check }, params);
      };
    }
    const watchEnqueued = (enqueued: unknown): unknown => {
      if (typeof enqueued !== 'function') {
        readUse('action', enqueued, named.actions, place, report);
        return enqueued;
      }
      if (!('resolve' in enqueued)) report(place, 'an unnamed action');
      readCrafted(enqueued as CraftedAction, place, report);
      return watchAction(enqueued as Action, place, named);
    };
    watched.resolve = (scope, snapshot, given, params, _, extra) =>
      inside(place, () => {
        frozen(given);
        deepFreeze(params);
        if (!action.resolve) {
          runCustom(action, given, params);
          return [snapshot, undefined, undefined];
        }
        const [next, resolved, enqueued] = action.resolve(scope, snapshot, given, params, watched, extra);
        readValue(`${place} context`, next.context, snapshot.context);
        readValue(`${place} event`, resolved?.event ?? null);
        if (action.type === 'xstate.assign') readSpawned(snapshot, next, place);
        return [next, resolved, enqueued?.map(watchEnqueued)];
      });
    return watched;
  };

  return { inside, readValue, touch, watchAction, watchGuard, watchValue };
};

export type Watch = ReturnType<typeof createWatch>;
