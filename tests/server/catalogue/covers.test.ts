import { copyFile, mkdir, readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Cover } from '../../../server/database/schema/catalogue.ts';
import { openShop, type Shop } from '../support/shop.ts';

const demoCover = join(import.meta.dirname, '../../../server/demo/media/1001/cover.jpg');
const browserAccept = 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8';

let shop: Shop;
let store: string;

const getMediaFolder = (id: string) => join(shop.folder, 'media', id);
const listCachedCovers = async (id: string) =>
  (await readdir(join(shop.folder, 'covers', id), { recursive: true })).filter(
    (file) => /\.\w+$/.test(file) && file.includes('/'),
  );

const fetchCover = (path: string, headers: Record<string, string> = { accept: browserAccept }) =>
  shop.app.inject({ url: `/media/covers/${store}/${path}`, headers });

const makeTitle = (id: string, cover: Cover) => ({ id, medium: 'epub' as const, name: id, cover });

const createPngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/** A few bytes that claim to be a picture of 60,000 by 60,000 pixels. */
const createPngBomb = (): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(60_000, 0);
  header.writeUInt32BE(60_000, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    createPngChunk('IHDR', header),
    createPngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    createPngChunk('IEND', Buffer.alloc(0)),
  ]);
};

beforeAll(async () => {
  shop = await openShop();
  const largeSize = { width: 600, height: 900 };
  store = await shop.store({
    titles: [
      makeTitle('drawn', { file: 'cover.jpg', smallFile: 'cover-240.jpg', ...largeSize }),
      makeTitle('sketch', { file: 'cover.svg', ...largeSize }),
      makeTitle('unsized', { file: 'cover.jpg' }),
      makeTitle('narrow', { file: 'cover.jpg', width: 250, height: 375 }),
      makeTitle('bomb', { file: 'cover.png', ...largeSize }),
      makeTitle('text', { file: 'cover.jpg', ...largeSize }),
      makeTitle('heavy', { file: 'cover.jpg', ...largeSize }),
    ],
  });
  for (const id of ['drawn', 'sketch', 'unsized', 'narrow', 'bomb', 'text', 'heavy'])
    await mkdir(getMediaFolder(id), { recursive: true });
  for (const id of ['drawn', 'unsized', 'narrow']) await copyFile(demoCover, join(getMediaFolder(id), 'cover.jpg'));
  await writeFile(join(getMediaFolder('bomb'), 'cover.png'), createPngBomb());
  await writeFile(
    join(getMediaFolder('text'), 'cover.jpg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"/>',
  );
  await writeFile(join(getMediaFolder('heavy'), 'cover.jpg'), '');
  await truncate(join(getMediaFolder('heavy'), 'cover.jpg'), 32 * 2 ** 20 + 1);
  await writeFile(join(getMediaFolder('sketch'), 'cover.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
});
afterAll(() => shop.close());

test('a cover has the requested width, as AVIF or WebP where the browser accepts them, else as JPEG', async () => {
  for (const [headers, format, maxBytes] of [
    [{ accept: browserAccept }, 'avif', 5_000],
    [{ accept: 'image/webp,image/png,*/*;q=0.5' }, 'webp', 8_000],
    [{ accept: 'image/png,*/*;q=0.5' }, 'jpeg', 12_000],
    [{}, 'jpeg', 12_000],
  ] as const) {
    const { statusCode, headers: responseHeaders, rawPayload } = await fetchCover('drawn/cover.jpg?width=240', headers);
    expect([statusCode, responseHeaders['content-type'], responseHeaders['vary']]).toEqual([
      200,
      `image/${format}`,
      expect.stringContaining('Accept'),
    ]);
    // sharp names AVIF by its container.
    const sharpFormat = format === 'avif' ? 'heif' : format;
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: sharpFormat, width: 240, height: 360 });
    expect(rawPayload.length).toBeLessThan(maxBytes);
  }
});

test('a cover is resized once, and not sent again to a browser that has it cached', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => fetchCover('drawn/cover.jpg?width=320')));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const filesBefore = await listCachedCovers('drawn');
  const { headers } = await fetchCover('drawn/cover.jpg?width=320');
  expect(await listCachedCovers('drawn')).toEqual(filesBefore);
  expect(headers['cache-control']).toBe('public, max-age=86400, stale-while-revalidate=604800');
  const revalidation = await fetchCover('drawn/cover.jpg?width=320', {
    accept: browserAccept,
    'if-none-match': String(headers['etag']),
  });
  expect([revalidation.statusCode, revalidation.rawPayload.length]).toEqual([304, 0]);
});

test('a changed cover is resized again, and earlier sizes are deleted', async () => {
  const earlierEtag = (await fetchCover('drawn/cover.jpg?width=480')).headers['etag'];
  await copyFile(join(demoCover, '../../1002/cover.jpg'), join(getMediaFolder('drawn'), 'cover.jpg'));
  await utimes(join(getMediaFolder('drawn'), 'cover.jpg'), new Date(), new Date(Date.now() + 60_000));
  const response = await fetchCover('drawn/cover.jpg?width=480', { accept: browserAccept, 'if-none-match': String(earlierEtag) });
  expect(response.statusCode).toBe(200);
  expect(await listCachedCovers('drawn')).toHaveLength(1);
});

test('a cover requested without a width is the publisher’s file, for link previews', async () => {
  const { headers, rawPayload } = await fetchCover('unsized/cover.jpg');
  expect(headers['content-type']).toBe('image/jpeg');
  expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 600, height: 900 });
});

test('a cover is resized only to a listed width up to its own; an SVG or a cover of unknown width never is', async () => {
  expect((await fetchCover('drawn/cover.jpg?width=241')).statusCode).toBe(400);
  expect((await fetchCover('drawn/cover.jpg?width=100000')).statusCode).toBe(400);
  for (const path of ['drawn/cover.jpg?width=900', 'narrow/cover.jpg?width=480', 'unsized/cover.jpg?width=240'])
    expect((await fetchCover(path)).headers['content-type'], path).toBe('image/jpeg');
  expect((await fetchCover('sketch/cover.svg?width=240')).headers['content-type']).toBe('image/svg+xml');
});

test('a cover that claims to be huge, or is not a picture, is sent as it is and is not cached', async () => {
  for (const [path, type] of [
    ['bomb/cover.png', 'image/png'],
    ['text/cover.jpg', 'image/jpeg'],
  ] as const) {
    const { statusCode, headers } = await fetchCover(`${path}?width=240`);
    expect([path, statusCode, headers['content-type'], headers['cache-control']]).toEqual([path, 200, type, 'no-cache']);
  }
});

test('a cover of more than 32 MiB is sent as it is, which is logged once with its store and title', async () => {
  const log = vi.spyOn(shop.services.log, 'warn');
  for (let count = 0; count < 2; count += 1)
    expect((await fetchCover('heavy/cover.jpg?width=240')).headers['cache-control']).toBe('no-cache');
  const fields = { err: expect.any(Error) as Error, store, title: 'heavy', file: 'cover.jpg', width: 240 };
  expect(log.mock.calls).toEqual([[fields, 'cover.resize.failed']]);
  log.mockRestore();
});

test('the list of titles has the widths in which each cover is available', async () => {
  const { value } = await shop.call('titles', '/titles', { query: { shelfid: store } });
  const widths = (value as { Title: { TitleId: string; CoverWidths?: string }[] }).Title.map(({ TitleId, CoverWidths }) => [
    TitleId,
    CoverWidths,
  ]);
  expect(Object.fromEntries(widths)).toEqual({
    drawn: '180 240 320 400 480 600',
    bomb: '180 240 320 400 480 600',
    text: '180 240 320 400 480 600',
    heavy: '180 240 320 400 480 600',
    narrow: '180 240',
    sketch: undefined,
    unsized: undefined,
  });
});
