import { copyFile, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cover } from '../../../server/database/schema/catalogue.ts';
import { openShop, type Shop } from '../support/shop.ts';

const drawn = join(import.meta.dirname, '../../../server/demo/media/1001/cover.jpg');
const browser = 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8';

let shop: Shop;
let store: string;

const folderOf = (id: string) => join(shop.folder, 'media', id);
const kept = async (id: string) =>
  (await readdir(join(shop.folder, 'covers', id), { recursive: true })).filter(
    (file) => /\.\w+$/.test(file) && file.includes('/'),
  );

const ask = (path: string, headers: Record<string, string> = { accept: browser }) =>
  shop.app.inject({ url: `/media/covers/${store}/${path}`, headers });

const title = (id: string, cover: Cover) => ({ id, medium: 'epub' as const, name: id, cover });

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A few bytes that claim to be a picture of 60,000 by 60,000 pixels. */
const bomb = (): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(60_000, 0);
  head.writeUInt32BE(60_000, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
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
  for (const id of ['drawn', 'sketch', 'unsized', 'narrow', 'bomb', 'text']) await mkdir(folderOf(id), { recursive: true });
  for (const id of ['drawn', 'unsized', 'narrow']) await copyFile(drawn, join(folderOf(id), 'cover.jpg'));
  await writeFile(join(folderOf('bomb'), 'cover.png'), bomb());
  await writeFile(join(folderOf('text'), 'cover.jpg'), '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"/>');
  await writeFile(join(folderOf('sketch'), 'cover.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
});
afterAll(() => shop.close());

test('a cover comes in the width that is drawn, as AVIF or WebP where the browser takes them, else as JPEG', async () => {
  for (const [headers, format, most] of [
    [{ accept: browser }, 'avif', 5_000],
    [{ accept: 'image/webp,image/png,*/*;q=0.5' }, 'webp', 8_000],
    [{ accept: 'image/png,*/*;q=0.5' }, 'jpeg', 12_000],
    [{}, 'jpeg', 12_000],
  ] as const) {
    const { statusCode, headers: said, rawPayload } = await ask('drawn/cover.jpg?width=240', headers);
    expect([statusCode, said['content-type'], said['vary']]).toEqual([200, `image/${format}`, expect.stringContaining('Accept')]);
    // The library's name for AVIF is that of its container.
    const named = format === 'avif' ? 'heif' : format;
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: named, width: 240, height: 360 });
    expect(rawPayload.length).toBeLessThan(most);
  }
});

test('it is made once, and who has it is not sent it again', async () => {
  const many = await Promise.all(Array.from({ length: 5 }, () => ask('drawn/cover.jpg?width=320')));
  expect(many.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const before = await kept('drawn');
  const { headers } = await ask('drawn/cover.jpg?width=320');
  expect(await kept('drawn')).toEqual(before);
  expect(headers['cache-control']).toBe('public, max-age=86400, stale-while-revalidate=604800');
  const again = await ask('drawn/cover.jpg?width=320', { accept: browser, 'if-none-match': String(headers['etag']) });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
});

test('a cover that has changed is made again, and what was made of the earlier one is removed', async () => {
  const earlier = (await ask('drawn/cover.jpg?width=480')).headers['etag'];
  await copyFile(join(drawn, '../../1002/cover.jpg'), join(folderOf('drawn'), 'cover.jpg'));
  await utimes(join(folderOf('drawn'), 'cover.jpg'), new Date(), new Date(Date.now() + 60_000));
  const changed = await ask('drawn/cover.jpg?width=480', { accept: browser, 'if-none-match': String(earlier) });
  expect(changed.statusCode).toBe(200);
  expect(await kept('drawn')).toHaveLength(1);
});

test('without a width it is the file that the publisher delivered, for link previews', async () => {
  const { headers, rawPayload } = await ask('unsized/cover.jpg');
  expect(headers['content-type']).toBe('image/jpeg');
  expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 600, height: 900 });
});

test('no other widths are made, none wider than the cover, and none of a drawing or of a cover whose width nobody said', async () => {
  expect((await ask('drawn/cover.jpg?width=241')).statusCode).toBe(400);
  expect((await ask('drawn/cover.jpg?width=100000')).statusCode).toBe(400);
  for (const path of ['drawn/cover.jpg?width=900', 'narrow/cover.jpg?width=480', 'unsized/cover.jpg?width=240'])
    expect((await ask(path)).headers['content-type'], path).toBe('image/jpeg');
  expect((await ask('sketch/cover.svg?width=240')).headers['content-type']).toBe('image/svg+xml');
});

test('what claims to be huge, or is no picture, is not opened: it goes out as it is, to be asked for again', async () => {
  for (const [path, type] of [
    ['bomb/cover.png', 'image/png'],
    ['text/cover.jpg', 'image/jpeg'],
  ] as const) {
    const { statusCode, headers } = await ask(`${path}?width=240`);
    expect([path, statusCode, headers['content-type'], headers['cache-control']]).toEqual([path, 200, type, 'no-cache']);
  }
});

test('the titles’ answer says the widths, suggestions take the smallest', async () => {
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
