/** The thread that reads what somebody delivers, for `read-source.ts`. */
import { BrokenPublication, type BrokenCode } from '../../../server/publication/broken-publication.ts';
import { readCover } from './cover.ts';
import { readEpub } from './epub.ts';
import type { Facts, ReadCover } from './facts.ts';

/** An error would lose its class on its way between threads. */
export type Answer<Value> = { value: Value } | { broken: string; code: BrokenCode };

async function answered<Value>(work: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof BrokenPublication) return { broken: error.message, code: error.code };
    throw error;
  }
}

export const epub = (file: string): Promise<Answer<Facts>> => answered(() => readEpub(file));

// The others are large: they are fetched when there is one to read.
export const pdf = (file: string): Promise<Answer<Facts>> => answered(async () => (await import('./pdf.ts')).readPdf(file));
export const sound = (files: string[]): Promise<Answer<Facts>> =>
  answered(async () => (await import('./sound.ts')).readSound(files));
export const film = (file: string): Promise<Answer<Facts>> => answered(async () => (await import('./sound.ts')).readFilm(file));

export const cover = async (file: string): Promise<Answer<ReadCover>> => {
  try {
    return { value: await readCover(file) };
  } catch {
    return { broken: 'it is no picture that can be read', code: 'broken_book' };
  }
};
