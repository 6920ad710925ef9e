import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Plain, Trace } from '../../machines/trace/format.ts';
import { runReplay } from './support/replaying.ts';

const readRecord = (name: string): string => readFileSync(new URL(`../traces/older/${name}.json`, import.meta.url), 'utf8');

test('a record of an older shop is replayed, with one line about its migration', async () => {
  const { code, out } = await runReplay(readRecord('declined-then-paid'), ['--anyway']);
  expect(out.split('\n').filter((line) => line.includes('older shop'))).toEqual([
    'The record is of an older shop (format 2); it was translated for today’s machines.',
  ]);
  expect([code, out.split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/^Identical: \d+ steps replayed to the states that were recorded\.$/),
  ]);
});

test('a record of an older shop cannot become a test', async () => {
  const { out } = await runReplay(readRecord('network-gone-while-paying'), ['--anyway', '--to-test', 'older']);
  expect(out.split('\n').at(-1)).toBe('No test was written: the record is of an older shop, and a test is of today’s.');
});

test('a forged checkpoint of an older shop is refused', async () => {
  const trace = JSON.parse(readRecord('network-gone-while-paying')) as Trace;
  const [run] = trace.runs;
  if (!run) throw new Error('The record has no run.');
  const flow = { src: 'checkout', snapshot: { value: 'ready', context: {} } };
  const screen = { snapshot: { context: { flow: 'checkout', store: null }, children: { flow } } };
  const forgedSnapshot: Plain = { children: { screen } };
  const forgedTrace = { ...trace, runs: [{ ...run, from: { snapshot: forgedSnapshot, timers: [] } }] };
  const { code, err } = await runReplay(JSON.stringify(forgedTrace), ['--anyway']);
  expect([code, err]).toEqual([2, expect.stringMatching(/^The file was changed by hand: it cannot be translated/)]);
});
