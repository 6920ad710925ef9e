import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run, type Finished } from '../../../tools/process/run.ts';
import { goodTrace } from './replaying.ts';
import { plant, project } from './tree.ts';

const copied = ['machines', 'tools/path-models', 'tools/replay', 'tools/build', 'tools/check', 'src/brand', 'src/flows'];

/** A copy of what a replay needs, to be changed, with a record of this build in it; gives its folder. */
export const shopElsewhere = async (): Promise<string> => {
  const root = await plant({ 'visit.json': JSON.stringify(await goodTrace()) });
  for (const folder of copied) await cp(join(project, folder), join(root, folder), { recursive: true });
  return root;
};

/** Replays the record with the copy's own machines. */
export const replayThere = (root: string, ...args: string[]): Promise<Finished> =>
  run(process.execPath, [join(root, 'tools/replay/replay.ts'), 'visit.json', ...args], { cwd: root, env: { INIT_CWD: root } });

/** Makes the copy's purchases say that nothing is for sale. */
export const closeSales = async (root: string): Promise<void> => {
  const path = join(root, 'machines/buying/purchase/purchase.ts');
  const text = await readFile(path, 'utf8');
  expect(text).toContain("target: 'offered'");
  await writeFile(path, text.replace("target: 'offered'", "target: 'notForSale'"));
};

export const tracesIn = async (root: string): Promise<string[]> => {
  const names = await readdir(join(root, 'tests/traces')).catch((): string[] => []);
  return names.toSorted();
};
