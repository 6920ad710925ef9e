import { isWrong, type Act } from './acts.ts';
import type { Report } from './report.ts';
import { dateText, shortClockText, someOf, wrapped, type Paint } from './text.ts';

const widest = 110;

/** A line with its continuation lines below its text. */
const hanging = (lead: string, text: string, columns: number): string[] => {
  const [first = '', ...rest] = wrapped(text, Math.max(columns - lead.length, 30));
  return [`${lead}${first}`, ...rest.map((line) => `${' '.repeat(lead.length)}${line}`)];
};

const marks: Readonly<Record<Act['kind'], string>> = { does: ' ', works: '✓', fails: '✗', refuses: '–', waits: ' ' };

const labels: Partial<Record<Act['kind'], string>> = { fails: 'WRONG: ', refuses: 'NO: ' };

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const actLines = (act: Act, columns: number, paint: Paint): string[] => {
  const { at, kind, text, shows } = act;
  if (kind === 'waits') return hanging(' '.repeat(9), `… ${text} …`, columns).map((line) => paint('dim', line));
  const lead = `${shortClockText(at).padStart(6)} ${marks[kind]} `;
  const whole = `${labels[kind] ?? ''}${isWrong(act) ? text : sentence(text)}${shows === null ? '' : ` → ${shows}`}`;
  const lines = hanging(lead, whole, columns);
  return isWrong(act)
    ? lines.map((line) => paint('red', line))
    : kind === 'works'
      ? lines.map((line) => paint('green', line))
      : lines;
};

/** What comes after a divergence is not told, so that the end may have been another one. */
const divergenceText = (since: number): string =>
  `At ${shortClockText(since)} the replay diverged: what the customer did from then to the next page load is not told here, and “Ended” may be wrong`;

/** The visit in half a minute: who, what, seen last, wrong first, how it ended; then an act a line. */
export const brief = (
  { summary, acts, startedAt, store, locale, duration, runs, build, differing, divergence }: Report,
  paint: Paint,
  columns?: number,
): string[] => {
  const width = Math.min(columns ?? widest, widest);
  const { who, what, sawLast, wentWrong, ended } = summary;
  const loads = runs.filter(({ begins }) => begins === 'page load').length;
  const rows: [string, string][] = [
    ['Who', who],
    ...what.map((each, at): [string, string] => [at === 0 ? 'What' : '', each]),
    ['Saw last', sawLast],
    ['Went wrong', sentence(wentWrong)],
    ['Ended', ended],
    ...(divergence === null
      ? []
      : [
          [
            'Beware',
            divergenceText(divergence.at + Date.parse(runs[divergence.run - 1]?.startedAt ?? startedAt) - Date.parse(startedAt)),
          ] satisfies [string, string],
        ]),
    [
      'Visit',
      `${dateText(startedAt)}, ${shortClockText(duration)} long, ${loads} page load${loads === 1 ? '' : 's'}, store ${store ?? 'not known'}, language ${locale}`,
    ],
    ...(differing.length === 0
      ? []
      : [
          [
            'Build',
            `${build}; the shop that was visited had other versions of ${someOf(differing)}${divergence === null ? '; these here do the same with this record, so that it can be relied on' : ''}`,
          ] satisfies [string, string],
        ]),
  ];
  return [
    ...rows.flatMap(([name, text]) =>
      hanging(name.padEnd(12), text, width).map((line, at) =>
        at === 0 ? `${paint('bold', line.slice(0, 12))}${line.slice(12)}` : line,
      ),
    ),
    '',
    ...acts.flatMap((act) => actLines(act, width, paint)),
  ];
};
