import { assign, createActor, setup, type Actor, type AnyActor } from 'xstate';
import { expect, test } from 'vitest';
import type { Trace } from '../../machines/trace/format.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';
import { unredacted } from '../../machines/trace/plain.ts';
import { createRecorder, collectUses, type RetainedRun, type Limits } from '../../machines/trace/recorder.ts';
import { replay } from '../../machines/trace/replay.ts';
import { openTraceStore, readSavedTrace, type TraceStorage } from '../../machines/trace/trace-store.ts';
import { tap } from '../../machines/trace/tap.ts';
import { createTable } from '../../machines/trace/table.ts';
import { unpackRuns } from './recorded.ts';
import { recordSession, createSimulatedTime, noLimits } from './session.ts';

const notebook = setup({
  types: {} as { context: { lines: string[] }; events: { type: 'written'; line: string } },
  actions: { keep: assign({ lines: ({ context, event }) => [...context.lines.slice(-2), event.line] }) },
}).createMachine({ id: 'notebook', context: { lines: [] }, on: { written: { actions: 'keep' } } });

const traceLimits: Limits = { size: 20_000, age: 30 * 60_000, runSize: 4_000, runAge: 5 * 60_000 };
const label = { build: '1+test', machines: { notebook: 'abc' }, store: 'harbour', locale: 'en' };

const startRecorder = (earlier: RetainedRun[] = [], limits = traceLimits, table = createTable()) => {
  const time = createSimulatedTime();
  const recorder = createRecorder({
    input: null,
    startedAt: 0,
    redact: unredacted,
    table,
    bounds: limits,
    root: (): AnyActor => actor,
    earlier,
  });
  const actor: Actor<typeof notebook> = createActor(
    notebook,
    tap({ now: time.now, set: time.set, clear: time.clear }, recorder.take),
  );
  actor.start();
  const write = async (line: string, ms = 1_000) => {
    await time.pass(ms);
    actor.send({ type: 'written', line });
    recorder.trim(time.now());
  };
  return { write, recorder, table };
};

const readStoredTrace = (storage: TraceStorage): Trace => traceFromJson(JSON.parse(readSavedTrace(storage) ?? '') as Trace);

const createMemoryStorage = (capacity = Infinity): TraceStorage & { items: Map<string, string> } => {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => {
      const usedSize = [...items].reduce((sum, [, text]) => sum + text.length, 0);
      if (usedSize + value.length > capacity) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
  };
};

test.each([
  ['short', ''],
  // These values are in the table, like answers of the server.
  ['long', ` ${'and so on '.repeat(50)}`],
])('recorded runs of %s values stay within the size limit, the newest last, and each can be replayed', async (_, suffix) => {
  const { write, recorder, table } = startRecorder();
  for (let line = 0; line < 500; line += 1) {
    await write(`line ${line}${suffix}`, 10);
    expect(
      recorder.runs().reduce((sum, { size }) => sum + size, 0) + table.sizeOf(collectUses(recorder.runs())),
    ).toBeLessThanOrEqual(traceLimits.size + 300);
  }
  const runs = unpackRuns(recorder.runs(), table);
  expect(runs.length).toBeGreaterThan(3);
  expect(runs[0]).toHaveProperty('from');
  for (const run of runs) expect(replay(notebook, run).divergence).toBeNull();
  expect(JSON.stringify(runs.at(-1))).toContain('line 499');
});

test('runs that ended before the age limit are dropped', async () => {
  const { write, recorder, table } = startRecorder();
  await write('early');
  await write('late', traceLimits.age + traceLimits.runAge);
  await write('later', traceLimits.age + 1);
  const text = JSON.stringify(unpackRuns(recorder.runs(), table));
  expect(text).not.toContain('"line":"early"');
  expect(text).toContain('"line":"later"');
});

test('a run larger than the limit is dropped, and the next run is recorded', async () => {
  const { write, recorder, table } = startRecorder();
  await write('x'.repeat(30_000));
  expect(recorder.runs()).toEqual([]);
  for (let line = 0; line < 4; line += 1) await write(`small ${line}`);
  await write('small at last', traceLimits.runAge + 1);
  await write('and the next');
  const runs = unpackRuns(recorder.runs(), table);
  expect(JSON.stringify(runs)).toContain('and the next');
  for (const run of runs) expect(replay(notebook, run).divergence).toBeNull();
});

test('runs are restored after a reload, with their pseudonyms', async () => {
  const storage = createMemoryStorage();
  const firstStore = openTraceStore(storage, label);
  const firstRecorder = startRecorder(firstStore.earlier, traceLimits, firstStore.table);
  await firstRecorder.write('before the reload');
  firstStore.drawn.set('a hash', 'a name');
  firstStore.save(label, firstRecorder.recorder.runs());

  const secondStore = openTraceStore(storage, label);
  expect([...secondStore.drawn]).toEqual([['a hash', 'a name']]);
  const secondRecorder = startRecorder(secondStore.earlier, traceLimits, secondStore.table);
  await secondRecorder.write('after the reload');
  secondStore.save(label, secondRecorder.recorder.runs());

  const trace = readStoredTrace(storage);
  expect(trace).toMatchObject({ format: 5, ...label });
  expect(trace.runs.map((run) => JSON.stringify(run).match(/(before|after) the reload/)?.[0])).toEqual([
    'before the reload',
    'after the reload',
  ]);
  expect(readSavedTrace(storage)).not.toContain('a name');
});

test('a page load after the clock was set back starts at the end of the previous one, and its steps keep their intervals', async () => {
  const minute = 60_000;
  const firstRecorder = startRecorder();
  await firstRecorder.write('at one minute', minute);
  const earlier = firstRecorder.recorder.runs();
  // The clock of the second recorder starts at 0, a minute earlier.
  const { write, recorder } = startRecorder(earlier, traceLimits, firstRecorder.table);
  await write('after two seconds', 2_000);
  await write('in a run of its own', traceLimits.runAge + 1);
  await write('and another', 1_000);
  const runs = unpackRuns(recorder.runs(), firstRecorder.table);
  expect(runs.map(({ startedAt }) => startedAt)).toEqual([0, minute, minute + 2_000 + traceLimits.runAge + 1]);
  expect(runs.map(({ steps }) => steps.at(-1)?.at)).toEqual([minute, 2_000 + traceLimits.runAge + 1, 1_000]);
  for (const run of runs) expect(replay(notebook, run).divergence).toBeNull();
});

test('runs of another build are dropped: a trace never mixes builds', async () => {
  const storage = createMemoryStorage();
  const oldStore = openTraceStore(storage, label);
  const oldRecorder = startRecorder([], traceLimits, oldStore.table);
  await oldRecorder.write('by the old machines');
  oldStore.save(label, oldRecorder.recorder.runs());
  const newLabel = { ...label, build: '2+test', machines: { notebook: 'def' } };
  const traceStore = openTraceStore(storage, newLabel);
  const { write, recorder } = startRecorder(traceStore.earlier, traceLimits, traceStore.table);
  await write('by the new machines');
  traceStore.save(newLabel, recorder.runs());
  const trace = readStoredTrace(storage);
  expect([trace.build, trace.runs.length]).toEqual(['2+test', 1]);
  expect(JSON.stringify([...storage.items])).not.toContain('by the old machines');
});

test('a trace that did not fit is stored completely once there is space again', async () => {
  let capacity = Infinity;
  const storage = createMemoryStorage();
  const { setItem } = storage;
  storage.setItem = (key, value) => {
    if (value.length > capacity) throw new DOMException('full', 'QuotaExceededError');
    setItem(key, value);
  };
  const traceStore = openTraceStore(storage, label);
  const { write, recorder, table } = startRecorder([], { ...traceLimits, runSize: 200 }, traceStore.table);
  for (let line = 0; line < 5; line += 1) await write(`line ${line}`);
  traceStore.save(label, recorder.runs());
  capacity = 10;
  traceStore.save(label, recorder.runs());
  expect(readSavedTrace(storage)).toBeNull();
  capacity = Infinity;
  traceStore.save(label, recorder.runs());
  const trace = readStoredTrace(storage);
  expect(trace.runs).toEqual(unpackRuns(recorder.runs(), table));
});

test('dropped runs are removed from storage, and a full storage contains none', async () => {
  const storage = createMemoryStorage();
  const traceStore = openTraceStore(storage, label);
  const { write, recorder } = startRecorder([], traceLimits, traceStore.table);
  for (let line = 0; line < 500; line += 1) {
    await write(`line ${line}`, 10);
    if (line % 20 === 0) traceStore.save(label, recorder.runs());
  }
  traceStore.save(label, recorder.runs());
  expect(storage.items.size).toBe(recorder.runs().length + 2);

  const smallStorage = createMemoryStorage(1_000);
  const fullStore = openTraceStore(smallStorage, label);
  fullStore.save(label, recorder.runs());
  expect(smallStorage.items.size).toBe(0);
  expect(readSavedTrace(smallStorage)).toBeNull();
});

test('a run that is read from the file can be replayed, for sessions of every construct', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { runs, machine } = await recordSession(seed, { ...noLimits, runSize: 2_000 });
    expect(runs.length).toBeGreaterThan(1);
    for (const run of runs) expect(replay(machine, run).divergence).toBeNull();
  }
});
