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
const readTrace = (name: string): Trace =>
  traceFromJson(JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as Trace);

// `vitest run -u tests/traces` rewrites the approved texts; a difference is reviewed with its
// commit.
test.each(names)('%s: the narrative for support equals the approved text', async (name) => {
  const trace = readTrace(name);
  const report = createReport(`${name}.json`, trace, play(shopMachine, trace), []);
  await expect(`${formatNarrative(report, plainColors).join('\n')}\n`).toMatchFileSnapshot(`${name}.txt`);
});

test('docs/replaying-a-trace.md shows the printed narrative', () => {
  const page = readFileSync(new URL('../../docs/replaying-a-trace.md', import.meta.url), 'utf8');
  expect(page).toContain(readFileSync(new URL('declined-then-paid.txt', import.meta.url), 'utf8'));
});

/** Presses and pages a minute of a customer who buys repeatedly, at any recorded pace. */
const EVENTS_A_MINUTE = 16;

test('a minute of repeated purchases takes less than 66 KB of a record, so that half an hour fits', () => {
  const traces = ['buy-and-read', 'declined-then-paid', 'network-gone-while-paying', 'session-ended'].map(readTrace);
  const runs = traces.flatMap((trace) => trace.runs);
  const events = runs.flatMap(({ steps }) => steps).filter(({ input }) => input.kind === 'event').length;
  const [firstTrace] = traces;
  if (!firstTrace) throw new Error('There are no records.');
  const size = packTrace({ ...firstTrace, runs }).length;
  expect(events).toBeGreaterThan(EVENTS_A_MINUTE);
  expect((size / events) * EVENTS_A_MINUTE).toBeLessThan(66_000);
});
