/** The thread that reads what a store supplies, for `publication-threads.ts`. */
import { BrokenPublication, type BrokenCode } from './broken-publication.ts';
import type { ReadPublication } from './publication.ts';
import { readPublication } from './read-publication.ts';

export { checkPage } from './page-check.ts';

/** An error would lose its class on its way between threads. */
export type ReadAnswer = ReadPublication | { broken: string; code: BrokenCode };

export async function read(file: string): Promise<ReadAnswer> {
  try {
    const { manifest, positions, ...facts } = await readPublication(file);
    return { ...facts, manifest: JSON.stringify(manifest), positions: JSON.stringify(positions) };
  } catch (error) {
    if (error instanceof BrokenPublication) return { broken: error.message, code: error.code };
    throw error;
  }
}
