/** The thread that reads what a store supplies, for `publication-threads.ts`. */
import { BrokenPublication } from './broken-publication.ts';
import { preparePage as prepare, type PreparedPage } from './prepare-page.ts';
import type { ReadPublication } from './publication.ts';
import { readPublication } from './read-publication.ts';

/** An error would lose its class on its way between threads. */
export type Answer<Value> = Value | { broken: string };

export type PageTask = { source: Uint8Array; type: string };

export const read = async (file: string): Promise<Answer<ReadPublication>> =>
  answered(async () => {
    const { manifest, positions, ...facts } = await readPublication(file);
    return { ...facts, manifest: JSON.stringify(manifest), positions: JSON.stringify(positions) };
  });

export const preparePage = async ({ source, type }: PageTask): Promise<Answer<PreparedPage>> =>
  answered(async () => prepare(source, type));

async function answered<Value>(work: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BrokenPublication) return { broken: error.message };
    throw error;
  }
}
