import { assign, type EventObject } from 'xstate';
import type { Problem } from './model/problem.ts';
import { problemIn } from './ports.ts';

/**
 * The pattern of screens that load something and show it: `loading`, then what was loaded, or `notFound`, or `failed` with
 * a way to try again. A machine takes what it needs of it and names the rest: `keepProblem: keepProblem()` among its
 * actions, `isMissing` among its guards, `onError: fails` at its call, `failed` among its states.
 */
export const keepProblem = <Context extends { problem: Problem | null }, Event extends EventObject>() =>
  assign<Context, Event, Problem, Event, never>((_, problem) => ({ problem }) as Partial<Context>);

/** `onError` of a call that fails. */
export const fails = { target: 'failed', actions: { type: 'keepProblem', params: problemIn } } as const;

/** `onError` of a call for something that may not be there; the guard `isMissing` goes with it. */
export const failsOrIsMissing = [{ guard: { type: 'isMissing', params: problemIn }, target: 'notFound' }, fails] as const;

/** The state of a screen that could not be loaded. */
export const failed = { on: { 'retry.pressed': 'loading' } } as const;
