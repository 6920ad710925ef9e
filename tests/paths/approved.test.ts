import { readdir, readFile } from 'node:fs/promises';
import { assign, createMachine, sendParent, setup, type AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import { getApprovedFile, approvedFolder, describeMachine, selectMachines } from '../../tools/paths/behaviour.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

const approveHint = 'if the change is intended: npm run paths -- --approve, and review the difference before committing it';

test.each(selectMachines(modelsByMachine))('%s behaves as approved', async (name, starts) => {
  expect(describeMachine(name, starts), approveHint).toBe(await readFile(getApprovedFile(name), 'utf8'));
});

test('every approved file has its machine', async () => {
  const files = await readdir(approvedFolder);
  expect(files.toSorted()).toEqual(
    selectMachines(modelsByMachine)
      .map(([name]) => `${name}.txt`)
      .toSorted(),
  );
});

const config = {
  id: 'till',
  context: { taken: 0 },
  initial: 'open',
  states: {
    open: {
      tags: 'ready',
      on: { paid: { guard: 'isEnough', target: 'closed', actions: ['keep', 'tell'] } },
      after: { 500: 'closed' },
    },
    closed: { on: { opened: 'open', left: 'done' } },
    done: { type: 'final' },
  },
  output: ({ context }: { context: { taken: number } }) => context.taken,
};

const tillSetup = setup({
  types: {} as { context: { taken: number }; events: { type: 'paid'; amount: number } | { type: 'opened' } | { type: 'left' } },
  actions: {
    keep: assign({ taken: ({ context, event }) => context.taken + (event.type === 'paid' ? event.amount : 0) }),
    tell: sendParent(({ context }) => ({ type: 'told', taken: context.taken })),
  },
  guards: { isEnough: ({ event }) => event.type === 'paid' && event.amount >= 5 },
});

const makeModel = (machine: AnyStateMachine): PathModel => ({
  name: 'till',
  machine,
  description: { title: '', about: '', states: {} },
  startInstruction: 'Open the till.',
  cases: { paid: [{ amount: 5 }, { amount: 4 }] },
});

const originalMachine = tillSetup.createMachine(config as never) as unknown as AnyStateMachine;
const { open, closed, done } = config.states;
const withStates = (states: object, overrides: object = {}) =>
  createMachine(
    { ...config, ...overrides, states: { open, closed, done, ...states } } as never,
    originalMachine.implementations as never,
  );
const withOpen = (overrides: object) => withStates({ open: { ...open, ...overrides } });
const withPaid = (overrides: object) => withOpen({ on: { paid: { ...open.on.paid, ...overrides } } });

test.each([
  ['another target', withPaid({ target: 'open' })],
  ['a guard that is dropped', withPaid({ guard: undefined })],
  ['an action that is dropped', withPaid({ actions: ['tell'] })],
  ['actions that are swapped', withPaid({ actions: ['tell', 'keep'] })],
  ['another delay', withOpen({ after: { 600: 'closed' } })],
  ['a tag that is missing', withOpen({ tags: [] })],
  ['a final state that is no longer final', withStates({ done: {} })],
  ['another output', withStates({}, { output: () => 7 })],
  ['another assignment', originalMachine.provide({ actions: { keep: assign({ taken: 7 }) } })],
  ['another event to the parent', originalMachine.provide({ actions: { tell: sendParent({ type: 'told', taken: 0 }) } })],
  ['a guard with another result', originalMachine.provide({ guards: { isEnough: () => true } })],
] as [string, AnyStateMachine][])('%s changes the approved text', (_, changedMachine) => {
  const originalText = describeMachine('till', [makeModel(originalMachine)]);
  expect(originalText).toBe(describeMachine('till', [makeModel(originalMachine)]));
  expect(describeMachine('till', [makeModel(changedMachine)])).not.toBe(originalText);
});
