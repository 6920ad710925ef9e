import { expect, test } from 'vitest';
import { formatCounterexample } from '../../tools/paths/counterexample.ts';
import { fuzz, createSeed } from '../../tools/paths/fuzz.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import { getRules } from '../../tools/path-models/rules.ts';

/** `FUZZ_SEED=… vitest …` repeats the walks of an earlier run. */
const seed = Number(process.env['FUZZ_SEED'] ?? createSeed());

const starts = [...modelsByMachine].flatMap(([name, models]) =>
  models.map((model, startIndex) => ({ name: `${name} ${startIndex}`, model, startIndex })),
);

test.each(starts)('random walks through $name keep every rule', ({ model, startIndex }) => {
  const { counterexample } = fuzz(model, getRules(model), { seed, milliseconds: 150 });
  const rerunHint = `Repeat with FUZZ_SEED=${seed}, or for longer: npm run paths -- --fuzz --machine ${model.name} --seed ${seed}`;
  expect(counterexample === null ? '' : `${formatCounterexample(model, startIndex, counterexample)}\n\n${rerunHint}`).toBe('');
});
