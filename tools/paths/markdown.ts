import type { PreparationTask, PlanDocument, PlanStep, PlanTest } from './plan-document.ts';
import { formatPreparation, actorNames, INSTRUCTIONS, findUncovered, formatRowIds, formatSummary } from './summary.ts';

const formatList = (lines: string[], indent = ''): string[] => lines.map((line) => `${indent}- ${line}`);

const formatTasks = (stepNumber: number, before: readonly PreparationTask[]): string[] =>
  before.map((task) => {
    const { label, does } = formatPreparation(stepNumber, task);
    return `**${label}** ${does}`;
  });

const formatStep = ({ number, by, does, before, sees, spec }: PlanStep): string[] => [
  `${number}. **${actorNames[by]}:** ${does}${formatRowIds(spec)}`,
  ...formatList(formatTasks(number, before), '   '),
  ...formatList(sees, '   '),
];

const formatTest = ({ number, given, before, spec, sees, steps }: PlanTest): string[] => [
  `## Test ${number}`,
  '',
  ...formatTasks(0, before).flatMap((line) => [line, '']),
  `**Start:** ${given}${formatRowIds(spec)}`,
  '',
  ...formatList(sees),
  '',
  ...steps.flatMap(formatStep),
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
    ...document.tests.flatMap(formatTest),
  ].join('\n');
