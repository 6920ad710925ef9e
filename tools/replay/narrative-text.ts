import { isWrong, type NarrativeLine } from './narrative.ts';
import type { Report } from './report.ts';
import { formatDate, formatShortClock, formatNames, wrapText, type Colors } from './text.ts';

const MAX_COLUMNS = 110;

/** Wraps a line, with its continuation lines indented to its text. */
const wrapWithIndent = (lead: string, text: string, columns: number): string[] => {
  const [first = '', ...continuation] = wrapText(text, Math.max(columns - lead.length, 30));
  return [`${lead}${first}`, ...continuation.map((line) => `${' '.repeat(lead.length)}${line}`)];
};

const marks: Readonly<Record<NarrativeLine['kind'], string>> = { does: ' ', works: '✓', fails: '✗', refuses: '–', waits: ' ' };

const labels: Partial<Record<NarrativeLine['kind'], string>> = { fails: 'WRONG: ', refuses: 'NO: ' };

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const formatLine = (act: NarrativeLine, columns: number, colors: Colors): string[] => {
  const { at, kind, text, shows } = act;
  if (kind === 'waits') return wrapWithIndent(' '.repeat(9), `… ${text} …`, columns).map((line) => colors('dim', line));
  const lead = `${formatShortClock(at).padStart(6)} ${marks[kind]} `;
  const content = `${labels[kind] ?? ''}${isWrong(act) ? text : capitalize(text)}${shows === null ? '' : ` → ${shows}`}`;
  const lines = wrapWithIndent(lead, content, columns);
  return isWrong(act)
    ? lines.map((line) => colors('red', line))
    : kind === 'works'
      ? lines.map((line) => colors('green', line))
      : lines;
};

/** Warns that acts after a divergence are missing, so the actual end may differ. */
const formatDivergence = (since: number): string =>
  `At ${formatShortClock(since)} the replay diverged: what the customer did from then to the next page load is not told here, and “Ended” may be wrong`;

/**
 * A summary of the visit: the customer, the purchases, the last screen, the first failure and the
 * end; then one line per act.
 */
export const formatNarrative = (
  { summary, acts, startedAt, store, locale, duration, runs, build, differing, divergence }: Report,
  colors: Colors,
  columns?: number,
): string[] => {
  const width = Math.min(columns ?? MAX_COLUMNS, MAX_COLUMNS);
  const { who, what, sawLast, wentWrong, ended } = summary;
  const loads = runs.filter(({ begins }) => begins === 'page load').length;
  const rows: [string, string][] = [
    ['Who', who],
    ...what.map((each, at): [string, string] => [at === 0 ? 'What' : '', each]),
    ['Saw last', sawLast],
    ['Went wrong', capitalize(wentWrong)],
    ['Ended', ended],
    ...(divergence === null
      ? []
      : [
          [
            'Beware',
            formatDivergence(
              divergence.at + Date.parse(runs[divergence.run - 1]?.startedAt ?? startedAt) - Date.parse(startedAt),
            ),
          ] satisfies [string, string],
        ]),
    [
      'Visit',
      `${formatDate(startedAt)}, ${formatShortClock(duration)} long, ${loads} page load${loads === 1 ? '' : 's'}, store ${store ?? 'not known'}, language ${locale}`,
    ],
    ...(differing.length === 0
      ? []
      : [
          [
            'Build',
            `${build}; the shop that was visited had other versions of ${formatNames(differing)}${divergence === null ? '; these here do the same with this record, so that it can be relied on' : ''}`,
          ] satisfies [string, string],
        ]),
  ];
  return [
    ...rows.flatMap(([name, text]) =>
      wrapWithIndent(name.padEnd(12), text, width).map((line, at) =>
        at === 0 ? `${colors('bold', line.slice(0, 12))}${line.slice(12)}` : line,
      ),
    ),
    '',
    ...acts.flatMap((act) => formatLine(act, width, colors)),
  ];
};
