/** The thread that reads what a store supplies, for `publication-threads.ts`. */
import { BrokenPublication, type BrokenCode } from './broken-publication.ts';
import { readPage, type PageSource, type PreparedPage } from './prepare-page.ts';
import { gatherPages } from './pdf-pages.ts';
import type { ReadPublication } from './publication.ts';
import { readPublication } from './read-publication.ts';

/** An error would lose its class on its way between threads. */
export type Answer<Value> = Value | { broken: string; code: BrokenCode };

export const book = async (file: string): Promise<Answer<ReadPublication>> =>
  answered(async () => {
    const { manifest, positions, ...facts } = await readPublication(file);
    return { ...facts, manifest: JSON.stringify(manifest), positions: JSON.stringify(positions) };
  });

export const pdf = gatherPages;

export const page = async (source: PageSource): Promise<Answer<PreparedPage>> => answered(async () => readPage(source));

async function answered<Value>(work: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BrokenPublication) return { broken: error.message, code: error.code };
    throw error;
  }
}
