/** The worker thread that reads untrusted files, for `read-source.ts`. */
import { BrokenPublication, type BrokenCode } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { readEpub } from './epub.ts';
import type { TitleFacts, CoverImage } from './facts.ts';

/**
 * The result of a task: its value, or the reason why the file is broken; an error would lose its
 * class when it is passed between threads.
 */
export type ThreadResult<Value> = { value: Value } | { broken: string; code: BrokenCode };

async function toThreadResult<Value>(task: () => Promise<Value>): Promise<ThreadResult<Value>> {
  try {
    return { value: await task() };
  } catch (error) {
    if (error instanceof BrokenPublication) return { broken: error.message, code: error.code };
    throw error;
  }
}

export const epub = (file: string): Promise<ThreadResult<TitleFacts>> => toThreadResult(() => readEpub(file));

// The other readers are large: they are loaded on first use.
export const pdf = (file: string): Promise<ThreadResult<TitleFacts>> =>
  toThreadResult(async () => (await import('./pdf.ts')).readPdf(file));
export const sound = (files: string[]): Promise<ThreadResult<TitleFacts>> =>
  toThreadResult(async () => (await import('./sound.ts')).readSound(files));
export const film = (file: string): Promise<ThreadResult<TitleFacts>> =>
  toThreadResult(async () => (await import('./sound.ts')).readFilm(file));

export const cover = async (file: string): Promise<ThreadResult<CoverImage>> => {
  try {
    return { value: await readCover(file) };
  } catch {
    return { broken: 'it is not a readable image', code: 'broken_book' };
  }
};
