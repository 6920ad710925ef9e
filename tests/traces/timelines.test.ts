import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { play } from '../../machines/trace/player.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';
import { formatNarrative } from '../../tools/replay/narrative-text.ts';
import { createReport } from '../../tools/replay/report.ts';
import { plainColors } from '../../tools/replay/text.ts';
import { packTrace } from '../trace/recorded.ts';

const names = readdirSync(new URL('.', import.meta.url)).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
const traceOf = (name: string): Trace =>
  traceFromJson(JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as Trace);

// `vitest run -u tests/traces` writes them anew; a difference is read and approved where the commit is.
test.each(names)('%s: what support reads of it in half a minute is what was approved', async (name) => {
  const trace = traceOf(name);
  const report = createReport(`${name}.json`, trace, play(shopMachine, trace), []);
  await expect(`${formatNarrative(report, plainColors).join('\n')}\n`).toMatchFileSnapshot(`${name}.txt`);
});

test('the page that explains records shows what is printed', () => {
  const page = readFileSync(new URL('../../docs/replaying-a-trace.md', import.meta.url), 'utf8');
  expect(page).toContain(readFileSync(new URL('declined-then-paid.txt', import.meta.url), 'utf8'));
});

/** Presses and pages of a customer who buys again and again, however fast it was recorded. */
const EVENTS_A_MINUTE = 16;

test('a customer who buys again and again fits with half an hour into a record: under 66 KB a minute', () => {
  const traces = ['buy-and-read', 'declined-then-paid', 'network-gone-while-paying', 'session-ended'].map(traceOf);
  const runs = traces.flatMap((trace) => trace.runs);
  const events = runs.flatMap(({ steps }) => steps).filter(({ input }) => input.kind === 'event').length;
  const [first] = traces;
  if (!first) throw new Error('There are no records.');
  const size = packTrace({ ...first, runs }).length;
  expect(events).toBeGreaterThan(EVENTS_A_MINUTE);
  expect((size / events) * EVENTS_A_MINUTE).toBeLessThan(66_000);
});
