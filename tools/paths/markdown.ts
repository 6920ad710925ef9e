import type { PreparationTask, PlanDocument, PlanStep, PlanTest } from './plan-document.ts';
import { formatPreparation, doerNames, INSTRUCTIONS, findUncovered, formatRowIds, formatSummary } from './summary.ts';

const formatList = (lines: string[], indent = ''): string[] => lines.map((line) => `${indent}- ${line}`);

const beforeLines = (at: number, before: readonly PreparationTask[]): string[] =>
  before.map((order) => {
    const { label, does } = formatPreparation(at, order);
    return `**${label}** ${does}`;
  });

const stepLines = ({ number, by, does, before, sees, spec }: PlanStep): string[] => [
  `${number}. **${doerNames[by]}:** ${does}${formatRowIds(spec)}`,
  ...formatList(beforeLines(number, before), '   '),
  ...formatList(sees, '   '),
];

const testLines = ({ number, given, before, spec, sees, steps }: PlanTest): string[] => [
  `## Test ${number}`,
  '',
  ...beforeLines(0, before).flatMap((line) => [line, '']),
  `**Start:** ${given}${formatRowIds(spec)}`,
  '',
  ...formatList(sees),
  '',
  ...steps.flatMap(stepLines),
  ...(steps.length > 0 ? [''] : []),
];

/** A plan as Markdown. */
export const toMarkdown = (document: PlanDocument): string =>
  [
    `# ${document.title}`,
    '',
    document.about,
    '',
    `Machine \`${document.machine}\`: ${formatSummary(document)}`,
    '',
    INSTRUCTIONS,
    '',
    ...findUncovered(document).flatMap(([title, names]) => [
      `**${title}:**`,
      '',
      ...formatList(names.map((each) => `\`${each}\``)),
      '',
    ]),
    ...document.tests.flatMap(testLines),
  ].join('\n');
