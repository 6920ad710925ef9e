import type { Counterexample } from '../../machines/paths/check-rules.ts';
import { describeStep, seenIn } from './describe-step.ts';
import { doers } from './summary.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/** A counterexample for somebody who tests by hand: how it begins, each step with what is then seen, and the rule that breaks. */
const inWords = (model: PathModel, { rule, says, steps }: Counterexample): string => {
  const [start] = steps;
  const atStart = start ? seenIn(model.description, start.from.snapshot).map(({ text }) => `   - ${text}`) : [];
  return [
    `${model.name} breaks a rule: ${rule}${says === '' ? '' : ` (${says})`}`,
    `Start: ${model.given}`,
    ...atStart,
    ...steps.flatMap((edge, at) => {
      const { by, does, sees } = describeStep(model, edge);
      return [`${at + 1}. ${doers[by]}: ${does}`, ...sees.map((text) => `   - ${text}`)];
    }),
  ].join('\n');
};

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The same as a test, to be pasted into `tests/paths/broken-machines.test.ts`; `start` is the model's place among its machine's. */
const asTest = (model: PathModel, start: number, { rule, steps }: Counterexample): string =>
  [
    `test(${quoted(`${model.name}: ${rule}`)}, () => {`,
    `  const events = [`,
    ...steps.map(({ event }) => `    ${JSON.stringify(event)},`),
    `  ];`,
    `  expect(brokenOn(startOf(${quoted(model.name)}, ${start}), events)).toEqual([]);`,
    `});`,
  ].join('\n');

/** Both, as they are printed. */
export const counterexampleText = (model: PathModel, start: number, counterexample: Counterexample): string =>
  `${inWords(model, counterexample)}\n\nAs a test:\n\n${asTest(model, start, counterexample)}`;
