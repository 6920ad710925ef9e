import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Overload, TaskOutOfMemory, TaskTimeout } from '../../../server/base/limited-threads.ts';
import { MissingAddition, PdfDocuments } from '../../../server/publication/pdf-documents.ts';
import { createFolder } from './support/books.ts';

const addition = Buffer.from('and more');
const plainText = 'a document';

async function createDocument(gather: () => Promise<Buffer | null>) {
  const path = join(await createFolder({ 'scan.pdf': plainText }), 'scan.pdf');
  const gathers = vi.fn(gather);
  const documents = new PdfDocuments(gathers);
  const size = async (range?: string) => {
    const found = await documents.getResource(path, range).catch((error: unknown) => error);
    return found !== null && typeof found === 'object' && 'size' in found ? found.size : found;
  };
  return { size, gathers };
}

const totalBytes = plainText.length + addition.length;

test.each([
  ['the queue was full', new Overload()],
  ['the disk failed for a moment', Object.assign(new Error('EIO'), { code: 'EIO' })],
  ['too many files were open', Object.assign(new Error('EMFILE'), { code: 'EMFILE' })],
])('a failure because %s is not cached for a document', async (_, error) => {
  const { size, gathers } = await createDocument(async () => addition);
  gathers.mockRejectedValueOnce(error);
  expect(await size()).toBeNull();
  expect(await size()).toBe(totalBytes);
  expect(await size()).toBe(totalBytes);
  expect(gathers).toHaveBeenCalledTimes(2);
});

test.each([
  ['time', new TaskTimeout()],
  ['memory', new TaskOutOfMemory()],
])('a document that took too much %s is retried after a minute', async (_, error) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { size, gathers } = await createDocument(async () => addition);
  gathers.mockRejectedValueOnce(error);
  expect(await size()).toBeNull();
  vi.setSystemTime(Date.now() + 59_000);
  expect(await size()).toBeNull();
  expect(gathers).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await size()).toBe(totalBytes);
});

test('a document without a useful addition is examined once', async () => {
  const { size, gathers } = await createDocument(async () => null);
  expect([await size(), await size('bytes=100-'), gathers.mock.calls.length]).toEqual([null, null, 1]);
});

test.each([
  ['bytes=10-', true],
  ['bytes=12-17', true],
  ['bytes=4-10', true],
  ['bytes=4-9', false],
  ['bytes=4-', false],
  ['bytes=-4', false],
  // Readers start with this range, for documents of any size.
  ['bytes=0-65535', false],
  [undefined, false],
])('without the addition, %s asks for its bytes: %s', async (range, refused) => {
  const { size } = await createDocument(async () => Promise.reject(new Overload()));
  if (refused) expect(await size(range)).toBeInstanceOf(MissingAddition);
  else expect(await size(range)).toBeNull();
});

test('additions of documents are cached up to a total size', async () => {
  const names = Array.from({ length: 9 }, (_, at) => `${at}.pdf`);
  const folder = await createFolder(Object.fromEntries(names.map((name) => [name, plainText])));
  const gathers = vi.fn(async (_path: string) => Buffer.alloc(8 * 2 ** 20));
  const documents = new PdfDocuments(gathers);
  for (const name of [...names, '8.pdf', '0.pdf']) await documents.getResource(join(folder, name), 'bytes=0-1');
  expect(gathers.mock.calls.map(([path]) => basename(path))).toEqual([...names, '0.pdf']);
});
