import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Trace } from '../../../machines/trace/format.ts';
import { computeBuild } from '../../../tools/build/build-of.ts';
import { replayCommand, type CommandResult, type ReplayContext } from '../../../tools/replay/command.ts';
import { plainColors } from '../../../tools/replay/text.ts';
import { recordPurchaseTrace } from '../../trace/purchase.ts';
import type { Limits } from '../../../machines/trace/recorder.ts';
import { projectRoot } from './tree.ts';

/** A new temporary folder, removed when the test ends. */
export const createFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-replay-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** The trace of a purchase, as the app of this build saves it. */
export const recordGoodTrace = async (bounds?: Limits): Promise<Trace> =>
  recordPurchaseTrace({ ...(await computeBuild(projectRoot)), ...(bounds && { bounds }) });

/** Writes a trace, or any text, as `visit.json` into a new folder; returns the folder. */
export const writeTraceFolder = async (content: Trace | string): Promise<string> => {
  const folder = await createFolder();
  await writeFile(join(folder, 'visit.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
};

/** Runs the replay command on a trace or a text, with optional arguments. */
export const runReplay = async (
  content: Trace | string,
  args: readonly string[] = [],
  context: Partial<ReplayContext> = {},
): Promise<CommandResult> => {
  const folder = await writeTraceFolder(content);
  return replayCommand(['visit.json', ...args], { root: projectRoot, folder, colors: plainColors, ...context });
};
