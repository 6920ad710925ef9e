import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { readPublication } from '../../../server/publication/read-publication.ts';
import { usualLimits } from '../../../server/publication/zip-directory.ts';
import { writeBook } from './support/books.ts';
import { container, packageDocument, smallBook } from './support/pieces.ts';
import { listRealFiles } from './support/real-books.ts';
import type { ZipPart } from './support/zip.ts';

const zeros = Buffer.alloc(4 * 2 ** 20);

const refusedContainers: Record<string, [ZipPart[], RegExp]> = {
  'a path out of the container': [smallBook({ name: '../../evil', content: 'x' }), /path outside the container/],
  'a path out with backslashes': [smallBook({ name: 'OPS\\..\\..\\evil', content: 'x' }), /path outside the container/],
  'an absolute path': [smallBook({ name: '/etc/evil', content: 'x' }), /absolute path/],
  'a Windows drive': [smallBook({ name: 'C:evil', content: 'x' }), /absolute path/],
  'a symbolic link': [smallBook({ name: 'OPS/link', content: '/etc/passwd', mode: 0o120777 }), /symbolic link/],
  'an encrypted entry': [smallBook({ name: 'OPS/secret', content: 'x', flags: 1 }), /encrypted entry/],
  'two entries with one name': [smallBook({ name: 'OPS/one.xhtml', content: 'x' }), /two entries/],
  'two spellings of one name': [
    smallBook({ name: 'OPS/\u00e9', content: 'x' }, { name: 'OPS/e\u0301', content: 'x' }),
    /two entries/,
  ],
  'a zip bomb': [smallBook({ name: 'OPS/bomb', content: zeros }), /implausible compression ratio/],
  'a false unpacked size': [
    smallBook({ name: 'OPS/lie', content: Buffer.from(zeros.map((_, i) => i * i)), statedSize: 10 }),
    /has a wrong size/,
  ],
  'a false stored size': [smallBook({ name: 'OPS/lie', content: 'abc', stored: true, statedSize: 9 }), /has a wrong size/],
  'an unknown compression method': [smallBook({ name: 'OPS/odd', content: 'x', method: 99 }), /unknown compression method/],
  'entries that overlap': [smallBook({ name: 'OPS/same', content: 'x', offset: 0 }), /overlaps/],
  'no container file': [[packageDocument()], /container file is missing/],
  'a package out of the container': [
    [{ name: container.name, content: '<container><rootfile full-path="../../etc/passwd"/></container>' }],
    /outside the container/,
  ],
  'a missing package': [[container], /package document is missing/],
  'a package of another kind': [[container, { name: 'OPS/book.opf', content: '<html/>' }], /is <html>: expected <package>/],
  'an empty reading order': [[container, { name: 'OPS/book.opf', content: '<package/>' }], /nothing to read/],
  'too deep nesting': [[{ name: container.name, content: '<a>'.repeat(5000) }], /nested too deeply/],
};

test.each(Object.entries(refusedContainers))('a book with %s is refused with the reason', async (_, [pieces, reason]) => {
  const opening = readPublication(await writeBook(pieces));
  await expect(opening).rejects.toThrow(reason);
  await expect(opening).rejects.toBeInstanceOf(BrokenPublication);
});

test('a book whose total unpacked size exceeds the limit is refused', async () => {
  const file = await writeBook(smallBook());
  await expect(readPublication(file, { ...usualLimits, totalBytes: 100 })).rejects.toThrow(/unpacked container is too large/);
});

test('a file truncated anywhere is refused, without crashing the process', async () => {
  const file = await writeBook(smallBook());
  const whole = await readFile(file);
  for (let length = 0; length < whole.length; length += 7) {
    await writeFile(file, whole.subarray(0, length));
    await expect(readPublication(file)).rejects.toBeInstanceOf(BrokenPublication);
  }
});

test('a file with any byte changed is either opened or refused', async () => {
  const file = await writeBook(smallBook());
  const whole = await readFile(file);
  for (let at = 0; at < whole.length; at += 3) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    await writeFile(file, damaged);
    const outcome = await readPublication(file).then(
      () => 'opened',
      (error: unknown) => (error instanceof BrokenPublication ? 'refused' : String(error)),
    );
    expect(['opened', 'refused'], `byte ${at}`).toContain(outcome);
  }
});

// evil.epub is a valid container; its pages are restricted when they are shown.
test.each(listRealFiles('hostile').filter(({ name }) => name !== 'evil.epub'))('$name is refused', async ({ file }) => {
  await expect(readPublication(file)).rejects.toBeInstanceOf(BrokenPublication);
});
