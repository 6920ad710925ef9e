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

const model = (part: Partial<PathModel>): PathModel => ({
  name: 'door',
  machine: door,
  description,
  given: 'Stand before it.',
  ...part,
});

const run = async (args: string[], ...models: PathModel[]) => {
  const printed: string[] = [];
  const complaints: string[] = [];
  const printer = { print: (text: string) => printed.push(text), complain: (text: string) => complaints.push(text) };
  const code = await runPaths(
    args,
    Map.groupBy(models, ({ name }) => name),
    printer,
  );
  return { code, printed: printed.join('\n'), complaints: complaints.join('\n') };
};

const unreachedSteps = ['door.stuck', 'door.shut push#0', 'door.stuck kick', 'door.shut push#0 is true'];

test('a step that throws is named too', async () => {
  const machine = setup({
    actions: {
      slip: assign(() => {
        throw new Error('slipped');
      }),
    },
  }).createMachine({ id: 'stair', on: { step: { actions: 'slip' } } });
  const { code, complaints } = await run([], model({ name: 'stair', machine }));
  expect(code).toBe(1);
  expect(complaints).toContain('stair: {} throws on step');
});

test('the run names transitions that no test reaches, and fails', async () => {
  const { code, printed, complaints } = await run(['--json'], model({}));
  expect(code).toBe(1);
  expect(JSON.parse(printed)).toMatchObject([
    { machine: 'door', states: { covered: 3, total: 4 }, transitions: { covered: 2, total: 4 }, uncovered: unreachedSteps },
  ]);
  for (const name of unreachedSteps) expect(complaints).toContain(`door: ${name}`);
});

test('the specification rows named by a machine’s states and transitions are its rows', async () => {
  const machine = setup({}).createMachine({
    id: 'gate',
    initial: 'shut',
    states: { shut: { on: { push: { target: 'open', meta: { spec: ['S9.gate'] } } } }, open: { meta: { spec: ['S9.open'] } } },
  });
  const { printed } = await run(['--machine', 'gate', '--format', 'md'], model({ name: 'gate', machine }));
  expect(printed).toContain('`push`. (S9.gate, S9.open)');
});

test('a plan that leaves out transitions fails, too, and names them', async () => {
  const { code, printed, complaints } = await run(['--machine', 'door'], model({}));
  expect(code).toBe(1);
  expect(complaints).toBe('Not covered:\n  door: door.shut push#0\n  door: door.stuck kick');
  expect(printed).toContain('**Left out:**\n\n- `door.shut push#0`\n- `door.stuck kick`\n');
});

test('a walk promises no coverage, so that none is missing', async () => {
  const { code, printed } = await run(['--machine', 'door', '--seed', '1', '--walks', '1', '--length', '2'], model({}));
  expect(code).toBe(0);
  expect(printed).not.toContain('Left out');
});

test('a machine whose context grows without end is reported with the key that grows', async () => {
  const { code, complaints } = await run([], model({ name: 'counter', machine: counter, limit: 50, perKind: 100 }));
  expect(code).toBe(1);
  expect(complaints).toContain('growing: count');
});

test('descriptions are escaped in a page', async () => {
  const { printed } = await run(['--machine', 'door', '--format', 'html'], model({ given: 'Say "<script>alert(1)</script>".' }));
  expect(printed).toContain('<h1>A &lt;door&gt;</h1>');
  expect(printed).toContain('Opens &amp; shuts.');
  expect(printed).toContain('Say &quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;.');
  expect(printed).not.toContain('<script>alert');
});

test('fuzzing that finds a broken rule says how, and fails', async () => {
  const machine = setup({}).createMachine({
    id: 'trap',
    initial: 'open',
    states: { open: { on: { push: 'failed' } }, failed: { tags: 'busy' } },
    context: { pii: { name: '' } },
    on: { named: { actions: assign({ pii: { name: 'Ines' } }) } },
  });
  const { code, printed, complaints } = await run(['--fuzz', '--seconds', '1', '--seed', '3'], model({ name: 'trap', machine }));
  expect(code).toBe(1);
  expect(printed).toMatch(/^trap, start 1 of 1: \d+ paths, \d+ steps\nseed 3$/);
  expect(complaints).toContain('trap breaks a rule: what is personal is kept only where it is needed (pii is kept in trap.open)');
  expect(complaints).toContain('1. Meanwhile: `named`.');
  expect(complaints).toContain('Rerun: npm run paths -- --fuzz --machine trap --seed 3');
});

test('fuzzing that finds nothing reports how far it got', async () => {
  const { code, printed } = await run(['--fuzz', '--seconds', '1'], model({}));
  expect(code).toBe(0);
  expect(printed).toMatch(/^door, start 1 of 1: \d+ paths, \d+ steps\nseed \d+: every rule held$/);
});
