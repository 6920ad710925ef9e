/** The worker thread that reads files supplied by stores, for `publication-threads.ts`. */
import { BrokenPublication, type BrokenCode } from './broken-publication.ts';
import { readPage, type PageSource, type PreparedPage } from './prepare-page.ts';
import { makePageAddition } from './pdf-pages.ts';
import type { ReadPublication } from './publication.ts';
import { readPublication } from './read-publication.ts';

/** Errors lose their class when they are passed between threads. */
export type TaskResult<Value> = Value | { broken: string; code: BrokenCode };

export const book = async (file: string): Promise<TaskResult<ReadPublication>> =>
  catchBroken(async () => {
    const { manifest, positions, ...facts } = await readPublication(file);
    return { ...facts, manifest: JSON.stringify(manifest), positions: JSON.stringify(positions) };
  });

export const pdf = makePageAddition;

export const page = async (source: PageSource): Promise<TaskResult<PreparedPage>> => catchBroken(async () => readPage(source));

async function catchBroken<Value>(work: () => Promise<Value>): Promise<TaskResult<Value>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BrokenPublication) return { broken: error.message, code: error.code };
    throw error;
  }
}
