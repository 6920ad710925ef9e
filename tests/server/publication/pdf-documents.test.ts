import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Overload, TaskOutOfMemory, TaskTimeout } from '../../../server/base/limited-threads.ts';
import { MissingAddition, PdfDocuments } from '../../../server/publication/pdf-documents.ts';
import { folderWith } from './support/books.ts';

const addition = Buffer.from('and more');
const plain = 'a document';

async function documentOf(gather: () => Promise<Buffer | null>) {
  const path = join(await folderWith({ 'scan.pdf': plain }), 'scan.pdf');
  const gathers = vi.fn(gather);
  const documents = new PdfDocuments(gathers);
  const size = async (range?: string) => {
    const found = await documents.resource(path, range).catch((error: unknown) => error);
    return found !== null && typeof found === 'object' && 'size' in found ? found.size : found;
  };
  return { size, gathers };
}

const whole = plain.length + addition.length;

test.each([
  ['too many others came before', new Overload()],
  ['the disk failed for a moment', Object.assign(new Error('EIO'), { code: 'EIO' })],
  ['too many files were open', Object.assign(new Error('EMFILE'), { code: 'EMFILE' })],
])('that %s is not held against a document', async (_, error) => {
  const { size, gathers } = await documentOf(async () => addition);
  gathers.mockRejectedValueOnce(error);
  expect(await size()).toBeNull();
  expect(await size()).toBe(whole);
  expect(await size()).toBe(whole);
  expect(gathers).toHaveBeenCalledTimes(2);
});

test.each([
  ['time', new TaskTimeout()],
  ['memory', new TaskOutOfMemory()],
])('a document that took too much %s is tried again after a minute', async (_, error) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { size, gathers } = await documentOf(async () => addition);
  gathers.mockRejectedValueOnce(error);
  expect(await size()).toBeNull();
  vi.setSystemTime(Date.now() + 59_000);
  expect(await size()).toBeNull();
  expect(gathers).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await size()).toBe(whole);
});

test('a document that is better left alone is looked at once', async () => {
  const { size, gathers } = await documentOf(async () => null);
  expect([await size(), await size('bytes=100-'), gathers.mock.calls.length]).toEqual([null, null, 1]);
});

test.each([
  ['bytes=10-', true],
  ['bytes=12-17', true],
  ['bytes=4-10', true],
  ['bytes=4-9', false],
  ['bytes=4-', false],
  ['bytes=-4', false],
  // Readers begin so, whatever the size.
  ['bytes=0-65535', false],
  [undefined, false],
])('while the addition cannot be made, %s asks for what only it has: %s', async (range, refused) => {
  const { size } = await documentOf(async () => Promise.reject(new Overload()));
  if (refused) expect(await size(range)).toBeInstanceOf(MissingAddition);
  else expect(await size(range)).toBeNull();
});

test('documents’ additions are kept up to a number of bytes', async () => {
  const names = Array.from({ length: 9 }, (_, at) => `${at}.pdf`);
  const folder = await folderWith(Object.fromEntries(names.map((name) => [name, plain])));
  const gathers = vi.fn(async (_path: string) => Buffer.alloc(8 * 2 ** 20));
  const documents = new PdfDocuments(gathers);
  for (const name of [...names, '8.pdf', '0.pdf']) await documents.resource(join(folder, name), 'bytes=0-1');
  expect(gathers.mock.calls.map(([path]) => basename(path))).toEqual([...names, '0.pdf']);
});
