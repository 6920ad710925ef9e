import { isSeparateKind, mutantKinds, type Kind, type Mutant } from './mutant.ts';

/**
 * The result for a mutant: `killedBy` is the test that detected it, `accepted` the reason why no
 * test needs to detect it; null without one.
 */
export type JudgedMutant = Mutant & {
  machine: string;
  killedBy: string | null;
  accepted: string | null;
  /** The result of replaying the recorded visits; only with `--replays`. */
  byReplay: string | null;
  /** Whether a recorded visit covers it; only with `--replays`. */
  crossed: boolean | null;
};

export type Count = { machine: string; mutants: number; killed: number; accepted: number; survived: number };

const countMutants = (machine: string, judgedMutants: readonly JudgedMutant[]): Count => {
  const killed = judgedMutants.filter(({ killedBy }) => killedBy !== null).length;
  const accepted = judgedMutants.filter((each) => each.killedBy === null && each.accepted !== null).length;
  return { machine, mutants: judgedMutants.length, killed, accepted, survived: judgedMutants.length - killed - accepted };
};

/** The detected share of the mutants that are not accepted; 1 without any such mutant. */
const getScore = ({ mutants, killed, accepted }: Count): number => (mutants === accepted ? 1 : killed / (mutants - accepted));

/** Machines with a minimum score of 95 %; for all machines together it is 90 %. */
const strictMachines = new Set(['payment', 'purchase', 'session', 'app', 'progress']);
const getMinScore = (machine: string): number => (strictMachines.has(machine) ? 0.95 : 0.9);

const formatPercent = (score: number): string => `${Math.floor(score * 1000) / 10} %`;

const alignColumns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  ').trimEnd());
};

const toCells = (count: Count): string[] => [
  count.machine,
  ...[count.mutants, count.killed, count.accepted, count.survived].map(String),
  formatPercent(getScore(count)),
];

const formatTable = (header: string, counts: readonly Count[]): string[] => {
  const [headerLine = '', ...rows] = alignColumns([
    [header, 'mutants', 'killed', 'accepted', 'survived', 'score'],
    ...counts.map(toCells),
  ]);
  return [headerLine, '-'.repeat(headerLine.length), ...rows];
};

const countByMachine = (judgedMutants: readonly JudgedMutant[]): Count[] =>
  [...Map.groupBy(judgedMutants, ({ machine }) => machine)].map(([machine, machineMutants]) =>
    countMutants(machine, machineMutants),
  );

const countByKind = (judgedMutants: readonly JudgedMutant[]): Count[] =>
  mutantKinds.flatMap((kind: Kind) => {
    const kindMutants = judgedMutants.filter((each) => each.kind === kind);
    return kindMutants.length === 0 ? [] : [countMutants(kind, kindMutants)];
  });

const formatLine = ({ file, line, key, kind }: JudgedMutant): string => `${file}:${line}  ${kind}  ${key.slice(file.length + 1)}`;

export type Report = { counts: Count[]; all: Count; apart: Count; kinds: Count[]; judged: readonly JudgedMutant[] };

/** Mutants of `tags` and `meta` are counted separately. */
export const createReport = (judgedMutants: readonly JudgedMutant[]): Report => {
  const mainMutants = judgedMutants.filter((each) => !isSeparateKind(each));
  return {
    counts: countByMachine(mainMutants),
    all: countMutants('all', mainMutants),
    apart: countMutants('tags and meta', judgedMutants.filter(isSeparateKind)),
    kinds: countByKind(judgedMutants),
    judged: judgedMutants,
  };
};

/** Complaints about scores below their minimum. */
export const findComplaints = ({ counts, all }: Report): string[] =>
  [...counts.filter(({ machine }) => strictMachines.has(machine)), all]
    .filter((count) => getScore(count) < getMinScore(count.machine))
    .map(
      (count) =>
        `${count.machine}: ${formatPercent(getScore(count))} of mutants detected, expected at least ${formatPercent(getMinScore(count.machine))}`,
    );

const formatSection = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines]);

/** The number of covered mutants that the replays detect, and a list of the others. */
const formatReplayed = (judgedMutants: readonly JudgedMutant[]): string[] => {
  const coveredMutants = judgedMutants.filter((each) => each.crossed === true && !isSeparateKind(each));
  const missedMutants = coveredMutants.filter(({ byReplay }) => byReplay === null);
  if (judgedMutants.every((each) => each.crossed === null)) return [];
  const summary = `The recorded visits cover ${coveredMutants.length} mutants; the replays detect ${coveredMutants.length - missedMutants.length}.`;
  return ['', summary, ...missedMutants.map((each) => `  ${formatLine(each)}`)];
};

export const formatReport = (report: Report, { all }: { all: boolean }): string => {
  const { judged } = report;
  const survivors = judged.filter(({ killedBy, accepted }) => killedBy === null && accepted === null);
  const acceptedMutants = judged.filter((each) => each.killedBy === null && each.accepted !== null);
  return [
    ...formatTable('machine', [...report.counts, ...(report.counts.length > 1 ? [report.all] : []), report.apart]),
    '',
    ...formatTable('kind', report.kinds),
    ...formatSection(
      'Survived:',
      survivors.map((each) => `  ${formatLine(each)}`),
    ),
    ...formatReplayed(judged),
    ...formatSection(
      'Accepted:',
      acceptedMutants.map((each) => `  ${formatLine(each)}\n    ${each.accepted ?? ''}`),
    ),
    ...(all
      ? formatSection(
          'All:',
          judged.map((each) => `  ${formatLine(each)}\n    ${each.killedBy ?? 'not detected'}`),
        )
      : []),
  ].join('\n');
};
