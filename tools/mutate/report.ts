import { isApart, kinds, type Kind, type Mutant } from './mutant.ts';

/** How a change came out: `by` names what noticed it, `accepted` why it need not be noticed. */
export type Judged = Mutant & {
  machine: string;
  by: string | null;
  accepted: string | null;
  /** What the replay of a recorded visit says; only with `--replays`. */
  byReplay: string | null;
  /** Whether a recorded visit goes through it; only with `--replays`. */
  crossed: boolean | null;
};

export type Count = { machine: string; mutants: number; noticed: number; accepted: number; survived: number };

const countOf = (machine: string, judged: readonly Judged[]): Count => {
  const noticed = judged.filter(({ by }) => by !== null).length;
  const accepted = judged.filter((each) => each.by === null && each.accepted !== null).length;
  return { machine, mutants: judged.length, noticed, accepted, survived: judged.length - noticed - accepted };
};

/** The share that was noticed of what can be noticed; 1 where there is nothing. */
const scoreOf = ({ mutants, noticed, accepted }: Count): number => (mutants === accepted ? 1 : noticed / (mutants - accepted));

/** The machines of which 95 % have to be noticed, of all others together 90 %. */
const strict = new Set(['payment', 'purchase', 'session', 'app', 'progress']);
const leastOf = (machine: string): number => (strict.has(machine) ? 0.95 : 0.9);

const percent = (score: number): string => `${Math.floor(score * 1000) / 10} %`;

const aligned = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  ').trimEnd());
};

const cellsOf = (count: Count): string[] => [
  count.machine,
  ...[count.mutants, count.noticed, count.accepted, count.survived].map(String),
  percent(scoreOf(count)),
];

const tableOf = (head: string, counts: readonly Count[]): string[] => {
  const [top = '', ...rows] = aligned([[head, 'changes', 'noticed', 'accepted', 'survived', 'score'], ...counts.map(cellsOf)]);
  return [top, '-'.repeat(top.length), ...rows];
};

const byMachine = (judged: readonly Judged[]): Count[] =>
  [...Map.groupBy(judged, ({ machine }) => machine)].map(([machine, own]) => countOf(machine, own));

const byKind = (judged: readonly Judged[]): Count[] =>
  kinds.flatMap((kind: Kind) => {
    const own = judged.filter((each) => each.kind === kind);
    return own.length === 0 ? [] : [countOf(kind, own)];
  });

const lineOf = ({ file, line, key, kind }: Judged): string => `${file}:${line}  ${kind}  ${key.slice(file.length + 1)}`;

export type Report = { counts: Count[]; all: Count; apart: Count; kinds: Count[]; judged: readonly Judged[] };

/** Changes of `tags` and `meta` are counted apart. */
export const reportOf = (judged: readonly Judged[]): Report => {
  const seen = judged.filter((each) => !isApart(each));
  return {
    counts: byMachine(seen),
    all: countOf('all', seen),
    apart: countOf('tags and meta', judged.filter(isApart)),
    kinds: byKind(judged),
    judged,
  };
};

/** What falls short of what is asked for. */
export const complaintsOf = ({ counts, all }: Report): string[] =>
  [...counts.filter(({ machine }) => strict.has(machine)), all]
    .filter((count) => scoreOf(count) < leastOf(count.machine))
    .map(
      (count) =>
        `${count.machine}: ${percent(scoreOf(count))} of the changes are noticed, ${percent(leastOf(count.machine))} are asked for`,
    );

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines]);

/** How many of the changes through which a recorded visit goes the replays notice, and the others. */
const replayed = (judged: readonly Judged[]): string[] => {
  const crossed = judged.filter((each) => each.crossed === true && !isApart(each));
  const missed = crossed.filter(({ byReplay }) => byReplay === null);
  if (judged.every((each) => each.crossed === null)) return [];
  const noticed = `The recorded visits cross ${crossed.length} changes; the replays notice ${crossed.length - missed.length}.`;
  return ['', noticed, ...missed.map((each) => `  ${lineOf(each)}`)];
};

export const textOf = (report: Report, { all }: { all: boolean }): string => {
  const { judged } = report;
  const survived = judged.filter(({ by, accepted }) => by === null && accepted === null);
  const accepted = judged.filter((each) => each.by === null && each.accepted !== null);
  return [
    ...tableOf('machine', [...report.counts, ...(report.counts.length > 1 ? [report.all] : []), report.apart]),
    '',
    ...tableOf('kind', report.kinds),
    ...section(
      'Survived:',
      survived.map((each) => `  ${lineOf(each)}`),
    ),
    ...replayed(judged),
    ...section(
      'Accepted:',
      accepted.map((each) => `  ${lineOf(each)}\n    ${each.accepted ?? ''}`),
    ),
    ...(all
      ? section(
          'All:',
          judged.map((each) => `  ${lineOf(each)}\n    ${each.by ?? 'not noticed'}`),
        )
      : []),
  ].join('\n');
};
