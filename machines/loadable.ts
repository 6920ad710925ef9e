import { assign, type EventObject } from 'xstate';
import type { Problem } from './model/problem.ts';
import { getProblem } from './ports.ts';

/**
 * Creates the action that stores a problem, as part of the pattern of screens that load data:
 * `loading`, then the state with the data, `notFound`, or `failed` with a retry. A machine uses the
 * parts that it needs: `keepProblem: keepProblem()` among its actions, `isMissing` among its
 * guards, `onError: toFailed` at its invoke, and `failed` among its states.
 */
export const keepProblem = <Context extends { problem: Problem | null }, Event extends EventObject>() =>
  assign<Context, Event, Problem, Event, never>((_, problem) => ({ problem }) as Partial<Context>);

/** `onError` of a call whose failure is shown by the state `failed`. */
export const toFailed = { target: 'failed', actions: { type: 'keepProblem', params: getProblem } } as const;

/** `onError` of a call for a resource that may not exist; requires the guard `isMissing`. */
export const failedOrNotFound = [{ guard: { type: 'isMissing', params: getProblem }, target: 'notFound' }, toFailed] as const;

/** The state of a screen whose data failed to load; the customer can retry. */
export const failed = { on: { 'retry.pressed': 'loading' } } as const;
