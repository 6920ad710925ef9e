import type { Survey } from './survey.ts';

const heads = ['machine', 'states', 'transitions', 'guards', 'spec rows', 'tests', 'steps'];

type Count = Survey['states'];

const share = ({ covered, total }: Count): string => `${covered}/${total}`;

const sum = (counts: Count[]): Count => ({
  covered: counts.reduce((all, { covered }) => all + covered, 0),
  total: counts.reduce((all, { total }) => all + total, 0),
});

const cellsOf = ({ machine, states, transitions, guards, spec, tests, steps }: Survey): string[] => [
  machine,
  ...[states, transitions, guards, spec].map(share),
  String(tests),
  String(steps),
];

const inAll = (surveys: Survey[]): Survey => ({
  machine: 'all',
  states: sum(surveys.map(({ states }) => states)),
  transitions: sum(surveys.map(({ transitions }) => transitions)),
  guards: sum(surveys.map(({ guards }) => guards)),
  spec: sum(surveys.map(({ spec }) => spec)),
  tests: surveys.reduce((all, { tests }) => all + tests, 0),
  steps: surveys.reduce((all, { steps }) => all + steps, 0),
  uncovered: [],
});

/** Machines as a table of text, their sum in its last line. */
export const tableOf = (surveys: Survey[]): string => {
  const rows = [heads, ...surveys.map(cellsOf), ...(surveys.length > 1 ? [cellsOf(inAll(surveys))] : [])];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...others] = lines;
  return [head, '-'.repeat(head.length), ...others].join('\n');
};
