import type { AnyStateMachine } from 'xstate';
import type { Problem } from '../model/problem.ts';
import type { Cases } from './explore.ts';
import { getTransitions } from './transitions.ts';

/**
 * Every kind of `Problem`, and one other value: a port with a defect rejects with the thrown error.
 */
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

const exclude = <Value>(values: readonly Value[], excluded: readonly Value[]): Value[] => {
  const excludedTexts = new Set(excluded.map((each) => JSON.stringify(each)));
  return values.filter((each) => !excludedTexts.has(JSON.stringify(each)));
};

/** The error events of ports that a machine handles. */
const getRejectionTypes = (machine: AnyStateMachine): string[] => [
  ...new Set(
    getTransitions(machine)
      .map(({ eventType }) => String(eventType))
      .filter((type) => type.startsWith('xstate.error.actor.')),
  ),
];

/**
 * The cases of a machine's events, extended so that every port may reject with every kind of
 * `Problem`. Successful answers come from the given cases; a missing answer is not an event, but is
 * covered by `leadsTo` and by the rule about states that wait. `toCase` makes a case of a
 * rejection.
 */
export const withEveryRejection = (
  machine: AnyStateMachine,
  cases: Cases = {},
  toCase: (error: Problem | string) => Record<string, unknown> = (error) => ({ error }),
): Cases => ({
  ...cases,
  ...Object.fromEntries(
    getRejectionTypes(machine).map((type) => {
      const declaredCases = cases[type] ?? [];
      const missingRejections = exclude(
        everyRejection,
        declaredCases.map(({ error }) => error as Problem),
      );
      return [type, [...declaredCases, ...missingRejections.map(toCase)]];
    }),
  ),
});
