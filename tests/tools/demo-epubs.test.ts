import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { findEpubChecker } from '../../tools/start/programs.mjs';

const root = join(import.meta.dirname, '../..');
const epubCheck = await findEpubChecker();
const folder = await mkdtemp(join(tmpdir(), 'colophon-epubs-'));
afterAll(() => rm(folder, { recursive: true }));

if ('missing' in epubCheck) console.warn(`The demo’s EPUBs are not checked: ${epubCheck.missing}.`);

/**
 * A book that lacks a file of its manifest. The renamed entry keeps its length, so that the archive
 * stays valid.
 */
async function createBrokenBook(): Promise<string> {
  const brokenBook = join(folder, 'broken.epub');
  await copyFile(join(root, 'server/demo/media/1001/book.epub'), brokenBook);
  const bytes = await readFile(brokenBook, 'latin1');
  await writeFile(brokenBook, bytes.replaceAll('OEBPS/style.css', 'OEBPS/stile.css'), 'latin1');
  return brokenBook;
}

/** Options of Java for a quick start rather than a long run. */
const javaOptions = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

test.skipIf('missing' in epubCheck)(
  'EPUBCheck finds neither errors nor warnings in the demo’s EPUBs',
  { timeout: 240_000 },
  async () => {
    if ('missing' in epubCheck) return;
    const books = globSync('server/demo/media/*/*.epub', { cwd: root }).toSorted();
    expect(books.length).toBeGreaterThanOrEqual(30);
    const brokenBook = await createBrokenBook();
    const program = join(import.meta.dirname, 'support/CheckEpubs.java');
    const { stdout, stderr } = await promisify(execFile)(
      'java',
      [...javaOptions, '-cp', epubCheck.jar, program, ...books, brokenBook],
      {
        cwd: root,
        maxBuffer: 16 * 1024 * 1024,
      },
    );
    const faults = stderr.split('\n').filter((line) => /^(?:FATAL|ERROR|WARNING)\(/.test(line));
    // A finding in a broken book proves that the checker ran.
    expect(faults.filter((line) => !line.includes(brokenBook))).toEqual([]);
    expect(faults).not.toEqual([]);
    expect(stdout.trim().split('\n')).toEqual([...books.map((book) => `sound ${book}`), `faulty ${brokenBook}`]);
  },
);
