import type { Reaction, Plain, CrossMessage } from '../../machines/trace/format.ts';
import { formatNarrative } from './narrative-text.ts';
import { getOwnProperty } from './descriptions.ts';
import type { Report, ReportDivergence } from './report.ts';
import { formatClock, formatDate, toPrintableDeep, formatNames, type Colors } from './text.ts';
import { formatTimeline } from './timeline.ts';

const formatCount = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const formatHeader = (report: Report, colors: Colors): string[] => {
  const { file, store, locale, build, differing, startedAt, duration, runs, steps } = report;
  const rows = [
    ['Record', file],
    ['Store', `${store ?? 'not known'}, locale ${locale}`],
    ['Build', differing.length === 0 ? build : `${build}; other machines here: ${differing.join(', ')}`],
    [
      'Visit',
      `${formatDate(startedAt)}, ${formatClock(duration)} long, ${formatCount(runs.length, 'run')}, ${formatCount(steps.length, 'step')}`,
    ],
  ];
  return rows.map(([name = '', value = '']) => `${colors('bold', name.padEnd(8))}${value}`);
};

const MAX_JSON_CHARS = 300;

const formatJson = (value: Plain | undefined): string => {
  const text = value === undefined ? 'unchanged' : JSON.stringify(value, (key, part: Plain) => (key === 'pii' ? 'hidden' : part));
  return text.length > MAX_JSON_CHARS ? `${text.slice(0, MAX_JSON_CHARS)}…` : text;
};

/** The differences of two reactions: name, expected and actual value. */
const findDifferences = (expected: Reaction, got: Reaction): [string, Plain | undefined, Plain | undefined][] => {
  const keys = [...new Set([...Object.keys(expected.changed), ...Object.keys(got.changed)])];
  const comparisons: [string, Plain | undefined, Plain | undefined][] = [
    ['machine', expected.actor, got.actor],
    ['event', expected.on, got.on],
    ['state', expected.state, got.state],
    ['status', expected.status, got.status],
    ...keys.map((key): [string, Plain | undefined, Plain | undefined] => [
      `context.${key}`,
      getOwnProperty(expected.changed, key),
      getOwnProperty(got.changed, key),
    ]),
  ];
  return comparisons.filter(([, want, have]) => formatJson(want) !== formatJson(have));
};

const isMessage = (part: Reaction | CrossMessage): part is CrossMessage => 'from' in part;

const formatMessage = (message: CrossMessage): string =>
  'input' in message
    ? `starts ${message.to} with ${formatJson(message.input)}`
    : `tells ${message.to} ${formatJson(message.event)}`;

const formatReaction = (reaction: Reaction | undefined): string =>
  reaction
    ? `${reaction.actor} takes ${reaction.on}: ${formatJson({ ...(reaction.state !== undefined && { state: reaction.state }), ...reaction.changed })}`
    : 'nothing';

const toComparison = ({ expected, got }: ReportDivergence): [string, string, string][] => {
  if ((expected && isMessage(expected)) || (got && isMessage(got))) {
    const formatSide = (part: Reaction | CrossMessage | undefined): string =>
      part && isMessage(part) ? formatMessage(part) : 'nothing';
    return [['message', formatSide(expected), formatSide(got)]];
  }
  return expected && got
    ? findDifferences(expected, got).map(([name, want, have]) => [name, formatJson(want), formatJson(have)])
    : [['machine', formatReaction(expected), formatReaction(got)]];
};

const formatVerdict = ({ divergence, steps, runs, differing }: Report, colors: Colors): string[] => {
  if (!divergence)
    return [colors('green', `Identical: ${formatCount(steps.length, 'step')} replayed to the states that were recorded.`)];
  const { step, run, at, why, machine, machineActor, actor, event } = divergence;
  const skippedSteps = runs.reduce((sum, each) => sum + each.steps - each.replayed, 0);
  return [
    colors(['bold', 'red'], `Diverged at step ${step} (run ${run}, ${formatClock(at)}): ${why}.`),
    `  event     ${event}, taken by ${actor}`,
    ...(machineActor === null ? [] : [`  machine   ${machine ?? 'gone'}, as ${machineActor}`]),
    ...(machineActor !== null
      ? toComparison(divergence).flatMap(([name, want, have]) => [
          `  ${name}`,
          `    expected  ${colors('green', want)}`,
          `    got       ${colors('red', have)}`,
        ])
      : []),
    ...(skippedSteps > 0 ? [colors('dim', `  ${formatCount(skippedSteps, 'step')} after a divergence not replayed.`)] : []),
    differing.length === 0
      ? 'The machines are those that were recorded: the file was changed by hand, or Colophon has a fault. Show it to its makers.'
      : `The machines are others than those that were recorded: ${formatNames(differing)}.`,
  ];
};

/** Prints a report as text: its acts or every step. `columns` is the terminal's width. */
export const formatReport = (
  rawReport: Report,
  colors: Colors,
  { full, columns }: { full: boolean; columns?: number | undefined },
): string => {
  const report = toPrintableDeep(rawReport);
  const body = full
    ? [...formatHeader(report, colors), ...formatTimeline(report, colors, columns)]
    : [...formatNarrative(report, colors, columns), '', colors('dim', 'Every step: --full.')];
  return [...body, ...(full ? [''] : []), ...formatVerdict(report, colors)].join('\n');
};
