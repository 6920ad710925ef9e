import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { epubChecker } from '../../tools/start/programs.mjs';

const root = join(import.meta.dirname, '../..');
const checker = await epubChecker();
const folder = await mkdtemp(join(tmpdir(), 'colophon-epubs-'));
afterAll(() => rm(folder, { recursive: true }));

if ('missing' in checker) console.warn(`The demo’s EPUBs are not checked: ${checker.missing}.`);

/** A book that lacks a file of its manifest. The name of the file keeps its length, so that it is an archive still. */
async function brokenBook(): Promise<string> {
  const broken = join(folder, 'broken.epub');
  await copyFile(join(root, 'server/demo/media/1001/book.epub'), broken);
  const bytes = await readFile(broken, 'latin1');
  await writeFile(broken, bytes.replaceAll('OEBPS/style.css', 'OEBPS/stile.css'), 'latin1');
  return broken;
}

/** Quick to start rather than to run for long. */
const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

test.skipIf('missing' in checker)(
  'EPUBCheck finds nothing wrong with the demo’s EPUBs, neither errors nor warnings',
  { timeout: 240_000 },
  async () => {
    if ('missing' in checker) return;
    const books = globSync('server/demo/media/*/*.epub', { cwd: root }).toSorted();
    expect(books.length).toBeGreaterThanOrEqual(30);
    const broken = await brokenBook();
    const program = join(import.meta.dirname, 'support/CheckEpubs.java');
    const { stdout, stderr } = await promisify(execFile)('java', [...options, '-cp', checker.jar, program, ...books, broken], {
      cwd: root,
      maxBuffer: 16 * 1024 * 1024,
    });
    const faults = stderr.split('\n').filter((line) => /^(?:FATAL|ERROR|WARNING)\(/.test(line));
    // That it finds something in a broken one shows that it looked.
    expect(faults.filter((line) => !line.includes(broken))).toEqual([]);
    expect(faults).not.toEqual([]);
    expect(stdout.trim().split('\n')).toEqual([...books.map((book) => `sound ${book}`), `faulty ${broken}`]);
  },
);
