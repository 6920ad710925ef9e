import { assign } from 'xstate';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { createImpureMachine, goTransition } from './impure-machine.ts';

/**
 * State that a file might keep between two steps, and globals that it might read when it is loaded.
 */
let callCount = 0;
const seenEvents = new Set<string>();
const seenTexts: string[] = [];
const firstValues = new Map<string, number>();
const counter = (() => {
  const kept = { calls: 0 };
  return (): number => (kept.calls += 1);
})();
const { Date: Clock } = globalThis;
const now = Date['now'];
const { getFullYear } = Date.prototype;
const { random } = Math;

type GoEvent = { event: { id: string } };

const assignMachine = (make: (given: GoEvent) => unknown) => ({
  actions: { keep: assign({ it: (given: unknown) => make(given as GoEvent) }) },
  config: goTransition({ actions: 'keep' }),
});

const guardMachine = (isTrue: (given: GoEvent) => boolean) => ({
  guards: { may: (given: unknown) => isTrue(given as GoEvent) },
  config: goTransition({ guard: 'may' }),
});

const cases = { go: [{ id: 'a' }, { id: 'b' }] };

const impureParts = {
  'a variable of the file': assignMachine(() => (callCount += 1)),
  'a collection of the file': guardMachine(({ event }) => !seenEvents.has(event.id) && seenEvents.add(event.id).size > 0),
  'a list of the file': assignMachine(({ event }) => seenTexts.push(event.id)),
  'a memo of the file': assignMachine(({ event }) => {
    firstValues.set(event.id, (firstValues.get(event.id) ?? 0) + 1);
    return firstValues.get(event.id);
  }),
  'the clock under another name': assignMachine(() => Clock.now()),
  'a moment of the clock under another name': assignMachine(() => new Clock().toISOString().slice(0, 4)),
  'the clock by its name in brackets, taken when the file is loaded': assignMachine(() => Math.floor(now() / 1e12)),
  'a part of local time, taken when the file is loaded': assignMachine(() => getFullYear.call(new Clock('2026-12-31T20:00:00Z'))),
  'chance, taken when the file is loaded': assignMachine(() => random()),
  'state in an enclosing function': assignMachine(() => counter()),
};

export const models: PathModel[] = Object.entries(impureParts).map(([name, planted]) => ({
  name,
  machine: createImpureMachine(planted),
  description: { title: '', about: '', states: {} },
  given: '',
  cases,
}));
