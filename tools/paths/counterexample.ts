import type { Counterexample } from '../../machines/paths/check-rules.ts';
import { describeStep, describeSnapshot } from './describe-step.ts';
import { actorNames } from './summary.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/**
 * A counterexample for a manual tester: the start, each step with the expected screen, and the
 * violated rule.
 */
const formatWords = (model: PathModel, { rule, message, steps }: Counterexample): string => {
  const [start] = steps;
  const startLines = start ? describeSnapshot(model.description, start.from.snapshot).map(({ text }) => `   - ${text}`) : [];
  return [
    `${model.name} breaks a rule: ${rule}${message === '' ? '' : ` (${message})`}`,
    `Start: ${model.startInstruction}`,
    ...startLines,
    ...steps.flatMap((edge, at) => {
      const { by, does, sees } = describeStep(model, edge);
      return [`${at + 1}. ${actorNames[by]}: ${does}`, ...sees.map((text) => `   - ${text}`)];
    }),
  ].join('\n');
};

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * A counterexample as a test, to paste into `tests/paths/broken-machines.test.ts`; `start` is the
 * index of the model among the machine's models.
 */
const formatTest = (model: PathModel, start: number, { rule, steps }: Counterexample): string =>
  [
    `test(${quote(`${model.name}: ${rule}`)}, () => {`,
    `  const events = [`,
    ...steps.map(({ event }) => `    ${JSON.stringify(event)},`),
    `  ];`,
    `  expect(findBroken(getModel(${quote(model.name)}, ${start}), events)).toEqual([]);`,
    `});`,
  ].join('\n');

/** A counterexample as printed: for a manual tester, and as a test. */
export const formatCounterexample = (model: PathModel, start: number, counterexample: Counterexample): string =>
  `${formatWords(model, counterexample)}\n\nAs a test:\n\n${formatTest(model, start, counterexample)}`;
