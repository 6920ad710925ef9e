import type { Survey } from './survey.ts';

const columnNames = ['machine', 'states', 'transitions', 'guards', 'spec rows', 'tests', 'steps'];

type Count = Survey['states'];

const formatShare = ({ covered, total }: Count): string => `${covered}/${total}`;

const sumCounts = (counts: Count[]): Count => ({
  covered: counts.reduce((sum, { covered }) => sum + covered, 0),
  total: counts.reduce((sum, { total }) => sum + total, 0),
});

const toCells = ({ machine, states, transitions, guards, spec, tests, steps }: Survey): string[] => [
  machine,
  ...[states, transitions, guards, spec].map(formatShare),
  String(tests),
  String(steps),
];

const sumSurveys = (surveys: Survey[]): Survey => ({
  machine: 'all',
  states: sumCounts(surveys.map(({ states }) => states)),
  transitions: sumCounts(surveys.map(({ transitions }) => transitions)),
  guards: sumCounts(surveys.map(({ guards }) => guards)),
  spec: sumCounts(surveys.map(({ spec }) => spec)),
  tests: surveys.reduce((sum, { tests }) => sum + tests, 0),
  steps: surveys.reduce((sum, { steps }) => sum + steps, 0),
  uncovered: [],
});

/** Machines as a text table, with the sum in its last line. */
export const formatTable = (surveys: Survey[]): string => {
  const rows = [columnNames, ...surveys.map(toCells), ...(surveys.length > 1 ? [toCells(sumSurveys(surveys))] : [])];
  const widths = columnNames.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...bodyLines] = lines;
  return [head, '-'.repeat(head.length), ...bodyLines].join('\n');
};
