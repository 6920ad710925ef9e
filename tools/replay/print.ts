import type { Reaction, Plain, Told } from '../../machines/trace/format.ts';
import { brief } from './brief.ts';
import { ownProperty } from './descriptions.ts';
import type { Report, ReportDivergence } from './report.ts';
import { clockText, dateText, printableAll, someOf, type Paint } from './text.ts';
import { timeline } from './timeline.ts';

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const header = (report: Report, paint: Paint): string[] => {
  const { file, store, locale, build, differing, startedAt, duration, runs, steps } = report;
  const rows = [
    ['Record', file],
    ['Store', `${store ?? 'not known'}, locale ${locale}`],
    ['Build', differing.length === 0 ? build : `${build}; other machines here: ${differing.join(', ')}`],
    [
      'Visit',
      `${dateText(startedAt)}, ${clockText(duration)} long, ${counted(runs.length, 'run')}, ${counted(steps.length, 'step')}`,
    ],
  ];
  return rows.map(([name = '', value = '']) => `${paint('bold', name.padEnd(8))}${value}`);
};

const longest = 300;

const json = (value: Plain | undefined): string => {
  const text = value === undefined ? 'unchanged' : JSON.stringify(value, (key, part: Plain) => (key === 'pii' ? 'hidden' : part));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

/** The parts of two reactions that differ, as name, expected and got. */
const differences = (expected: Reaction, got: Reaction): [string, Plain | undefined, Plain | undefined][] => {
  const keys = [...new Set([...Object.keys(expected.changed), ...Object.keys(got.changed)])];
  const all: [string, Plain | undefined, Plain | undefined][] = [
    ['machine', expected.actor, got.actor],
    ['event', expected.on, got.on],
    ['state', expected.state, got.state],
    ['status', expected.status, got.status],
    ...keys.map((key): [string, Plain | undefined, Plain | undefined] => [
      `context.${key}`,
      ownProperty(expected.changed, key),
      ownProperty(got.changed, key),
    ]),
  ];
  return all.filter(([, want, have]) => json(want) !== json(have));
};

const isTold = (part: Reaction | Told): part is Told => 'by' in part;

const toldText = (told: Told): string =>
  'input' in told ? `starts ${told.to} with ${json(told.input)}` : `tells ${told.to} ${json(told.event)}`;

const whole = (reaction: Reaction | undefined): string =>
  reaction
    ? `${reaction.actor} takes ${reaction.on}: ${json({ ...(reaction.state !== undefined && { state: reaction.state }), ...reaction.changed })}`
    : 'nothing';

const compared = ({ expected, got }: ReportDivergence): [string, string, string][] => {
  if ((expected && isTold(expected)) || (got && isTold(got))) {
    const told = (part: Reaction | Told | undefined): string => (part && isTold(part) ? toldText(part) : 'nothing');
    return [['told', told(expected), told(got)]];
  }
  return expected && got
    ? differences(expected, got).map(([name, want, have]) => [name, json(want), json(have)])
    : [['machine', whole(expected), whole(got)]];
};

const verdict = ({ divergence, steps, runs, differing }: Report, paint: Paint): string[] => {
  if (!divergence)
    return [paint('green', `Identical: ${counted(steps.length, 'step')} replayed to the states that were recorded.`)];
  const { step, run, at, why, machine, machineActor, actor, event } = divergence;
  const left = runs.reduce((sum, each) => sum + each.steps - each.replayed, 0);
  return [
    paint(['bold', 'red'], `Diverged at step ${step} (run ${run}, ${clockText(at)}): ${why}.`),
    `  event     ${event}, taken by ${actor}`,
    ...(machineActor === null ? [] : [`  machine   ${machine ?? 'gone'}, as ${machineActor}`]),
    ...(machineActor !== null
      ? compared(divergence).flatMap(([name, want, have]) => [
          `  ${name}`,
          `    expected  ${paint('green', want)}`,
          `    got       ${paint('red', have)}`,
        ])
      : []),
    ...(left > 0 ? [paint('dim', `  ${counted(left, 'step')} after a divergence not replayed.`)] : []),
    differing.length === 0
      ? 'The machines are those that were recorded: the file was changed by hand, or Colophon has a fault. Show it to its makers.'
      : `The machines are others than those that were recorded: ${someOf(differing)}.`,
  ];
};

/** A report as text for people, its acts or every step; `columns` is the terminal's width. */
export const printed = (
  given: Report,
  paint: Paint,
  { full, columns }: { full: boolean; columns?: number | undefined },
): string => {
  const report = printableAll(given);
  const told = full
    ? [...header(report, paint), ...timeline(report, paint, columns)]
    : [...brief(report, paint, columns), '', paint('dim', 'Every step: --full.')];
  return [...told, ...(full ? [''] : []), ...verdict(report, paint)].join('\n');
};
