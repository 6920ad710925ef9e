import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, createCustomer } from '../support/customers.ts';
import { authorizePayment, confirmPayment } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

const demoMedia = new URL('../../../server/demo/media/1008/', import.meta.url);

let shop: Shop;
let store: string;
let owner: Customer;
let instanceid: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  owner = await createCustomer(shop, store);
  for (const titleId of ['book', 'sound', 'film']) await cp(demoMedia, join(shop.folder, 'media', titleId), { recursive: true });
  await writeFile(join(shop.folder, 'media', 'sound', 'track-01.mp3'), Buffer.alloc(5000, 7));
  await writeFile(join(shop.folder, 'media', 'film', 'film.en.vtt'), 'WEBVTT\n');
  await mkdir(join(shop.folder, 'media', 'store', store), { recursive: true });
  await writeFile(join(shop.folder, 'media', 'store', store, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  for (const titleId of ['book', 'sound', 'film']) {
    const { transId } = await authorizePayment(shop, owner, titleId);
    const granted = await confirmPayment(shop, owner, transId);
    if (titleId === 'book') instanceid = (granted.value as { instanceId: string }).instanceId;
  }
});
afterAll(() => shop.close());

const readComponents = (customer: Customer, query: Record<string, string | boolean>) =>
  shop.ask('viewerComponents', '/viewer/components', { query: { ...customer.query, ...query } });
const url = async (customer: Customer, query: Record<string, string | boolean>) =>
  shop.ask('viewerUrl', '/viewer/url', { query: { ...customer.query, content: '1', ...query } });
const readInstanceId = async (titleid: string) =>
  ((await readComponents(owner, { titleid })).value as { instanceId: string }).instanceId;

describe('an owned title', () => {
  test('is returned with its items, by its copy or by its title', async () => {
    const expected = {
      titleId: 'book',
      instanceId: instanceid,
      name: 'The Salt <Road> & Other "Ways"',
      medium: 'epub',
      sample: false,
      items: [{ id: '1', name: 'The Salt Road', durationSeconds: null, captions: [] }],
    };
    expect((await readComponents(owner, { instanceid })).value).toEqual(expected);
    expect((await readComponents(owner, { titleid: 'book' })).value).toEqual(expected);
  });

  test('has its audio tracks in order, with their durations', async () => {
    const { value } = await readComponents(owner, { titleid: 'sound' });
    expect(value).toMatchObject({
      medium: 'audio',
      items: [
        { id: '1', durationSeconds: 600.25 },
        { id: '2', durationSeconds: 634.25 },
      ],
    });
  });

  test('has captions with a valid address', async () => {
    const { value } = await readComponents(owner, { titleid: 'film' });
    const [caption] = (value as { items: { captions: { url: string; language: string }[] }[] }).items[0]?.captions ?? [];
    expect(caption?.language).toBe('en');
    expect((await shop.app.inject(caption?.url ?? '')).body).toBe('WEBVTT\n');
  });

  test('opens as a book at its manifest, and its chapters open too', async () => {
    const { value } = await url(owner, { instanceid });
    const { url: address, expiresAt, expiresIn } = value as { url: string; expiresAt: string; expiresIn: number };
    expect(expiresIn).toBeGreaterThan(6 * 60 * 60);
    expect(expiresIn).toBeLessThanOrEqual(12 * 60 * 60);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - expiresIn * 1000)).toBeLessThan(10_000);
    const manifest = await shop.app.inject(address);
    expect(manifest.headers['content-type']).toBe('application/webpub+json');
    const { readingOrder } = manifest.json<{ readingOrder: { href: string }[] }>();
    const chapter = await shop.app.inject(new URL(readingOrder[0]?.href ?? '', `http://store${address}`).pathname);
    expect(chapter.statusCode).toBe(200);
    expect(chapter.headers['content-security-policy']).toContain("script-src 'none'");
  });

  test('has audio that is served in ranges', async () => {
    const { value } = await url(owner, { instanceid: await readInstanceId('sound') });
    const part = await shop.app.inject({ url: (value as { url: string }).url, headers: { range: 'bytes=100-199' } });
    expect([part.statusCode, part.headers['content-range'], part.rawPayload.length]).toEqual([206, 'bytes 100-199/5000', 100]);
  });

  test('refuses a forged address, and one signed with another secret', async () => {
    const { value } = await url(owner, { instanceid });
    const [, , token = '', ...rest] = (value as { url: string }).url.split('/');
    const [claims = '', signature = ''] = token.split('.');
    // Not the last character, of which only some bits count.
    const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const forged = [`${claims}.${other}`, `${claims}.${'A'.repeat(43)}`];
    for (const each of forged) expect((await shop.app.inject(['', 'media', each, ...rest].join('/'))).statusCode).toBe(403);
  });
});

describe('a customer who does not own it', () => {
  test('cannot open it, not even through the owner’s copy', async () => {
    const other = await createCustomer(shop, store);
    expect((await readComponents(other, { titleid: 'book' })).value).toMatchObject({ status: 403, code: 'not_owned' });
    expect((await readComponents(other, { instanceid })).status).toBe(404);
    expect((await url(other, { instanceid })).status).toBe(404);
  });

  test('can read the sample, whose address opens only the sample', async () => {
    const other = await createCustomer(shop, store);
    const { value } = await readComponents(other, { titleid: 'book', sample: true });
    expect(value).toMatchObject({ instanceId: 'sample-book', sample: true, items: [{ id: '1', name: 'A part' }] });
    // With the title’s id in the specification's parameter.
    expect((await readComponents(other, { instanceid: 'book', sample: true })).value).toEqual(value);
    expect((await readComponents(other, { instanceid: 'book' })).status).toBe(404);
    const address = ((await url(other, { instanceid: 'sample-book', sample: true })).value as { url: string }).url;
    expect((await shop.app.inject(address)).statusCode).toBe(200);
    expect((await shop.app.inject(address.replace('sample.epub', 'book.epub'))).statusCode).toBe(404);
  });

  test('gets a 404 where there is no sample', async () => {
    expect((await readComponents(await createCustomer(shop, store), { titleid: 'sound', sample: true })).status).toBe(404);
  });
});

test('components need a copy or a title, and an unknown item is not found', async () => {
  expect((await readComponents(owner, {})).status).toBe(400);
  expect((await url(owner, { instanceid, content: '99' })).status).toBe(404);
});

describe('reading progress', () => {
  const place = (titleid: string, contextkey: string) => ({ ...owner.query, titleid, contextkey });
  const read = (query: Record<string, string>) => shop.ask('viewerProgress', '/viewer/progress', { query });
  const save = (query: Record<string, string>, position: object) =>
    shop.ask('saveViewerProgress', '/viewer/progress', { query, body: { position } });

  test('is null before the first opening, then the last saved position', async () => {
    const at = place('book', instanceid);
    expect((await read(at)).value).toEqual({ position: null, savedAt: null, version: 0, device: null, earlier: [] });
    await save(at, { totalProgression: 0.1, href: 'a.xhtml' });
    const position = {
      totalProgression: 0.25,
      href: 'text/b.xhtml#x',
      progression: 0.5,
      cfi: 'epubcfi(/6/4!/4/2)',
      label: 'Zwei “ü”',
      page: 3,
      pages: null,
    };
    const saved = await save(at, position);
    expect(saved.value).toMatchObject({ position });
    expect((await read(at)).value).toEqual(saved.value);
    const library = await shop.ask('userPurchases', '/user/purchases', { query: { ...owner.query, sort: 'opened' } });
    expect((library.value as { Purchase: object[] }).Purchase[0]).toMatchObject({
      TitleId: 'book',
      Progress: 0.25,
      LastOpenedAt: expect.stringMatching(/Z$/),
    });
  });

  test('of a sample is separate from that of the copy', async () => {
    await save(place('book', 'sample'), { totalProgression: 0.9 });
    expect((await read(place('book', 'sample'))).value).toMatchObject({ position: { totalProgression: 0.9 } });
    const library = await shop.ask('userPurchases', '/user/purchases', { query: owner.query });
    expect(
      (library.value as { Purchase: { TitleId: string; Progress: number }[] }).Purchase.find((each) => each.TitleId === 'book')
        ?.Progress,
    ).toBe(0.25);
  });

  test.each([{ totalProgression: 2 }, {}, { totalProgression: 0.5, script: 'x' }, { totalProgression: 'half' }])(
    'refuses %j',
    async (position) => {
      expect((await save(place('book', instanceid), position)).status).toBe(400);
    },
  );

  describe('reading progress on several devices', () => {
    const phone = { id: 'phone-1', name: 'Safari, iPhone' };
    const laptop = { id: 'laptop-1', name: 'Firefox, Windows' };
    const saveBy = (at: Record<string, string>, totalProgression: number, more: object) =>
      shop.ask('saveViewerProgress', '/viewer/progress', {
        query: at,
        body: { position: { totalProgression, href: 'a.xhtml' }, ...more },
      });

    test('is not overwritten by an older position, and an overwritten position is kept as an earlier one', async () => {
      const at = place('book', 'devices');
      expect((await saveBy(at, 0.04, { basedOn: 0, device: phone })).value).toMatchObject({
        version: 1,
        device: phone,
        earlier: [],
      });
      const read57 = await saveBy(at, 0.57, { basedOn: 1, device: laptop });
      expect(read57.value).toMatchObject({ version: 2, device: laptop });
      const late = await saveBy(at, 0.05, { basedOn: 1, device: phone });
      expect([late.status, (late.value as { code: string }).code]).toEqual([409, 'place_newer']);
      expect((await read(at)).value).toEqual(read57.value);
      // The customer has chosen to stay there.
      expect((await saveBy(at, 0.05, { basedOn: 2, device: phone })).value).toMatchObject({
        version: 3,
        position: { totalProgression: 0.05 },
        device: phone,
        earlier: [
          {
            position: { totalProgression: 0.57, href: 'a.xhtml' },
            savedAt: (read57.value as { savedAt: string }).savedAt,
            device: laptop,
          },
          { position: { totalProgression: 0.04, href: 'a.xhtml' }, device: phone },
        ],
      });
    });

    test('is saved repeatedly without reading first, and only a jump keeps the earlier position', async () => {
      const at = place('book', 'leaps');
      for (const [nth, to] of [0.1, 0.15, 0.2, 0.9, 0.92].entries())
        expect((await saveBy(at, to, { basedOn: Math.min(nth, 1), device: phone })).status).toBe(200);
      const { earlier } = (await read(at)).value as { earlier: { position: { totalProgression: number } }[] };
      expect(earlier.map(({ position }) => position.totalProgression)).toEqual([0.2]);
    });

    test('has the last five positions', async () => {
      const at = place('book', 'five');
      for (const [nth, device] of [phone, laptop, phone, laptop, phone, laptop, phone].entries())
        await saveBy(at, nth / 100, { basedOn: nth, device });
      const { position, earlier } = (await read(at)).value as {
        position: { totalProgression: number };
        earlier: { position: { totalProgression: number } }[];
      };
      expect([position, ...earlier.map((each) => each.position)].map((each) => each.totalProgression)).toEqual([
        0.06, 0.05, 0.04, 0.03, 0.02,
      ]);
    });

    test('keeps both of two first saves of one device', async () => {
      const at = place('book', 'twice');
      const both = await Promise.all([0.1, 0.2].map((to) => saveBy(at, to, { basedOn: 0, device: phone })));
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect((await read(at)).value).toMatchObject({ version: 2 });
    });

    test('keeps one of two devices’ concurrent first saves, and refuses the other', async () => {
      const at = place('book', 'both');
      const both = await Promise.all([phone, laptop].map((device) => saveBy(at, 0.3, { basedOn: 0, device })));
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
      // A reader without versions can still save its position.
      expect((await saveBy(at, 0.4, {})).value).toMatchObject({ version: 2, device: null });
    });
  });

  test('is not saved for a title that can be neither read nor sampled', async () => {
    expect((await save(place('gratis', 'x'), { totalProgression: 0 })).status).toBe(404);
    expect((await save(place('nothing', 'x'), { totalProgression: 0 })).status).toBe(404);
  });
});

describe('public pictures', () => {
  test('covers of the store’s titles are cached; other files of a title are not public', async () => {
    const cover = await shop.app.inject(`/media/covers/${store}/book/cover.jpg`);
    expect([cover.statusCode, cover.headers['content-type'], cover.headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'public, max-age=86400, stale-while-revalidate=604800',
    ]);
    expect((await shop.app.inject(`/media/covers/${store}/book/cover-240.jpg`)).statusCode).toBe(200);
    for (const path of ['book/book.epub', 'book/other.jpg', 'sound/cover.jpg', 'nothing/cover.jpg', 'book/..%2Fcover.jpg'])
      expect([path, (await shop.app.inject(`/media/covers/${store}/${path}`)).statusCode]).toEqual([
        path,
        expect.toSatisfy((code) => code === 400 || code === 404),
      ]);
    expect((await shop.app.inject('/media/covers/nowhere/book/cover.jpg')).statusCode).toBe(404);
  });

  test('a logo opened by itself cannot run scripts', async () => {
    const logo = await shop.app.inject(`/media/store/${store}/logo.svg`);
    expect([logo.statusCode, logo.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(logo.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect((await shop.app.inject(`/media/store/${store}/none.svg`)).statusCode).toBe(404);
  });
});
