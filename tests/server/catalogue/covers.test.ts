import { copyFile, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cover } from '../../../server/database/schema/catalogue.ts';
import { openShop, type Shop } from '../support/shop.ts';

const demoCover = join(import.meta.dirname, '../../../server/demo/media/1001/cover.jpg');
const browserAccept = 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8';

let shop: Shop;
let store: string;

const mediaFolderOf = (id: string) => join(shop.folder, 'media', id);
const listCachedCovers = async (id: string) =>
  (await readdir(join(shop.folder, 'covers', id), { recursive: true })).filter(
    (file) => /\.\w+$/.test(file) && file.includes('/'),
  );

const fetchCover = (path: string, headers: Record<string, string> = { accept: browserAccept }) =>
  shop.app.inject({ url: `/media/covers/${store}/${path}`, headers });

const title = (id: string, cover: Cover) => ({ id, medium: 'epub' as const, name: id, cover });

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A few bytes that claim to be a picture of 60,000 by 60,000 pixels. */
const pngBomb = (): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(60_000, 0);
  head.writeUInt32BE(60_000, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

beforeAll(async () => {
  shop = await openShop();
  const large = { width: 600, height: 900 };
  store = await shop.store({
    titles: [
      title('drawn', { file: 'cover.jpg', smallFile: 'cover-240.jpg', ...large }),
      title('sketch', { file: 'cover.svg', ...large }),
      title('unsized', { file: 'cover.jpg' }),
      title('narrow', { file: 'cover.jpg', width: 250, height: 375 }),
      title('bomb', { file: 'cover.png', ...large }),
      title('text', { file: 'cover.jpg', ...large }),
    ],
  });
  for (const id of ['drawn', 'sketch', 'unsized', 'narrow', 'bomb', 'text']) await mkdir(mediaFolderOf(id), { recursive: true });
  for (const id of ['drawn', 'unsized', 'narrow']) await copyFile(demoCover, join(mediaFolderOf(id), 'cover.jpg'));
  await writeFile(join(mediaFolderOf('bomb'), 'cover.png'), pngBomb());
  await writeFile(join(mediaFolderOf('text'), 'cover.jpg'), '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"/>');
  await writeFile(join(mediaFolderOf('sketch'), 'cover.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
});
afterAll(() => shop.close());

test('a cover has the requested width, as AVIF or WebP where the browser accepts them, else as JPEG', async () => {
  for (const [headers, format, most] of [
    [{ accept: browserAccept }, 'avif', 5_000],
    [{ accept: 'image/webp,image/png,*/*;q=0.5' }, 'webp', 8_000],
    [{ accept: 'image/png,*/*;q=0.5' }, 'jpeg', 12_000],
    [{}, 'jpeg', 12_000],
  ] as const) {
    const { statusCode, headers: said, rawPayload } = await fetchCover('drawn/cover.jpg?width=240', headers);
    expect([statusCode, said['content-type'], said['vary']]).toEqual([200, `image/${format}`, expect.stringContaining('Accept')]);
    // sharp names AVIF by its container.
    const named = format === 'avif' ? 'heif' : format;
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: named, width: 240, height: 360 });
    expect(rawPayload.length).toBeLessThan(most);
  }
});

test('a cover is resized once, and not sent again to a browser that has it cached', async () => {
  const many = await Promise.all(Array.from({ length: 5 }, () => fetchCover('drawn/cover.jpg?width=320')));
  expect(many.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const before = await listCachedCovers('drawn');
  const { headers } = await fetchCover('drawn/cover.jpg?width=320');
  expect(await listCachedCovers('drawn')).toEqual(before);
  expect(headers['cache-control']).toBe('public, max-age=86400, stale-while-revalidate=604800');
  const again = await fetchCover('drawn/cover.jpg?width=320', {
    accept: browserAccept,
    'if-none-match': String(headers['etag']),
  });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
});

test('a changed cover is resized again, and earlier sizes are deleted', async () => {
  const earlier = (await fetchCover('drawn/cover.jpg?width=480')).headers['etag'];
  await copyFile(join(demoCover, '../../1002/cover.jpg'), join(mediaFolderOf('drawn'), 'cover.jpg'));
  await utimes(join(mediaFolderOf('drawn'), 'cover.jpg'), new Date(), new Date(Date.now() + 60_000));
  const changed = await fetchCover('drawn/cover.jpg?width=480', { accept: browserAccept, 'if-none-match': String(earlier) });
  expect(changed.statusCode).toBe(200);
  expect(await listCachedCovers('drawn')).toHaveLength(1);
});

test('without a width the publisher’s file is sent, for link previews', async () => {
  const { headers, rawPayload } = await fetchCover('unsized/cover.jpg');
  expect(headers['content-type']).toBe('image/jpeg');
  expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 600, height: 900 });
});

test('only listed widths up to the cover’s own are made, and none of an SVG or of a cover without a known width', async () => {
  expect((await fetchCover('drawn/cover.jpg?width=241')).statusCode).toBe(400);
  expect((await fetchCover('drawn/cover.jpg?width=100000')).statusCode).toBe(400);
  for (const path of ['drawn/cover.jpg?width=900', 'narrow/cover.jpg?width=480', 'unsized/cover.jpg?width=240'])
    expect((await fetchCover(path)).headers['content-type'], path).toBe('image/jpeg');
  expect((await fetchCover('sketch/cover.svg?width=240')).headers['content-type']).toBe('image/svg+xml');
});

test('a file that claims to be huge, or is not a picture, is sent unopened and uncached', async () => {
  for (const [path, type] of [
    ['bomb/cover.png', 'image/png'],
    ['text/cover.jpg', 'image/jpeg'],
  ] as const) {
    const { statusCode, headers } = await fetchCover(`${path}?width=240`);
    expect([path, statusCode, headers['content-type'], headers['cache-control']]).toEqual([path, 200, type, 'no-cache']);
  }
});

test('the title list has the widths, and suggestions use the smallest', async () => {
  const { value } = await shop.ask('titles', '/titles', { query: { shelfid: store } });
  const widths = (value as { Title: { TitleId: string; CoverWidths?: string }[] }).Title.map(({ TitleId, CoverWidths }) => [
    TitleId,
    CoverWidths,
  ]);
  expect(Object.fromEntries(widths)).toEqual({
    drawn: '180 240 320 400 480 600',
    bomb: '180 240 320 400 480 600',
    text: '180 240 320 400 480 600',
    narrow: '180 240',
    sketch: undefined,
    unsized: undefined,
  });
});
