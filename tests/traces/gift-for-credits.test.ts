import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';

const file = new URL('gift-for-credits.json', import.meta.url);
const { runs } = traceFromJson(JSON.parse(readFileSync(file, 'utf8')) as Trace);

test('the recorded visit is replayed to the same states', () => {
  expect(runs.map((run) => replay(shopMachine, run).divergence)).toEqual(runs.map(() => null));
});
