import { basename, resolve } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { isOldFormat } from '../../machines/trace/older/translate.ts';
import { play, type Player } from '../../machines/trace/player.ts';
import { computeBuild } from '../build/build-of.ts';
import { parseArguments, usage, type Arguments } from './arguments.ts';
import { findCommit, findDifferingMachines, refuseOtherBuild } from './other-build.ts';
import { formatReport } from './print.ts';
import { readTrace } from './read-trace.ts';
import { createInvalidFileRefusal, isRefusal, type Refusal } from './refusal.ts';
import { createReport, type Report } from './report.ts';
import { toSafeJson, toPrintable, type Colors } from './text.ts';
import { writeTest } from './to-test.ts';

/** The output and the exit code of the command. */
export type CommandResult = { code: 0 | 1 | 2; out: string; err: string };

export type ReplayContext = {
  /** The project's folder. */
  root: string;
  /** The folder against which relative paths are resolved. */
  folder: string;
  colors: Colors;
  /** The terminal's width. */
  columns?: number | undefined;
  machine?: AnyStateMachine;
};

/**
 * Refuses a record with a step for an actor that these machines never create: it was not recorded
 * with them. Null if all actors are known.
 */
const findUnknownActor = ({ divergences }: Player): Refusal | null => {
  const unknownActor = divergences.find(({ why }) => why.endsWith('was never created'));
  if (!unknownActor) return null;
  return createInvalidFileRefusal(
    `The file was changed by hand: run ${unknownActor.run + 1} has an event for an actor that does not exist: ${unknownActor.why}.`,
  );
};

const playTrace = (machine: AnyStateMachine, trace: Trace): Player | Refusal => {
  try {
    return play(machine, trace);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return createInvalidFileRefusal(`The file was changed by hand: the machines cannot process it (${reason.slice(0, 200)}).`);
  }
};

const replayFile = async (
  file: string,
  { anyway }: Arguments,
  context: ReplayContext,
): Promise<{ report: Report; trace: Trace } | Refusal> => {
  const trace = await readTrace(resolve(context.folder, file));
  if (isRefusal(trace)) return trace;
  const currentBuild = await computeBuild(context.root);
  const differingMachines = findDifferingMachines(trace, currentBuild);
  if (differingMachines.length > 0 && !anyway)
    return refuseOtherBuild(trace, currentBuild, differingMachines, findCommit(context.root, trace.machines));
  const player = playTrace(context.machine ?? shopMachine, trace);
  if (isRefusal(player)) return player;
  const refusal = differingMachines.length === 0 ? findUnknownActor(player) : null;
  return refusal ?? { trace, report: createReport(basename(file), trace, player, differingMachines) };
};

const toRefusedResult = (refusal: Refusal, json: boolean): CommandResult => {
  const text = toPrintable(refusal.refused);
  if (json) return { code: 2, out: toSafeJson({ refused: refusal.refused, advice: refusal.advice }), err: '' };
  return { code: 2, out: '', err: `${text}\n${toPrintable(refusal.advice)}` };
};

const createTest = async (
  name: string,
  trace: Trace,
  report: Report,
  { force }: Arguments,
  { root }: ReplayContext,
): Promise<string | Refusal> => {
  if (!report.identical) return 'No test was written: it would fail at once, since the replay diverges.';
  if (isOldFormat(trace)) return 'No test was written: the record is of an older shop, and a test is of today’s.';
  const result = await writeTest(root, name, trace, { force });
  return isRefusal(result) ? result : `Written: ${result.written.join(', ')}`;
};

const formatTranslation = ({ format }: Trace): string =>
  `The record is of an older shop (format ${format}); it was translated for today’s machines.`;

/** The whole command, except for printing and ending the process. */
export const replayCommand = async (args: readonly string[], context: ReplayContext): Promise<CommandResult> => {
  const parsedArguments = parseArguments(args);
  if (typeof parsedArguments === 'string') return { code: 2, out: '', err: `${toPrintable(parsedArguments)}\n\n${usage}` };
  if (parsedArguments.file === null) return { code: 0, out: usage, err: '' };
  const result = await replayFile(parsedArguments.file, parsedArguments, context);
  if (isRefusal(result)) return toRefusedResult(result, parsedArguments.json);
  const { trace, report } = result;
  const code = report.identical ? 0 : 1;
  const testResult =
    parsedArguments.test === null ? null : await createTest(parsedArguments.test, trace, report, parsedArguments, context);
  if (testResult !== null && typeof testResult !== 'string') return toRefusedResult(testResult, parsedArguments.json);
  if (parsedArguments.json) return { code, out: toSafeJson(report), err: testResult ?? '' };
  return {
    code,
    out: [
      ...(isOldFormat(trace) ? [formatTranslation(trace)] : []),
      formatReport(report, context.colors, { full: parsedArguments.full, columns: context.columns }),
      ...(testResult === null ? [] : [testResult]),
    ].join('\n'),
    err: '',
  };
};
