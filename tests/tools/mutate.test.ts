import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accepted } from '../../tools/mutate/accepted-mutants.ts';
import { findMutants } from '../../tools/mutate/find-mutants.ts';
import { judgeAll } from '../../tools/mutate/judge-all.ts';
import { findMachineFiles } from '../../tools/mutate/machine-files.ts';
import { applyMutant, type Mutant } from '../../tools/mutate/mutant.ts';
import { runMutate } from '../../tools/mutate/run.ts';
import { projectRoot } from './support/tree.ts';

const tillSource = `
import { assign, sendParent, setup } from 'xstate';
export const tillMachine = setup({
  types: {} as { context: { taken: number } },
  actions: {
    keep: assign({ taken: ({ context }) => context.taken + 1 }),
    tell: sendParent(({ context }) => ({ type: 'told', taken: context.taken })),
  },
  guards: { isOpen: ({ context }) => context.taken < 9 },
  delays: { soon: 800 },
}).createMachine({
  id: 'till',
  context: { taken: 0 },
  initial: 'open',
  states: {
    open: {
      tags: 'ready',
      invoke: { id: 'count', src: 'count', input: ({ context }) => ({ taken: context.taken }), onDone: 'closed' },
      on: { paid: [{ guard: 'isOpen', target: 'closed', actions: ['keep', 'tell'] }, { target: 'closed' }] },
      after: { soon: 'closed' },
    },
    closed: { meta: { spec: ['S2./'] }, type: 'final' },
  },
});
`;

const listMutantKeys = (kind: Mutant['kind']): string[] =>
  findMutants('till.ts', tillSource)
    .filter((mutant) => mutant.kind === kind)
    .map(({ key }) => key.slice('till.ts '.length));

describe('mutants of a machine', () => {
  test.each([
    ['targets', 'states.open.on.paid[0].target: leads to open instead of closed'],
    ['targets', 'states.open.invoke.onDone: leads to open instead of closed'],
    ['guards', 'states.open.on.paid[0].guard: isOpen is left out'],
    ['guards', 'states.open.on.paid[0].guard: isOpen is negated'],
    ['guards', 'guards.isOpen: context.taken < 9 has <='],
    ['order', 'states.open.on.paid[0]: comes after the next'],
    ['order', 'states.open.on.paid[0].actions[0]: comes after the next'],
    ['transitions', 'states.open.on.paid[1]: the alternative is left out'],
    ['transitions', 'states.open.after.soon: the transition is left out'],
    ['actions', 'states.open.on.paid[0].actions[1]: tell is left out'],
    ['delays', 'delays.soon: is 8001'],
    ['assignments', 'actions.keep: taken is left out'],
    ['assignments', 'actions.keep: taken is null'],
    ['inputs', 'states.open.invoke.input: taken is null'],
    ['invokes', 'states.open.invoke: the invoke is left out'],
    ['events', "actions.tell: type is 'changed'"],
    ['events', 'actions.tell: taken is null'],
    ['outputs', 'states.closed.type: final is left out'],
    ['tags', 'states.open.tags: tags is left out'],
    ['meta', 'states.closed.meta: meta is left out'],
  ] as const)('a mutant of %s is found: %s', (kind, key) => {
    expect(listMutantKeys(kind)).toContain(key);
  });

  const partsSource = `
export const tillSetup = (empty) => ({
  actions: { keep: assign(({ context }) => ({ taken: context.taken + 1 })) },
  guards: { isOpen: ({ context }) => context.taken < 9 },
});
export const tillStates = ({ count, paid }) => {
  return {
    onFailure: { retried: { guard: 'isOpen', actions: 'keep' } },
    states: {
      open: { on: when(paid, 'closed'), invoke: { id: count, src: count, onDone: 'closed' } },
      closed: { on: when(paid, 'open') },
    },
  };
};
`;
  test.each([
    ['tillSetup.actions.keep: taken is left out'],
    ['tillSetup.guards.isOpen: is always true'],
    ['tillStates.onFailure.retried: the transition is left out'],
    ['tillStates.states.open.on: leads to open instead of closed'],
    ['tillStates.states.open.invoke.onDone: leads to open instead of closed'],
  ])('a mutant is found in a function that returns a part of a machine: %s', (key) => {
    expect(findMutants('till.ts', partsSource).map((mutant) => mutant.key)).toContain(`till.ts ${key}`);
  });

  test('in a part without states, a mutant leads to another state that the part names', () => {
    const askingSource = "export const asking = { on: { confirmed: 'removing', cancelled: 'shown' } } as const;";
    expect(findMutants('asking.ts', askingSource).map((mutant) => mutant.key)).toContain(
      'asking.ts asking.on.confirmed: leads to shown instead of removing',
    );
  });

  test('a mutant of a guard has the same key in a setup file as beside the states', () => {
    const [setupSource = ''] = tillSource.replace('tillMachine', 'tillSetup').split('.createMachine');
    expect(findMutants('till-setup.ts', setupSource).map((mutant) => mutant.key)).toContain(
      'till-setup.ts guards.isOpen: context.taken < 9 has <=',
    );
  });

  test('each mutant has its own key and its own change of the file', () => {
    const mutants = findMutants('till.ts', tillSource);
    expect(new Set(mutants.map(({ key }) => key)).size).toBe(mutants.length);
    expect(new Set(mutants.map((mutant) => applyMutant(tillSource, mutant))).size).toBe(mutants.length);
  });
});

const progressFile = 'machines/reading/progress.ts';
const progressSetupFile = 'machines/reading/progress-setup.ts';

/** A mutant of the machine that saves the position: of its states, or of its setup. */
const makeMutant = (original: string, text: string, file = progressFile): Mutant => {
  const start = readFileSync(join(projectRoot, file), 'utf8').indexOf(original);
  expect(start).toBeGreaterThan(0);
  return { key: text, file, line: 1, kind: 'functions', start, end: start + original.length, text };
};

test('a mutant that loops is killed, and the next one is judged', async () => {
  const loopingMutant = makeMutant('offered: null })', 'offered: (() => { for (;;); })() })', progressSetupFile);
  const killedMutant = makeMutant("close: 'closed'", "close: 'moved'");
  const equivalentMutant = makeMutant('saved:', 'saved :');
  const options = { root: projectRoot, threads: 1, replays: false, rules: false, timeOut: 5000 };
  const verdicts = await judgeAll([loopingMutant, killedMutant, equivalentMutant], options);
  expect(verdicts.get(loopingMutant.key)?.byPaths).toBe('does not end within 5 s');
  expect(verdicts.get(killedMutant.key)?.byPaths).toBe('progress does not do what was approved');
  expect(verdicts.get(equivalentMutant.key)).toEqual({ byPaths: null, byReplay: null });
});

test('a mutant that takes all memory ends only its thread, and the next one is judged', async () => {
  const memoryMutant = makeMutant(
    'offered: null })',
    'offered: (() => { const kept = []; for (;;) kept.push(new Array(1e5).fill({})); })() })',
    progressSetupFile,
  );
  const killedMutant = makeMutant("close: 'closed'", "close: 'moved'");
  const verdicts = await judgeAll([memoryMutant, killedMutant], {
    root: projectRoot,
    threads: 1,
    replays: false,
    rules: false,
    timeOut: 60_000,
  });
  expect(verdicts.get(memoryMutant.key)?.byPaths).toMatch(/^ends its thread: .*reaching memory limit/);
  expect(verdicts.get(killedMutant.key)?.byPaths).toBe('progress does not do what was approved');
});

test('with rules alone, a mutant that only the approved text shows survives', async () => {
  const delayMutant = makeMutant('saveSoon: 800', 'saveSoon: 801', progressSetupFile);
  const ruleBreakingMutant = makeMutant("onError: 'closed'", "onError: 'saved'");
  const verdicts = await judgeAll([delayMutant, ruleBreakingMutant], {
    root: projectRoot,
    threads: 1,
    replays: false,
    rules: true,
    timeOut: 30_000,
  });
  expect(verdicts.get(delayMutant.key)?.byPaths).toBeNull();
  expect(verdicts.get(ruleBreakingMutant.key)?.byPaths).toMatch(/^progress breaks the rule that /);
});

test('every accepted mutant exists', async () => {
  const keys = new Set((await findMachineFiles(projectRoot)).flatMap(({ mutants }) => mutants.map(({ key }) => key)));
  expect(Object.keys(accepted).filter((key) => !keys.has(key))).toEqual([]);
});

test('a part shared by several machines is judged by the tests of the purchase, which uses it', async () => {
  const file = (await findMachineFiles(projectRoot)).find(({ names }) => names.includes('ways-to-pay'));
  expect(file?.tests).toEqual(expect.arrayContaining([expect.stringContaining('tests/flows/purchase/')]));
});

test('the actions and guards of a machine are judged by its tests', async () => {
  const files = await findMachineFiles(projectRoot);
  const [setup, states] = [progressSetupFile, progressFile].map((path) => files.find(({ file }) => file === path));
  expect(setup?.names).toEqual(['progress']);
  expect(setup?.tests).toEqual(states?.tests);
});

test('nine of ten mutants of a sample are killed', async () => {
  const lines: string[] = [];
  const printer = { print: (text: string) => void lines.push(text), complain: () => {} };
  expect(await runMutate(projectRoot, ['--sample', '60', '--seed', '12', '--quick'], printer)).toBe(0);
  expect(lines.join('\n')).toContain('mutants');
}, 300_000);

test.each([
  [['--machine', 'nothing'], '--machine nothing: expected one of'],
  [['--sample', 'some'], '--sample some: not a whole number'],
  [['--sampel'], '--sampel'],
  [['--rules', '--replays'], '--rules and --replays exclude each other: --rules omits the recorded visits'],
])('the arguments %j are refused', async (args, complaint) => {
  const complaints: string[] = [];
  const printer = { print: () => {}, complain: (text: string) => void complaints.push(text) };
  expect(await runMutate(projectRoot, args, printer)).toBe(2);
  expect(complaints.join('\n')).toContain(complaint);
});
