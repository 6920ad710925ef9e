import { expect, test } from 'vitest';
import { counterexampleText } from '../../tools/paths/counterexample.ts';
import { fuzz, newSeed } from '../../tools/paths/hunt.ts';
import { startsOf } from '../../tools/path-models/models.ts';
import { rulesOf } from '../../tools/path-models/rules.ts';

/** `HUNT_SEED=… vitest …` repeats the walks of an earlier run. */
const seed = Number(process.env['FUZZ_SEED'] ?? newSeed());

const starts = [...startsOf].flatMap(([name, models]) => models.map((model, at) => ({ name: `${name} ${at}`, model, at })));

test.each(starts)('random walks through $name keep every rule', ({ model, at }) => {
  const { found } = fuzz(model, rulesOf(model), { seed, milliseconds: 150 });
  const again = `HUNT_SEED=${seed}, or for longer: npm run paths -- --fuzz --machine ${model.name} --seed ${seed}`;
  expect(found === null ? '' : `${counterexampleText(model, at, found)}\n\n${again}`).toBe('');
});
