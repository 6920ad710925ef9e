import { assign } from 'xstate';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { createImpureMachine, makeGoConfig } from './impure-machine.ts';

// State that this file keeps between two steps.
let callCount = 0;
const seenEvents = new Set<string>();
const seenTexts: string[] = [];
const firstValues = new Map<string, number>();
const countCall = (() => {
  const callState = { calls: 0 };
  return (): number => (callState.calls += 1);
})();
// Globals that this file reads when it is loaded.
const { Date: Clock } = globalThis;
const now = Date['now'];
const { getFullYear } = Date.prototype;
const { random } = Math;

type GoEvent = { event: { id: string } };

const assignMachine = (compute: (input: GoEvent) => unknown) => ({
  actions: { keep: assign({ it: (input: unknown) => compute(input as GoEvent) }) },
  config: makeGoConfig({ actions: 'keep' }),
});

const guardMachine = (isTrue: (input: GoEvent) => boolean) => ({
  guards: { may: (input: unknown) => isTrue(input as GoEvent) },
  config: makeGoConfig({ guard: 'may' }),
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
  'state in an enclosing function': assignMachine(() => countCall()),
};

export const models: PathModel[] = Object.entries(impureParts).map(([name, options]) => ({
  name,
  machine: createImpureMachine(options),
  description: { title: '', about: '', states: {} },
  startInstruction: '',
  cases,
}));
