import { join } from 'node:path';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { makePageAddition } from '../../../server/publication/pdf-pages.ts';
import { mediaRoutes } from '../../../server/publication/routes.ts';
import { createScannedPdf } from '../../support/scanned-pdf.ts';
import { createFolder } from './support/books.ts';

const scannedPages = createScannedPdf(30);

const gatherAddition = async (pdf: Buffer): Promise<string | null> => {
  const addition = await makePageAddition(join(await createFolder({ 'scan.pdf': pdf }), 'scan.pdf'));
  return addition === null ? null : addition.toString('latin1');
};

/** Returns a copy of a PDF in which `to` replaces the last `from`; both have the same length. */
const replaceLast = (pdf: Buffer, from: string, to: string): Buffer => {
  const copy = Buffer.from(pdf);
  const offset = copy.lastIndexOf(from, undefined, 'latin1');
  expect([offset > 0, to.length]).toEqual([true, from.length]);
  copy.write(to, offset, 'latin1');
  return copy;
};

test('the objects of all pages are appended to the document as an incremental update', async () => {
  const addition = (await gatherAddition(scannedPages)) ?? '';
  expect(addition.match(/\/Type \/Page\b/g)).toHaveLength(30);
  expect(addition).not.toContain('stream');
  const tableOffset = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(addition)?.[1]);
  expect(addition.slice(tableOffset - scannedPages.length)).toMatch(/^xref\n2 2\n/);
  const [, pageOffset = ''] = /\n48 1\n(\d{10}) 00000 n /.exec(addition) ?? [];
  expect(addition.slice(Number(pageOffset) - scannedPages.length)).toMatch(/^48 0 obj\n<< \/Type \/Page /);
  const previousTableOffset = Number(/startxref\n(\d+)/.exec(scannedPages.toString('latin1', scannedPages.length - 100))?.[1]);
  expect(addition).toMatch(new RegExp(`<< /Size 93 /Root 1 0 R  /Prev ${previousTableOffset} >>`));
});

test.each([
  ['with few pages', createScannedPdf(5)],
  ['whose table is broken', replaceLast(scannedPages, 'xref\n0 93', 'xrex\n0 93')],
  ['whose table has a wrong count', replaceLast(scannedPages, 'xref\n0 93', 'xref\n0 9x')],
  ['that names an older table in a cycle, and no pages', replaceLast(scannedPages, '/Root 1 0 R', '/Prev 00001')],
  ['whose pages are their own parents', replaceLast(scannedPages, '/Kids [3 0 R', '/Kids [2 0 R')],
  ['whose page is another object', replaceLast(scannedPages, '/Kids [3 0 R', '/Kids [5 0 R')],
  ['that is not a PDF', Buffer.from('nothing of the kind')],
])('a document %s gets no addition', async (_, pdf) => {
  expect(await gatherAddition(pdf)).toBeNull();
});

test('a document is sent with its addition, also in ranges; a document without an addition is sent unchanged', async () => {
  const folder = await createFolder({
    'scan.pdf': scannedPages,
    'short.pdf': createScannedPdf(3),
    'broken.pdf': 'nothing of the kind',
  });
  const app = fastify();
  await app.register(mediaRoutes, { verify: (_token, path) => ({ folder, path }) });
  onTestFinished(() => app.close());
  const fetchFile = (name: string, headers: Record<string, string> = {}) => app.inject({ url: `/media/a.b/${name}`, headers });
  const addition = await makePageAddition(join(folder, 'scan.pdf'));
  const completeFile = Buffer.concat([scannedPages, addition ?? Buffer.alloc(0)]);
  const wholeResponse = await fetchFile('scan.pdf');
  expect([
    wholeResponse.statusCode,
    wholeResponse.headers['content-type'],
    wholeResponse.rawPayload.equals(completeFile),
  ]).toEqual([200, 'application/pdf', true]);
  for (const [start, end] of [
    [0, 99],
    [scannedPages.length - 50, scannedPages.length - 1],
    [scannedPages.length - 50, scannedPages.length + 49],
    [scannedPages.length, scannedPages.length],
    [scannedPages.length + 10, completeFile.length - 1],
  ] as const) {
    const rangeResponse = await fetchFile('scan.pdf', { range: `bytes=${start}-${end}` });
    expect([rangeResponse.statusCode, rangeResponse.headers['content-range']]).toEqual([
      206,
      `bytes ${start}-${end}/${completeFile.length}`,
    ]);
    expect(rangeResponse.rawPayload.equals(completeFile.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
  }
  expect((await fetchFile('scan.pdf', { range: `bytes=${completeFile.length}-` })).statusCode).toBe(416);
  expect((await fetchFile('scan.pdf', { 'if-none-match': String(wholeResponse.headers['etag']) })).statusCode).toBe(304);
  const headResponse = await app.inject({ method: 'HEAD', url: '/media/a.b/scan.pdf' });
  expect([headResponse.statusCode, headResponse.headers['content-length']]).toEqual([200, String(completeFile.length)]);
  expect((await fetchFile('short.pdf')).rawPayload.equals(createScannedPdf(3))).toBe(true);
  expect((await fetchFile('broken.pdf')).body).toBe('nothing of the kind');
  expect((await fetchFile('gone.pdf')).statusCode).toBe(404);
});

test('when the addition takes too long, the document is sent unchanged, and a range within the addition gets 503', async () => {
  const folder = await createFolder({ 'scan.pdf': scannedPages });
  const app = fastify();
  const limits = { time: 0, memory: 256, queue: 8 };
  await app.register(mediaRoutes, { verify: (_token, path) => ({ folder, path }), limits });
  onTestFinished(() => app.close());
  const fetchScan = (headers: Record<string, string>) => app.inject({ url: '/media/a.b/scan.pdf', headers });
  expect((await fetchScan({})).rawPayload.equals(scannedPages)).toBe(true);
  const additionResponse = await fetchScan({ range: `bytes=${scannedPages.length}-${scannedPages.length + 9}` });
  expect([additionResponse.statusCode, additionResponse.headers['retry-after'], additionResponse.json()]).toEqual([
    503,
    '60',
    expect.objectContaining({ code: 'busy' }),
  ]);
});
