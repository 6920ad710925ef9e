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

/** A copy with some of its bytes replaced with as many others. */
const replaceLast = (pdf: Buffer, from: string, to: string): Buffer => {
  const copy = Buffer.from(pdf);
  const at = copy.lastIndexOf(from, undefined, 'latin1');
  expect([at > 0, to.length]).toEqual([true, from.length]);
  copy.write(to, at, 'latin1');
  return copy;
};

test('the objects of all pages are appended to the document as an incremental update', async () => {
  const addition = (await gatherAddition(scannedPages)) ?? '';
  expect(addition.match(/\/Type \/Page\b/g)).toHaveLength(30);
  expect(addition).not.toContain('stream');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(addition)?.[1]);
  expect(addition.slice(start - scannedPages.length)).toMatch(/^xref\n2 2\n/);
  const [, offset = ''] = /\n48 1\n(\d{10}) 00000 n /.exec(addition) ?? [];
  expect(addition.slice(Number(offset) - scannedPages.length)).toMatch(/^48 0 obj\n<< \/Type \/Page /);
  const first = Number(/startxref\n(\d+)/.exec(scannedPages.toString('latin1', scannedPages.length - 100))?.[1]);
  expect(addition).toMatch(new RegExp(`<< /Size 93 /Root 1 0 R  /Prev ${first} >>`));
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

test('a document is served with its addition, also in ranges, and unchanged when it has none', async () => {
  const folder = await createFolder({
    'scan.pdf': scannedPages,
    'short.pdf': createScannedPdf(3),
    'broken.pdf': 'nothing of the kind',
  });
  const app = fastify();
  await app.register(mediaRoutes, { verify: (_token, path) => ({ folder, path }) });
  onTestFinished(() => app.close());
  const get = (name: string, headers: Record<string, string> = {}) => app.inject({ url: `/media/a.b/${name}`, headers });
  const addition = await makePageAddition(join(folder, 'scan.pdf'));
  const whole = Buffer.concat([scannedPages, addition ?? Buffer.alloc(0)]);
  const all = await get('scan.pdf');
  expect([all.statusCode, all.headers['content-type'], all.rawPayload.equals(whole)]).toEqual([200, 'application/pdf', true]);
  for (const [start, end] of [
    [0, 99],
    [scannedPages.length - 50, scannedPages.length - 1],
    [scannedPages.length - 50, scannedPages.length + 49],
    [scannedPages.length, scannedPages.length],
    [scannedPages.length + 10, whole.length - 1],
  ] as const) {
    const part = await get('scan.pdf', { range: `bytes=${start}-${end}` });
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${whole.length}`]);
    expect(part.rawPayload.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
  }
  expect((await get('scan.pdf', { range: `bytes=${whole.length}-` })).statusCode).toBe(416);
  expect((await get('scan.pdf', { 'if-none-match': String(all.headers['etag']) })).statusCode).toBe(304);
  const head = await app.inject({ method: 'HEAD', url: '/media/a.b/scan.pdf' });
  expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(whole.length)]);
  expect((await get('short.pdf')).rawPayload.equals(createScannedPdf(3))).toBe(true);
  expect((await get('broken.pdf')).body).toBe('nothing of the kind');
  expect((await get('gone.pdf')).statusCode).toBe(404);
});

test('when the addition takes too long, the document is sent unchanged, and a reader that knows the longer one must retry', async () => {
  const folder = await createFolder({ 'scan.pdf': scannedPages });
  const app = fastify();
  const limits = { time: 0, memory: 256, queue: 8 };
  await app.register(mediaRoutes, { verify: (_token, path) => ({ folder, path }), limits });
  onTestFinished(() => app.close());
  const get = (headers: Record<string, string>) => app.inject({ url: '/media/a.b/scan.pdf', headers });
  expect((await get({})).rawPayload.equals(scannedPages)).toBe(true);
  const beyond = await get({ range: `bytes=${scannedPages.length}-${scannedPages.length + 9}` });
  expect([beyond.statusCode, beyond.headers['retry-after'], beyond.json()]).toEqual([
    503,
    '60',
    expect.objectContaining({ code: 'busy' }),
  ]);
});
