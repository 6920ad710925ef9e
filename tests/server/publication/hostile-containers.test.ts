import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { readPublication } from '../../../server/publication/read-publication.ts';
import { usualLimits } from '../../../server/publication/zip-directory.ts';
import { writeBook } from './support/books.ts';
import { container, createPackageDocument, createSmallBook } from './support/pieces.ts';
import { listRealFiles } from './support/real-books.ts';
import type { ZipEntryInput } from './support/zip.ts';

const zeros = Buffer.alloc(4 * 2 ** 20);

const refusedContainers: Record<string, [ZipEntryInput[], RegExp]> = {
  'a path out of the container': [createSmallBook({ name: '../../evil', content: 'x' }), /path outside the container/],
  'a path out of the container with backslashes': [
    createSmallBook({ name: 'OPS\\..\\..\\evil', content: 'x' }),
    /path outside the container/,
  ],
  'an absolute path': [createSmallBook({ name: '/etc/evil', content: 'x' }), /absolute path/],
  'a Windows drive': [createSmallBook({ name: 'C:evil', content: 'x' }), /absolute path/],
  'a symbolic link': [createSmallBook({ name: 'OPS/link', content: '/etc/passwd', mode: 0o120777 }), /symbolic link/],
  'an encrypted entry': [createSmallBook({ name: 'OPS/secret', content: 'x', flags: 1 }), /encrypted entry/],
  'two entries with one name': [createSmallBook({ name: 'OPS/one.xhtml', content: 'x' }), /two entries/],
  'two spellings of one name': [
    createSmallBook({ name: 'OPS/\u00e9', content: 'x' }, { name: 'OPS/e\u0301', content: 'x' }),
    /two entries/,
  ],
  'a zip bomb': [createSmallBook({ name: 'OPS/bomb', content: zeros }), /implausible compression ratio/],
  'a false unpacked size': [
    createSmallBook({ name: 'OPS/lie', content: Buffer.from(zeros.map((_, i) => i * i)), statedSize: 10 }),
    /has a wrong size/,
  ],
  'a false stored size': [createSmallBook({ name: 'OPS/lie', content: 'abc', stored: true, statedSize: 9 }), /has a wrong size/],
  'an unknown compression method': [
    createSmallBook({ name: 'OPS/odd', content: 'x', method: 99 }),
    /compression method 99 of OPS\/odd: expected 0 \(stored\) or 8 \(deflated\)/,
  ],
  'entries that overlap': [createSmallBook({ name: 'OPS/same', content: 'x', offset: 0 }), /overlaps/],
  'no container file': [[createPackageDocument()], /container file is missing/],
  'a package out of the container': [
    [{ name: container.name, content: '<container><rootfile full-path="../../etc/passwd"/></container>' }],
    /outside the container/,
  ],
  'a missing package': [[container], /package document is missing/],
  'a package of another kind': [[container, { name: 'OPS/book.opf', content: '<html/>' }], /is <html>: expected <package>/],
  'an empty reading order': [[container, { name: 'OPS/book.opf', content: '<package/>' }], /nothing to read/],
  'too deep nesting': [[{ name: container.name, content: '<a>'.repeat(5000) }], /nested too deeply/],
};

test.each(Object.entries(refusedContainers))('a book with %s is refused with the reason', async (_, [entries, reason]) => {
  const publicationPromise = readPublication(await writeBook(entries));
  await expect(publicationPromise).rejects.toThrow(reason);
  await expect(publicationPromise).rejects.toBeInstanceOf(BrokenPublication);
});

test('a book whose total unpacked size exceeds the limit is refused', async () => {
  const file = await writeBook(createSmallBook());
  await expect(readPublication(file, { ...usualLimits, totalBytes: 100 })).rejects.toThrow(/unpacked container is too large/);
});

test('a truncated file is refused, without crashing the process', async () => {
  const file = await writeBook(createSmallBook());
  const bytes = await readFile(file);
  for (let length = 0; length < bytes.length; length += 7) {
    await writeFile(file, bytes.subarray(0, length));
    await expect(readPublication(file)).rejects.toBeInstanceOf(BrokenPublication);
  }
});

test('a file with a changed byte is either opened or refused', async () => {
  const file = await writeBook(createSmallBook());
  const bytes = await readFile(file);
  for (let offset = 0; offset < bytes.length; offset += 3) {
    const damagedBytes = Buffer.from(bytes);
    damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ 0xff;
    await writeFile(file, damagedBytes);
    const outcome = await readPublication(file).then(
      () => 'opened',
      (error: unknown) => (error instanceof BrokenPublication ? 'refused' : String(error)),
    );
    expect(['opened', 'refused'], `byte ${offset}`).toContain(outcome);
  }
});

// evil.epub is a valid container; its pages are restricted by policies when they are shown.
test.each(listRealFiles('hostile').filter(({ name }) => name !== 'evil.epub'))('$name is refused', async ({ file }) => {
  await expect(readPublication(file)).rejects.toBeInstanceOf(BrokenPublication);
});
