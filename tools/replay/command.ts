import { basename, resolve } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { isOfOlderShop } from '../../machines/trace/older/translate.ts';
import { play, type Player } from '../../machines/trace/player.ts';
import { buildOf } from '../build/build-of.ts';
import { argumentsIn, usage, type Arguments } from './arguments.ts';
import { commitWith, differingMachines, otherBuild } from './other-build.ts';
import { printed } from './print.ts';
import { readTrace } from './read-trace.ts';
import { foreign, isRefusal, type Refusal } from './refusal.ts';
import { reportOf, type Report } from './report.ts';
import { jsonText, printable, type Paint } from './text.ts';
import { writeTest } from './to-test.ts';

/** What a call of the command says and how it ends. */
export type Ending = { code: 0 | 1 | 2; out: string; err: string };

export type Surroundings = {
  /** The project's folder. */
  root: string;
  /** The folder that relative paths start from. */
  folder: string;
  paint: Paint;
  /** The terminal's width. */
  columns?: number | undefined;
  machine?: AnyStateMachine;
};

/** A step for an actor that the same machines never create was not recorded from them. */
const unknownActor = ({ divergences }: Player): Refusal | null => {
  const unknown = divergences.find(({ why }) => why.endsWith('was never created'));
  if (!unknown) return null;
  return foreign(
    `The file was changed by hand: in run ${unknown.run + 1} it tells of an actor that is not there: ${unknown.why}.`,
  );
};

const played = (machine: AnyStateMachine, trace: Trace): Player | Refusal => {
  try {
    return play(machine, trace);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return foreign(`The file was changed by hand: the machines cannot go on from what it says (${why.slice(0, 200)}).`);
  }
};

const replayed = async (
  file: string,
  { anyway }: Arguments,
  around: Surroundings,
): Promise<{ report: Report; trace: Trace } | Refusal> => {
  const trace = await readTrace(resolve(around.folder, file));
  if (isRefusal(trace)) return trace;
  const ours = await buildOf(around.root);
  const differing = differingMachines(trace, ours);
  if (differing.length > 0 && !anyway) return otherBuild(trace, ours, differing, commitWith(around.root, trace.machines));
  const player = played(around.machine ?? shopMachine, trace);
  if (isRefusal(player)) return player;
  const refusal = differing.length === 0 ? unknownActor(player) : null;
  return refusal ?? { trace, report: reportOf(basename(file), trace, player, differing) };
};

const refused = (refusal: Refusal, json: boolean): Ending => {
  const text = printable(refusal.refused);
  if (json) return { code: 2, out: jsonText({ refused: refusal.refused, advice: refusal.advice }), err: '' };
  return { code: 2, out: '', err: `${text}\n${printable(refusal.advice)}` };
};

const madeTest = async (
  name: string,
  trace: Trace,
  report: Report,
  { force }: Arguments,
  { root }: Surroundings,
): Promise<string | Refusal> => {
  if (!report.identical) return 'No test was written: it would fail from its first day.';
  if (isOfOlderShop(trace)) return 'No test was written: the record is of an older shop, and a test is of today’s.';
  const result = await writeTest(root, name, trace, { force });
  return isRefusal(result) ? result : `Written: ${result.written.join(', ')}`;
};

const translatedText = ({ format }: Trace): string =>
  `The record is of an older shop (format ${format}); it was translated for today’s machines.`;

/** The whole command, but for printing and ending the process. */
export const replayCommand = async (args: readonly string[], around: Surroundings): Promise<Ending> => {
  const given = argumentsIn(args);
  if (typeof given === 'string') return { code: 2, out: '', err: `${printable(given)}\n\n${usage}` };
  if (given.file === null) return { code: 0, out: usage, err: '' };
  const result = await replayed(given.file, given, around);
  if (isRefusal(result)) return refused(result, given.json);
  const { trace, report } = result;
  const code = report.identical ? 0 : 1;
  const made = given.test === null ? null : await madeTest(given.test, trace, report, given, around);
  if (made !== null && typeof made !== 'string') return refused(made, given.json);
  if (given.json) return { code, out: jsonText(report), err: made ?? '' };
  return {
    code,
    out: [
      ...(isOfOlderShop(trace) ? [translatedText(trace)] : []),
      printed(report, around.paint, { full: given.full, columns: around.columns }),
      ...(made === null ? [] : [made]),
    ].join('\n'),
    err: '',
  };
};
