import { expect, test } from 'vitest';
import { counterexampleText } from '../../tools/paths/counterexample.ts';
import { hunt, newSeed } from '../../tools/paths/hunt.ts';
import { startsOf } from '../../tools/path-models/models.ts';
import { rulesOf } from '../../tools/path-models/rules.ts';

/** `HUNT_SEED=… vitest …` walks the ways of a run before. */
const seed = Number(process.env['HUNT_SEED'] ?? newSeed());

const starts = [...startsOf].flatMap(([name, models]) => models.map((model, at) => ({ name: `${name} ${at}`, model, at })));

test.each(starts)('random ways through $name keep every rule', ({ model, at }) => {
  const { found } = hunt(model, rulesOf(model), { seed, milliseconds: 150 });
  const again = `HUNT_SEED=${seed}, or for longer: npm run paths -- --hunt --machine ${model.name} --seed ${seed}`;
  expect(found === null ? '' : `${counterexampleText(model, at, found)}\n\n${again}`).toBe('');
});
