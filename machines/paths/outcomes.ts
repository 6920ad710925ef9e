import type { AnyStateMachine } from 'xstate';
import type { Problem } from '../model/problem.ts';
import type { Cases } from './explore.ts';
import { transitionsOf } from './transitions.ts';

/** Every kind of `Problem`, and what is none: a defect of a port, which rejects with whatever it threw. */
const everyRejection: readonly (Problem | string)[] = [
  { kind: 'offline' },
  { kind: 'timeout' },
  { kind: 'unauthorized' },
  { kind: 'invalidStore' },
  { kind: 'http', status: 500, message: 'HTTP Error: 500' },
  { kind: 'http', status: 404, message: 'HTTP Error: 404' },
  { kind: 'refused', code: 'refused', message: 'The server said no' },
  { kind: 'malformed', call: 'a call', field: 'a.field', message: 'not what it should be' },
  'TypeError: a defect',
];

const without = <Value>(all: readonly Value[], some: readonly Value[]): Value[] => {
  const known = new Set(some.map((each) => JSON.stringify(each)));
  return all.filter((each) => !known.has(JSON.stringify(each)));
};

/** The events of ports that reject, which a machine takes. */
const rejections = (machine: AnyStateMachine): string[] => [
  ...new Set(
    transitionsOf(machine)
      .map(({ eventType }) => String(eventType))
      .filter((type) => type.startsWith('xstate.error.actor.')),
  ),
];

/**
 * The cases of a machine's events, where every port may reject with every kind of `Problem`, after the cases that are given.
 * That a port answers is what the given cases say; that it never answers is no event, but what `leadsTo` and the rule of
 * states that wait are about. `caseOf` makes a case of a rejection.
 */
export const withEveryRejection = (
  machine: AnyStateMachine,
  cases: Cases = {},
  caseOf: (error: Problem | string) => Record<string, unknown> = (error) => ({ error }),
): Cases => ({
  ...cases,
  ...Object.fromEntries(
    rejections(machine).map((type) => {
      const given = cases[type] ?? [];
      const open = without(
        everyRejection,
        given.map(({ error }) => error as Problem),
      );
      return [type, [...given, ...open.map(caseOf)]];
    }),
  ),
});
