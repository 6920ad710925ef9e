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
import { refuseForeign, isRefusal, type Refusal } from './refusal.ts';
import { createReport, type Report } from './report.ts';
import { jsonText, printable, type Colors } from './text.ts';
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

/** A step for an actor that these machines never create was not recorded with them. */
const findUnknownActor = ({ divergences }: Player): Refusal | null => {
  const unknown = divergences.find(({ why }) => why.endsWith('was never created'));
  if (!unknown) return null;
  return refuseForeign(
    `The file was changed by hand: run ${unknown.run + 1} has an event for an actor that does not exist: ${unknown.why}.`,
  );
};

const playTrace = (machine: AnyStateMachine, trace: Trace): Player | Refusal => {
  try {
    return play(machine, trace);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuseForeign(`The file was changed by hand: the machines cannot process it (${why.slice(0, 200)}).`);
  }
};

const replayFile = async (
  file: string,
  { anyway }: Arguments,
  around: ReplayContext,
): Promise<{ report: Report; trace: Trace } | Refusal> => {
  const trace = await readTrace(resolve(around.folder, file));
  if (isRefusal(trace)) return trace;
  const ours = await computeBuild(around.root);
  const differing = findDifferingMachines(trace, ours);
  if (differing.length > 0 && !anyway) return refuseOtherBuild(trace, ours, differing, findCommit(around.root, trace.machines));
  const player = playTrace(around.machine ?? shopMachine, trace);
  if (isRefusal(player)) return player;
  const refusal = differing.length === 0 ? findUnknownActor(player) : null;
  return refusal ?? { trace, report: createReport(basename(file), trace, player, differing) };
};

const toRefusedResult = (refusal: Refusal, json: boolean): CommandResult => {
  const text = printable(refusal.refused);
  if (json) return { code: 2, out: jsonText({ refused: refusal.refused, advice: refusal.advice }), err: '' };
  return { code: 2, out: '', err: `${text}\n${printable(refusal.advice)}` };
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
export const replayCommand = async (args: readonly string[], around: ReplayContext): Promise<CommandResult> => {
  const given = parseArguments(args);
  if (typeof given === 'string') return { code: 2, out: '', err: `${printable(given)}\n\n${usage}` };
  if (given.file === null) return { code: 0, out: usage, err: '' };
  const result = await replayFile(given.file, given, around);
  if (isRefusal(result)) return toRefusedResult(result, given.json);
  const { trace, report } = result;
  const code = report.identical ? 0 : 1;
  const made = given.test === null ? null : await createTest(given.test, trace, report, given, around);
  if (made !== null && typeof made !== 'string') return toRefusedResult(made, given.json);
  if (given.json) return { code, out: jsonText(report), err: made ?? '' };
  return {
    code,
    out: [
      ...(isOldFormat(trace) ? [formatTranslation(trace)] : []),
      formatReport(report, around.colors, { full: given.full, columns: around.columns }),
      ...(made === null ? [] : [made]),
    ].join('\n'),
    err: '',
  };
};
