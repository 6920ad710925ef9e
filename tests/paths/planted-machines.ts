import { assign } from 'xstate';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { impureMachine, onGo } from './impure-machine.ts';

/** What a file may keep between two steps, and what it may take of the world when it is loaded. */
let count = 0;
const seen = new Set<string>();
const texts: string[] = [];
const firstOf = new Map<string, number>();
const counter = (() => {
  const kept = { calls: 0 };
  return (): number => (kept.calls += 1);
})();
const { Date: Clock } = globalThis;
const now = Date['now'];
const { getFullYear } = Date.prototype;
const { random } = Math;

type Went = { event: { id: string } };

const assigned = (make: (given: Went) => unknown) => ({
  actions: { keep: assign({ it: (given: unknown) => make(given as Went) }) },
  config: onGo({ actions: 'keep' }),
});

const guarded = (isTrue: (given: Went) => boolean) => ({
  guards: { may: (given: unknown) => isTrue(given as Went) },
  config: onGo({ guard: 'may' }),
});

const cases = { go: [{ id: 'a' }, { id: 'b' }] };

const parts = {
  'a variable of the file': assigned(() => (count += 1)),
  'a collection of the file': guarded(({ event }) => !seen.has(event.id) && seen.add(event.id).size > 0),
  'a list of the file': assigned(({ event }) => texts.push(event.id)),
  'a memo of the file': assigned(({ event }) => {
    firstOf.set(event.id, (firstOf.get(event.id) ?? 0) + 1);
    return firstOf.get(event.id);
  }),
  'the clock under another name': assigned(() => Clock.now()),
  'a moment of the clock under another name': assigned(() => new Clock().toISOString().slice(0, 4)),
  'the clock by its name in brackets, taken when the file is loaded': assigned(() => Math.floor(now() / 1e12)),
  'a part of local time, taken when the file is loaded': assigned(() => getFullYear.call(new Clock('2026-12-31T20:00:00Z'))),
  'chance, taken when the file is loaded': assigned(() => random()),
  'what a function around keeps': assigned(() => counter()),
};

export const models: PathModel[] = Object.entries(parts).map(([name, planted]) => ({
  name,
  machine: impureMachine(planted),
  description: { title: '', about: '', states: {} },
  given: '',
  cases,
}));
