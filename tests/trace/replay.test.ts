import { expect, test } from 'vitest';
import { replay } from '../../machines/trace/replay.ts';
import { recordSession, noLimits } from './session.ts';

test('a thousand sessions of every construct are replayed without a divergence', async () => {
  let steps = 0;
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 1000; seed += 1) {
    const { runs, machine } = await recordSession(seed);
    expect(runs).toHaveLength(1);
    for (const run of runs) {
      const { divergence } = replay(machine, run);
      if (divergence) expect({ seed, ...divergence }).toBeNull();
      steps += run.steps.length;
      for (const { input } of run.steps) kinds.add('turn' in input ? `${input.kind} in its turn` : input.kind);
    }
  }
  expect(steps).toBeGreaterThan(20_000);
  expect([...kinds].toSorted()).toEqual([
    'emitted',
    'emitted in its turn',
    'event',
    'observed',
    'observed in its turn',
    'settled',
    'settled in its turn',
    'start',
    'timer',
  ]);
}, 120_000);

test('runs that continue from checkpoints are each replayed separately', async () => {
  let checkpoints = 0;
  for (let seed = 1; seed <= 300; seed += 1) {
    const { runs, machine } = await recordSession(seed, { ...noLimits, runSize: 1_500 });
    for (const [runIndex, run] of runs.entries()) {
      const { divergence } = replay(machine, run);
      if (divergence) expect({ seed, at: runIndex, ...divergence }).toBeNull();
      checkpoints += run.from ? 1 : 0;
    }
  }
  expect(checkpoints).toBeGreaterThan(500);
}, 120_000);
