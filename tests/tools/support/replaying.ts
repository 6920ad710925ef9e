import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Trace } from '../../../machines/trace/format.ts';
import { buildOf } from '../../../tools/build/build-of.ts';
import { replayCommand, type Ending, type Surroundings } from '../../../tools/replay/command.ts';
import { plainPaint } from '../../../tools/replay/text.ts';
import { purchaseTrace } from '../../trace/purchase.ts';
import type { Limits } from '../../../machines/trace/recorder.ts';
import { project } from './tree.ts';

/** A folder of its own for a test; it goes when the test ends. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-replay-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A purchase as the shop of this very build saves it. */
export const goodTrace = async (bounds?: Limits): Promise<Trace> =>
  purchaseTrace({ ...(await buildOf(project)), ...(bounds && { bounds }) });

/** Writes a trace, or any text, as `visit.json` into a new folder; gives the folder. */
export const folderWith = async (content: Trace | string): Promise<string> => {
  const folder = await newFolder();
  await writeFile(join(folder, 'visit.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
};

/** Calls the command on a trace or a text, with more arguments if there are any. */
export const replaying = async (
  content: Trace | string,
  args: readonly string[] = [],
  around: Partial<Surroundings> = {},
): Promise<Ending> => {
  const folder = await folderWith(content);
  return replayCommand(['visit.json', ...args], { root: project, folder, paint: plainPaint, ...around });
};
