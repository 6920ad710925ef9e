import { assign, setup } from 'xstate';
import { expect, test } from 'vitest';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { runPaths } from '../../tools/paths/run.ts';

const description = { title: 'A <door>', about: 'Opens & shuts.', states: { 'door.shut': 'Shut.', 'door.open': 'Open.' } };

const door = setup({ guards: { isLocked: () => false } }).createMachine({
  id: 'door',
  initial: 'shut',
  states: {
    shut: { on: { push: [{ guard: 'isLocked', target: 'stuck' }, { target: 'open' }] } },
    open: { on: { pull: 'shut' } },
    stuck: { on: { kick: 'open' } },
  },
});
const counter = setup({
  types: {} as { context: { count: number } },
  actions: { count: assign({ count: ({ context }) => context.count + 1 }) },
}).createMachine({ id: 'counter', context: { count: 0 }, on: { more: { actions: 'count' } } });

const makeModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'door',
  machine: door,
  description,
  startInstruction: 'Stand before it.',
  ...overrides,
});

const runCommand = async (args: string[], ...models: PathModel[]) => {
  const lines: string[] = [];
  const complaints: string[] = [];
  const printer = { print: (text: string) => lines.push(text), complain: (text: string) => complaints.push(text) };
  const code = await runPaths(
    args,
    Map.groupBy(models, ({ name }) => name),
    printer,
  );
  return { code, output: lines.join('\n'), complaints: complaints.join('\n') };
};

const unreachedSteps = ['door.stuck', 'door.shut push#0', 'door.stuck kick', 'door.shut push#0 is true'];

test('the run names a step that throws, and fails', async () => {
  const machine = setup({
    actions: {
      slip: assign(() => {
        throw new Error('slipped');
      }),
    },
  }).createMachine({ id: 'stair', on: { step: { actions: 'slip' } } });
  const { code, complaints } = await runCommand([], makeModel({ name: 'stair', machine }));
  expect(code).toBe(1);
  expect(complaints).toContain('stair: {} throws on step');
});

test('the run names transitions that no test reaches, and fails', async () => {
  const { code, output, complaints } = await runCommand(['--json'], makeModel({}));
  expect(code).toBe(1);
  expect(JSON.parse(output)).toMatchObject([
    { machine: 'door', states: { covered: 3, total: 4 }, transitions: { covered: 2, total: 4 }, uncovered: unreachedSteps },
  ]);
  for (const name of unreachedSteps) expect(complaints).toContain(`door: ${name}`);
});

test('a plan has the specification rows of the machine’s states and transitions', async () => {
  const machine = setup({}).createMachine({
    id: 'gate',
    initial: 'shut',
    states: { shut: { on: { push: { target: 'open', meta: { spec: ['S9.gate'] } } } }, open: { meta: { spec: ['S9.open'] } } },
  });
  const { output } = await runCommand(['--machine', 'gate', '--format', 'md'], makeModel({ name: 'gate', machine }));
  expect(output).toContain('`push`. (S9.gate, S9.open)');
});

test('a plan that leaves out transitions names them, and fails', async () => {
  const { code, output, complaints } = await runCommand(['--machine', 'door'], makeModel({}));
  expect(code).toBe(1);
  expect(complaints).toBe('Not covered:\n  door: door.shut push#0\n  door: door.stuck kick');
  expect(output).toContain('**Left out:**\n\n- `door.shut push#0`\n- `door.stuck kick`\n');
});

test('a walk does not fail for transitions that it leaves out', async () => {
  const { code, output } = await runCommand(['--machine', 'door', '--seed', '1', '--walks', '1', '--length', '2'], makeModel({}));
  expect(code).toBe(0);
  expect(output).not.toContain('Left out');
});

test('a machine whose context grows without bound is reported with the key that grows', async () => {
  const { code, complaints } = await runCommand([], makeModel({ name: 'counter', machine: counter, limit: 50, perKind: 100 }));
  expect(code).toBe(1);
  expect(complaints).toContain('growing: count');
});

test('descriptions are escaped in an HTML page', async () => {
  const { output } = await runCommand(
    ['--machine', 'door', '--format', 'html'],
    makeModel({ startInstruction: 'Say "<script>alert(1)</script>".' }),
  );
  expect(output).toContain('<h1>A &lt;door&gt;</h1>');
  expect(output).toContain('Opens &amp; shuts.');
  expect(output).toContain('Say &quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;.');
  expect(output).not.toContain('<script>alert');
});

test('fuzzing that finds a broken rule prints its steps, and fails', async () => {
  const machine = setup({}).createMachine({
    id: 'trap',
    initial: 'open',
    states: { open: { on: { push: 'failed' } }, failed: { tags: 'busy' } },
    context: { pii: { name: '' } },
    on: { named: { actions: assign({ pii: { name: 'Ines' } }) } },
  });
  const { code, output, complaints } = await runCommand(
    ['--fuzz', '--seconds', '1', '--seed', '3'],
    makeModel({ name: 'trap', machine }),
  );
  expect(code).toBe(1);
  expect(output).toMatch(/^trap, start 1 of 1: \d+ paths, \d+ steps\nseed 3$/);
  expect(complaints).toContain(
    'trap breaks a rule: personal data is kept only in states that declare it (pii is kept in trap.open)',
  );
  expect(complaints).toContain('1. Meanwhile: `named`.');
  expect(complaints).toContain('Rerun: npm run paths -- --fuzz --machine trap --seed 3');
});

test('fuzzing that finds nothing reports its numbers of paths and steps', async () => {
  const { code, output } = await runCommand(['--fuzz', '--seconds', '1'], makeModel({}));
  expect(code).toBe(0);
  expect(output).toMatch(/^door, start 1 of 1: \d+ paths, \d+ steps\nseed \d+: every rule held$/);
});
