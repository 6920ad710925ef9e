import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Overload, TaskOutOfMemory, TaskTimeout } from '../../../server/base/limited-threads.ts';
import { MissingAddition, PdfDocuments } from '../../../server/publication/pdf-documents.ts';
import { createFolder } from './support/books.ts';

const addition = Buffer.from('and more');
const plainText = 'a document';

async function createDocument(gather: () => Promise<Buffer | null>) {
  const path = join(await createFolder({ 'scan.pdf': plainText }), 'scan.pdf');
  const gatherMock = vi.fn(gather);
  const documents = new PdfDocuments(gatherMock);
  const readSize = async (range?: string) => {
    const resource = await documents.getResource(path, range).catch((error: unknown) => error);
    return resource !== null && typeof resource === 'object' && 'size' in resource ? resource.size : resource;
  };
  return { readSize, gatherMock };
}

const totalBytes = plainText.length + addition.length;

test.each([
  ['the queue was full', new Overload()],
  ['the disk failed for a moment', Object.assign(new Error('EIO'), { code: 'EIO' })],
  ['too many files were open', Object.assign(new Error('EMFILE'), { code: 'EMFILE' })],
])('a failure because %s is not cached for a document', async (_, error) => {
  const { readSize, gatherMock } = await createDocument(async () => addition);
  gatherMock.mockRejectedValueOnce(error);
  expect(await readSize()).toBeNull();
  expect(await readSize()).toBe(totalBytes);
  expect(await readSize()).toBe(totalBytes);
  expect(gatherMock).toHaveBeenCalledTimes(2);
});

test.each([
  ['time', new TaskTimeout()],
  ['memory', new TaskOutOfMemory()],
])('a document that took too much %s is retried after a minute', async (_, error) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { readSize, gatherMock } = await createDocument(async () => addition);
  gatherMock.mockRejectedValueOnce(error);
  expect(await readSize()).toBeNull();
  vi.setSystemTime(Date.now() + 59_000);
  expect(await readSize()).toBeNull();
  expect(gatherMock).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await readSize()).toBe(totalBytes);
});

test('a document without a useful addition is examined once', async () => {
  const { readSize, gatherMock } = await createDocument(async () => null);
  expect([await readSize(), await readSize('bytes=100-'), gatherMock.mock.calls.length]).toEqual([null, null, 1]);
});

test.each([
  ['bytes=10-', 'refused'],
  ['bytes=12-17', 'refused'],
  ['bytes=4-10', 'refused'],
  ['bytes=4-9', 'accepted'],
  ['bytes=4-', 'accepted'],
  ['bytes=-4', 'accepted'],
  // Readers request this range first, for documents of any size.
  ['bytes=0-65535', 'accepted'],
  [undefined, 'accepted'],
])('the range %s of a document without its addition is %s', async (range, outcome) => {
  const { readSize } = await createDocument(async () => Promise.reject(new Overload()));
  if (outcome === 'refused') expect(await readSize(range)).toBeInstanceOf(MissingAddition);
  else expect(await readSize(range)).toBeNull();
});

test('additions of documents are cached up to a total size', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `${index}.pdf`);
  const folder = await createFolder(Object.fromEntries(names.map((name) => [name, plainText])));
  const gather = vi.fn(async (_path: string) => Buffer.alloc(8 * 2 ** 20));
  const documents = new PdfDocuments(gather);
  for (const name of [...names, '8.pdf', '0.pdf']) await documents.getResource(join(folder, name), 'bytes=0-1');
  expect(gather.mock.calls.map(([path]) => basename(path))).toEqual([...names, '0.pdf']);
});
