import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run, type ProcessResult } from '../../../tools/process/run.ts';
import { recordGoodTrace } from './replaying.ts';
import { plantTree, projectRoot } from './tree.ts';

const copiedFolders = ['machines', 'tools/path-models', 'tools/replay', 'tools/build', 'tools/check', 'src/brand', 'src/flows'];

/**
 * A copy of the files that a replay needs, to be changed, with a record of this build in it;
 * returns its folder.
 */
export const copyShop = async (): Promise<string> => {
  const root = await plantTree({ 'visit.json': JSON.stringify(await recordGoodTrace()) });
  for (const folder of copiedFolders) await cp(join(projectRoot, folder), join(root, folder), { recursive: true });
  return root;
};

/** Replays the record with the copy's own machines. */
export const replayInCopy = (root: string, ...args: string[]): Promise<ProcessResult> =>
  run(process.execPath, [join(root, 'tools/replay/replay.ts'), 'visit.json', ...args], { cwd: root, env: { INIT_CWD: root } });

/** Changes the copy's purchases so that nothing is for sale. */
export const breakSales = async (root: string): Promise<void> => {
  const path = join(root, 'machines/buying/purchase/purchase.ts');
  const text = await readFile(path, 'utf8');
  expect(text).toContain("target: 'offered'");
  await writeFile(path, text.replace("target: 'offered'", "target: 'notForSale'"));
};

export const listTraces = async (root: string): Promise<string[]> => {
  const names = await readdir(join(root, 'tests/traces')).catch((): string[] => []);
  return names.toSorted();
};
