import { describePayload, formatClock, formatDate, fitText, wrapText, formatStateChange, type Colors } from './text.ts';
import { isWrong } from './narrative.ts';
import type { Change, Report, ReportStep } from './report.ts';

/** Column widths in characters; those of actor and event fit the longest value, up to a limit. */
type Widths = { step: number; time: number; actor: number; event: number };

const COLUMN_GAP = '  ';

/** The width if there is no terminal. */
const MAX_COLUMNS = 400;

const isCustomerAction = ({ by }: ReportStep): boolean => by === 'customer';

const isFailure = ({ event }: ReportStep): boolean => event.type.startsWith('xstate.error.');

/** Whether a step is not listed: an internal event without any change. */
const isSilent = ({ changes, does, fired }: ReportStep): boolean => changes.length === 0 && does === null && fired.length === 0;

const formatMove = ({ machine, from, to }: Change, colors: Colors): string => {
  const states = from !== null && to !== null ? formatStateChange(from, to) : (from ?? to ?? '');
  const suffix = from === null ? ' (begins)' : to === null ? ' (ends)' : '';
  return `${colors('bold', machine)} ${colors('green', states)}${suffix === '' ? '' : colors('dim', suffix)}`;
};

const formatOwnMove = (step: ReportStep, colors: Colors): string => {
  const change = step.changes.find(({ actor }) => actor === step.actor);
  if (change) return formatMove(change, colors);
  return step.machine === null ? '' : colors('dim', `${step.machine} ${step.to ?? ''}`);
};

/** Shortens XState's event names: `quote done`, `after checkAgain`. */
const formatEventName = ({ event }: ReportStep): string =>
  event.type.replace(/^xstate\.(done|error)\.actor\.(.*)$/, '$2 $1').replace(/^xstate\.after\.([^.]+)\..*$/, 'after $1');

/** A step with the ms since the start of the visit. */
type TimedStep = ReportStep & { since: number };

/** Milliseconds from the start of the visit to that of the step's run. */
const getRunStart = ({ runs }: Report, { run }: ReportStep): number => {
  const [visitStart, runStart] = [runs[0], runs[run - 1]].map((each) => Date.parse(each?.startedAt ?? ''));
  return (runStart ?? 0) - (visitStart ?? 0);
};

const measureWidths = (report: Report): Widths => {
  const { steps } = report;
  const getMaxLength = (texts: string[], limit: number): number =>
    texts.reduce((width, { length }) => Math.max(width, Math.min(length, limit)), 0);
  const shownSteps = steps.filter((step) => !isSilent(step));
  return {
    step: String(steps.length).length,
    time: getMaxLength(
      report.steps.map((step) => formatClock(getRunStart(report, step) + step.at)),
      14,
    ),
    actor: getMaxLength(
      shownSteps.flatMap(({ actor, changes }) => [actor, ...changes.map((change) => change.actor)]),
      28,
    ),
    event: getMaxLength(shownSteps.map(formatEventName), 30),
  };
};

/** A labelled line below a step, with its text wrapped to the terminal's width. */
const formatLabelled = (label: string, text: string, { step, time }: Widths, columns = MAX_COLUMNS): string[] => {
  const margin = ' '.repeat(step + time + 2 * COLUMN_GAP.length);
  const indent = `${margin}${' '.repeat(10)}`;
  const [first = '', ...continuation] = wrapText(text, Math.max(columns - indent.length, 30));
  return [`${margin}${label.padEnd(10)}${first}`, ...continuation.map((line) => `${indent}${line}`)];
};

const formatHeadLine = (step: TimedStep, widths: Widths, colors: Colors): string => {
  const event = fitText(formatEventName(step), widths.event);
  const columns = [
    colors('dim', String(step.step).padStart(widths.step)),
    formatClock(step.since).padStart(widths.time),
    colors('cyan', fitText(step.actor, widths.actor)),
    isCustomerAction(step) ? colors(['bold', 'yellow'], event) : isFailure(step) ? colors('red', event) : event,
    formatOwnMove(step, colors),
  ];
  return columns.join(COLUMN_GAP).trimEnd();
};

const formatChange = (change: Change, widths: Widths, colors: Colors): string =>
  [
    ' '.repeat(widths.step),
    ' '.repeat(widths.time),
    colors('cyan', fitText(change.actor, widths.actor)),
    ' '.repeat(widths.event),
    formatMove(change, colors),
  ].join(COLUMN_GAP);

/** The lines of a step with its `failures`; `seen` is the customer's previous screen. */
const formatStep = (
  step: TimedStep,
  { seen, failures }: { seen: string; failures: readonly string[] },
  widths: Widths,
  colors: Colors,
  columns?: number,
): string[] => {
  const payload = describePayload(step.event);
  const saw = step.saw.join(' ');
  const formatBelow = (label: string, text: string): string[] => formatLabelled(label, text, widths, columns);
  return [
    formatHeadLine(step, widths, colors),
    ...step.changes.filter(({ actor }) => actor !== step.actor).map((change) => formatChange(change, widths, colors)),
    ...(payload === '' ? [] : formatBelow('with', payload).map((line) => colors('dim', line))),
    ...(step.by === null || step.does === null ? [] : formatBelow(step.by, step.does)),
    ...failures.flatMap((text) => formatBelow('wrong', text)).map((line) => colors('red', line)),
    ...(saw === seen ? [] : formatBelow('saw', saw).map((line) => colors('magenta', line))),
  ];
};

const formatRunStart = ({ runs }: Report, run: number, colors: Colors): string => {
  const runReport = runs[run - 1];
  const kind = runReport?.begins === 'checkpoint' ? 'goes on from a checkpoint' : 'page load';
  const location = runReport?.path == null ? '' : ` at ${runReport.path}`;
  return colors('bold', `── Run ${run} of ${runs.length}, ${kind}${location}, ${formatDate(runReport?.startedAt ?? '')} ──`);
};

/**
 * Lists the steps: number, time since the start of the visit, actor, event, states before and
 * after. Below each: the event's data, its description, failure reasons, and the customer's screen
 * if it changed. `columns` is the terminal's width.
 */
export const formatTimeline = (report: Report, colors: Colors, columns?: number): string[] => {
  const widths = measureWidths(report);
  const lines: string[] = [];
  let [run, seen] = [0, ''];
  for (const step of report.steps) {
    if (step.run !== run) {
      run = step.run;
      seen = '';
      lines.push('', formatRunStart(report, run, colors), '');
    }
    if (isSilent(step)) continue;
    const failures = report.acts.filter((act) => act.step === step.step && isWrong(act)).map(({ text }) => text);
    lines.push(
      ...formatStep({ ...step, since: getRunStart(report, step) + step.at }, { seen, failures }, widths, colors, columns),
    );
    seen = step.saw.join(' ');
  }
  return lines;
};
