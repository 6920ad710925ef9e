import { payloadText, clockText, dateText, fitted, wrapped, moveText, type Paint } from './text.ts';
import { isWrong } from './acts.ts';
import type { Change, Report, ReportStep } from './report.ts';

/** How many characters the columns take; the actor's and the event's as many as the longest needs, within reason. */
type Widths = { step: number; time: number; actor: number; event: number };

const gap = '  ';

/** Where no terminal sets a width. */
const widest = 400;

const isPressed = ({ by }: ReportStep): boolean => by === 'customer';

const isFailure = ({ event }: ReportStep): boolean => event.type.startsWith('xstate.error.');

/** What an effect says to itself changes nothing, and nobody sees it. */
const isSilent = ({ changes, does, fired }: ReportStep): boolean => changes.length === 0 && does === null && fired.length === 0;

const move = ({ machine, from, to }: Change, paint: Paint): string => {
  const states = from !== null && to !== null ? moveText(from, to) : (from ?? to ?? '');
  const note = from === null ? ' (begins)' : to === null ? ' (ends)' : '';
  return `${paint('bold', machine)} ${paint('green', states)}${note === '' ? '' : paint('dim', note)}`;
};

const ownMove = (step: ReportStep, paint: Paint): string => {
  const change = step.changes.find(({ actor }) => actor === step.actor);
  if (change) return move(change, paint);
  return step.machine === null ? '' : paint('dim', `${step.machine} ${step.to ?? ''}`);
};

/** The names that XState gives, said shorter: `quote done`, `after checkAgain`. */
const eventText = ({ event }: ReportStep): string =>
  event.type.replace(/^xstate\.(done|error)\.actor\.(.*)$/, '$2 $1').replace(/^xstate\.after\.([^.]+)\..*$/, 'after $1');

/** A step with the milliseconds since the visit began. */
type Timed = ReportStep & { since: number };

/** Milliseconds from the beginning of the visit to that of the step's run. */
const runBegan = ({ runs }: Report, { run }: ReportStep): number => {
  const [first, own] = [runs[0], runs[run - 1]].map((each) => Date.parse(each?.startedAt ?? ''));
  return (own ?? 0) - (first ?? 0);
};

const widthsFor = (report: Report): Widths => {
  const { steps } = report;
  const longest = (texts: string[], most: number): number =>
    texts.reduce((width, { length }) => Math.max(width, Math.min(length, most)), 0);
  const shown = steps.filter((step) => !isSilent(step));
  return {
    step: String(steps.length).length,
    time: longest(
      report.steps.map((step) => clockText(runBegan(report, step) + step.at)),
      14,
    ),
    actor: longest(
      shown.flatMap(({ actor, changes }) => [actor, ...changes.map((change) => change.actor)]),
      28,
    ),
    event: longest(shown.map(eventText), 30),
  };
};

/** A line below a step: what it says, and its text broken to the terminal's width. */
const labelled = (label: string, text: string, { step, time }: Widths, columns = widest): string[] => {
  const margin = ' '.repeat(step + time + 2 * gap.length);
  const indent = `${margin}${' '.repeat(10)}`;
  const [first = '', ...rest] = wrapped(text, Math.max(columns - indent.length, 30));
  return [`${margin}${label.padEnd(10)}${first}`, ...rest.map((line) => `${indent}${line}`)];
};

const headLine = (step: Timed, widths: Widths, paint: Paint): string => {
  const event = fitted(eventText(step), widths.event);
  const columns = [
    paint('dim', String(step.step).padStart(widths.step)),
    clockText(step.since).padStart(widths.time),
    paint('cyan', fitted(step.actor, widths.actor)),
    isPressed(step) ? paint(['bold', 'yellow'], event) : isFailure(step) ? paint('red', event) : event,
    ownMove(step, paint),
  ];
  return columns.join(gap).trimEnd();
};

const changeLine = (change: Change, widths: Widths, paint: Paint): string =>
  [
    ' '.repeat(widths.step),
    ' '.repeat(widths.time),
    paint('cyan', fitted(change.actor, widths.actor)),
    ' '.repeat(widths.event),
    move(change, paint),
  ].join(gap);

/** `seen` is what the customer saw before, `wrong` what went wrong in the step. */
const stepLines = (
  step: Timed,
  { seen, wrong }: { seen: string; wrong: readonly string[] },
  widths: Widths,
  paint: Paint,
  columns?: number,
): string[] => {
  const payload = payloadText(step.event);
  const saw = step.saw.join(' ');
  const below = (label: string, text: string): string[] => labelled(label, text, widths, columns);
  return [
    headLine(step, widths, paint),
    ...step.changes.filter(({ actor }) => actor !== step.actor).map((change) => changeLine(change, widths, paint)),
    ...(payload === '' ? [] : below('with', payload).map((line) => paint('dim', line))),
    ...(step.by === null || step.does === null ? [] : below(step.by, step.does)),
    ...wrong.flatMap((text) => below('wrong', text)).map((line) => paint('red', line)),
    ...(saw === seen ? [] : below('saw', saw).map((line) => paint('magenta', line))),
  ];
};

const runLine = ({ runs }: Report, run: number, paint: Paint): string => {
  const about = runs[run - 1];
  const begins = about?.begins === 'checkpoint' ? 'goes on from a checkpoint' : 'page load';
  const place = about?.path == null ? '' : ` at ${about.path}`;
  return paint('bold', `── Run ${run} of ${runs.length}, ${begins}${place}, ${dateText(about?.startedAt ?? '')} ──`);
};

/**
 * The steps one below the other: number, time since the visit began, actor, event, state before and after; below it what came
 * with the event, what it was in plain words, why it failed, and what the customer saw when that changed. `columns` is the terminal's width.
 */
export const timeline = (report: Report, paint: Paint, columns?: number): string[] => {
  const widths = widthsFor(report);
  const lines: string[] = [];
  let [run, seen] = [0, ''];
  for (const step of report.steps) {
    if (step.run !== run) {
      run = step.run;
      seen = '';
      lines.push('', runLine(report, run, paint), '');
    }
    if (isSilent(step)) continue;
    const wrong = report.acts.filter((act) => act.step === step.step && isWrong(act)).map(({ text }) => text);
    lines.push(...stepLines({ ...step, since: runBegan(report, step) + step.at }, { seen, wrong }, widths, paint, columns));
    seen = step.saw.join(' ');
  }
  return lines;
};
