import { expect, test } from 'vitest';
import { formatCounterexample } from '../../tools/paths/counterexample.ts';
import { fuzz, createSeed } from '../../tools/paths/fuzz.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import { getRules } from '../../tools/path-models/rules.ts';

/** `HUNT_SEED=… vitest …` repeats the walks of an earlier run. */
const seed = Number(process.env['FUZZ_SEED'] ?? createSeed());

const starts = [...modelsByMachine].flatMap(([name, models]) =>
  models.map((model, at) => ({ name: `${name} ${at}`, model, at })),
);

test.each(starts)('random walks through $name keep every rule', ({ model, at }) => {
  const { counterexample } = fuzz(model, getRules(model), { seed, milliseconds: 150 });
  const again = `HUNT_SEED=${seed}, or for longer: npm run paths -- --fuzz --machine ${model.name} --seed ${seed}`;
  expect(counterexample === null ? '' : `${formatCounterexample(model, at, counterexample)}\n\n${again}`).toBe('');
});
