import { readFile, stat } from 'node:fs/promises';
import type { Trace } from '../../machines/trace/format.ts';
import { largestFile } from './limits.ts';
import { parseTrace } from './parse-trace.ts';
import { damaged, foreign, type Refusal } from './refusal.ts';

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  ENOTDIR: 'There is no such file.',
  EACCES: 'The file may not be read.',
  ENAMETOOLONG: 'There is no such file: the name is too long.',
};

const couldNotRead = (error: unknown): Refusal => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { refused: unreadable[code] ?? `The file could not be read (${code}).`, advice: 'Check the path, and who may read it.' };
};

/** Reads a trace file. What is too large is refused by its size, before it is read. */
export const readTrace = async (path: string): Promise<Trace | Refusal> => {
  try {
    const about = await stat(path);
    if (!about.isFile()) return foreign('That is not a file.');
    if (about.size > largestFile) {
      return foreign(`The file is too large: ${megabytes(about.size)}, and a record has at most ${megabytes(largestFile)}.`);
    }
    const text = await readFile(path, 'utf8');
    return text.includes('\0') ? damaged('The file is not text.') : parseTrace(text);
  } catch (error) {
    return couldNotRead(error);
  }
};
