import type { PlanDocument, PlanStep, PlanTest } from './document.ts';
import { doers, howTo, leftOut, rowsShown, summaryOf } from './summary.ts';

const list = (lines: string[], indent = ''): string[] => lines.map((line) => `${indent}- ${line}`);

const beforeLines = (before: string[]): string[] => before.map((each) => `**Before:** ${each}.`);

const stepLines = ({ number, by, does, before, sees, spec }: PlanStep): string[] => [
  `${number}. **${doers[by]}:** ${does}${rowsShown(spec)}`,
  ...list(beforeLines(before), '   '),
  ...list(sees, '   '),
];

const testLines = ({ number, given, before, spec, sees, steps }: PlanTest): string[] => [
  `## Test ${number}`,
  '',
  ...beforeLines(before).flatMap((line) => [line, '']),
  `**Start:** ${given}${rowsShown(spec)}`,
  '',
  ...list(sees),
  '',
  ...steps.flatMap(stepLines),
  ...(steps.length > 0 ? [''] : []),
];

/** A plan as a Markdown text. */
export const markdownOf = (document: PlanDocument): string =>
  [
    `# ${document.title}`,
    '',
    document.about,
    '',
    `Machine \`${document.machine}\`: ${summaryOf(document)}`,
    '',
    howTo,
    '',
    ...leftOut(document).flatMap(([title, names]) => [`**${title}:**`, '', ...list(names.map((each) => `\`${each}\``)), '']),
    ...document.tests.flatMap(testLines),
  ].join('\n');
