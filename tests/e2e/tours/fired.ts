import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What one tour of a machine made fire, in all machines of the shop; `of` is how many tours the machine has. */
export type Fired = { machine: string; tour: number; of: number; names: string[] };

const folder = (outputDir: string): string => join(process.env['COLOPHON_TOURED'] ?? outputDir, 'toured');

export const writeFired = async (outputDir: string, fired: Fired): Promise<void> => {
  await mkdir(folder(outputDir), { recursive: true });
  await writeFile(join(folder(outputDir), `${fired.machine}-${fired.tour}.json`), JSON.stringify(fired));
};

export const readFired = async (outputDir: string): Promise<Fired[]> => {
  const files = await readdir(folder(outputDir)).catch(() => []);
  const read = async (file: string) => JSON.parse(await readFile(join(folder(outputDir), file), 'utf8')) as Fired;
  return Promise.all(files.map(read));
};
