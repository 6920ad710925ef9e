import type { Order, PlanDocument, PlanStep, PlanTest } from './plan-document.ts';
import { beforeText, doers, howTo, leftOut, rowsShown, summaryOf } from './summary.ts';

const list = (lines: string[], indent = ''): string[] => lines.map((line) => `${indent}- ${line}`);

const beforeLines = (at: number, before: readonly Order[]): string[] =>
  before.map((order) => {
    const { label, does } = beforeText(at, order);
    return `**${label}** ${does}`;
  });

const stepLines = ({ number, by, does, before, sees, spec }: PlanStep): string[] => [
  `${number}. **${doers[by]}:** ${does}${rowsShown(spec)}`,
  ...list(beforeLines(number, before), '   '),
  ...list(sees, '   '),
];

const testLines = ({ number, given, before, spec, sees, steps }: PlanTest): string[] => [
  `## Test ${number}`,
  '',
  ...beforeLines(0, before).flatMap((line) => [line, '']),
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
