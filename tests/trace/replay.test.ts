import { expect, test } from 'vitest';
import { replay } from '../../machines/trace/replay.ts';
import { session } from './session.ts';

test('three hundred sessions of every construct are replayed without a divergence', async () => {
  let steps = 0;
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 300; seed += 1) {
    const { run, machine } = await session(seed);
    const { divergence } = replay(machine, run);
    if (divergence) expect({ seed, ...divergence }).toBeNull();
    steps += run.steps.length;
    for (const { input } of run.steps) kinds.add('turn' in input ? `${input.kind} in its turn` : input.kind);
  }
  expect(steps).toBeGreaterThan(9_000);
  expect([...kinds].toSorted()).toEqual([
    'event',
    'fed',
    'fed in its turn',
    'said',
    'said in its turn',
    'settled',
    'settled in its turn',
    'start',
    'timer',
  ]);
}, 60_000);
