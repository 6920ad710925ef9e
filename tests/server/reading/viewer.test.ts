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
    const confirmation = await confirmPayment(shop, owner, transId);
    if (titleId === 'book') instanceid = (confirmation.value as { instanceId: string }).instanceId;
  }
});
afterAll(() => shop.close());

const readComponents = (customer: Customer, query: Record<string, string | boolean>) =>
  shop.call('viewerComponents', '/viewer/components', { query: { ...customer.query, ...query } });
const requestUrl = async (customer: Customer, query: Record<string, string | boolean>) =>
  shop.call('viewerUrl', '/viewer/url', { query: { ...customer.query, content: '1', ...query } });
const readInstanceId = async (titleid: string) =>
  ((await readComponents(owner, { titleid })).value as { instanceId: string }).instanceId;

describe('owned titles', () => {
  test('an owned title is returned with its items, by its copy or by its title', async () => {
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

  test('an audio title has its tracks in order, with their durations', async () => {
    const { value } = await readComponents(owner, { titleid: 'sound' });
    expect(value).toMatchObject({
      medium: 'audio',
      items: [
        { id: '1', durationSeconds: 600.25 },
        { id: '2', durationSeconds: 634.25 },
      ],
    });
  });

  test('a film has captions with a valid media address', async () => {
    const { value } = await readComponents(owner, { titleid: 'film' });
    const [caption] = (value as { items: { captions: { url: string; language: string }[] }[] }).items[0]?.captions ?? [];
    expect(caption?.language).toBe('en');
    expect((await shop.app.inject(caption?.url ?? '')).body).toBe('WEBVTT\n');
  });

  test('a book opens at its manifest, and its chapters open too', async () => {
    const { value } = await requestUrl(owner, { instanceid });
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

  test('an audio track is served in ranges', async () => {
    const { value } = await requestUrl(owner, { instanceid: await readInstanceId('sound') });
    const response = await shop.app.inject({ url: (value as { url: string }).url, headers: { range: 'bytes=100-199' } });
    expect([response.statusCode, response.headers['content-range'], response.rawPayload.length]).toEqual([
      206,
      'bytes 100-199/5000',
      100,
    ]);
  });

  test('a media address with a forged signature is refused', async () => {
    const { value } = await requestUrl(owner, { instanceid });
    const [, , token = '', ...pathSegments] = (value as { url: string }).url.split('/');
    const [claims = '', signature = ''] = token.split('.');
    // The first character is changed, since only some bits of the last one count.
    const forgedSignature = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const forgedTokens = [`${claims}.${forgedSignature}`, `${claims}.${'A'.repeat(43)}`];
    for (const forgedToken of forgedTokens)
      expect((await shop.app.inject(['', 'media', forgedToken, ...pathSegments].join('/'))).statusCode).toBe(403);
  });
});

describe('titles that the customer does not own', () => {
  test('a title cannot be opened by a customer who does not own it, not even through the owner’s copy', async () => {
    const otherCustomer = await createCustomer(shop, store);
    expect((await readComponents(otherCustomer, { titleid: 'book' })).value).toMatchObject({ status: 403, code: 'not_owned' });
    expect((await readComponents(otherCustomer, { instanceid })).status).toBe(404);
    expect((await requestUrl(otherCustomer, { instanceid })).status).toBe(404);
  });

  test('a sample can be read without owning its title, and its address opens only the sample', async () => {
    const otherCustomer = await createCustomer(shop, store);
    const { value } = await readComponents(otherCustomer, { titleid: 'book', sample: true });
    expect(value).toMatchObject({ instanceId: 'sample-book', sample: true, items: [{ id: '1', name: 'A part' }] });
    // The specification passes the title's id in `instanceid`.
    expect((await readComponents(otherCustomer, { instanceid: 'book', sample: true })).value).toEqual(value);
    expect((await readComponents(otherCustomer, { instanceid: 'book' })).status).toBe(404);
    const address = ((await requestUrl(otherCustomer, { instanceid: 'sample-book', sample: true })).value as { url: string }).url;
    expect((await shop.app.inject(address)).statusCode).toBe(200);
    expect((await shop.app.inject(address.replace('sample.epub', 'book.epub'))).statusCode).toBe(404);
  });

  test('a title without a sample returns 404 for its sample', async () => {
    expect((await readComponents(await createCustomer(shop, store), { titleid: 'sound', sample: true })).status).toBe(404);
  });
});

test('the components call needs a copy or a title, and an unknown content item is not found', async () => {
  expect((await readComponents(owner, {})).status).toBe(400);
  expect((await requestUrl(owner, { instanceid, content: '99' })).status).toBe(404);
});

describe('reading progress', () => {
  const makeProgressQuery = (titleid: string, contextkey: string) => ({ ...owner.query, titleid, contextkey });
  const readProgress = (query: Record<string, string>) => shop.call('viewerProgress', '/viewer/progress', { query });
  const saveProgress = (query: Record<string, string>, position: object) =>
    shop.call('saveViewerProgress', '/viewer/progress', { query, body: { position } });

  test('the reading position is null before the first opening, then the last saved one', async () => {
    const query = makeProgressQuery('book', instanceid);
    expect((await readProgress(query)).value).toEqual({ position: null, savedAt: null, version: 0, device: null, earlier: [] });
    await saveProgress(query, { totalProgression: 0.1, href: 'a.xhtml' });
    const position = {
      totalProgression: 0.25,
      href: 'text/b.xhtml#x',
      progression: 0.5,
      cfi: 'epubcfi(/6/4!/4/2)',
      label: 'Zwei “ü”',
      page: 3,
      pages: null,
    };
    const savedProgress = await saveProgress(query, position);
    expect(savedProgress.value).toMatchObject({ position });
    expect((await readProgress(query)).value).toEqual(savedProgress.value);
    const library = await shop.call('userPurchases', '/user/purchases', { query: { ...owner.query, sort: 'opened' } });
    expect((library.value as { Purchase: object[] }).Purchase[0]).toMatchObject({
      TitleId: 'book',
      Progress: 0.25,
      LastOpenedAt: expect.stringMatching(/Z$/),
    });
  });

  test('the reading progress of a sample is separate from that of the copy', async () => {
    await saveProgress(makeProgressQuery('book', 'sample'), { totalProgression: 0.9 });
    expect((await readProgress(makeProgressQuery('book', 'sample'))).value).toMatchObject({
      position: { totalProgression: 0.9 },
    });
    const library = await shop.call('userPurchases', '/user/purchases', { query: owner.query });
    expect(
      (library.value as { Purchase: { TitleId: string; Progress: number }[] }).Purchase.find(({ TitleId }) => TitleId === 'book')
        ?.Progress,
    ).toBe(0.25);
  });

  test.each([{ totalProgression: 2 }, {}, { totalProgression: 0.5, script: 'x' }, { totalProgression: 'half' }])(
    'an invalid reading position is refused: %j',
    async (position) => {
      expect((await saveProgress(makeProgressQuery('book', instanceid), position)).status).toBe(400);
    },
  );

  describe('several devices', () => {
    const phone = { id: 'phone-1', name: 'Safari, iPhone' };
    const laptop = { id: 'laptop-1', name: 'Firefox, Windows' };
    const saveFrom = (query: Record<string, string>, totalProgression: number, fields: object) =>
      shop.call('saveViewerProgress', '/viewer/progress', {
        query,
        body: { position: { totalProgression, href: 'a.xhtml' }, ...fields },
      });

    test('a reading position based on an older version is refused, and an overwritten one becomes an earlier position', async () => {
      const query = makeProgressQuery('book', 'devices');
      expect((await saveFrom(query, 0.04, { basedOn: 0, device: phone })).value).toMatchObject({
        version: 1,
        device: phone,
        earlier: [],
      });
      const laptopSave = await saveFrom(query, 0.57, { basedOn: 1, device: laptop });
      expect(laptopSave.value).toMatchObject({ version: 2, device: laptop });
      const staleSave = await saveFrom(query, 0.05, { basedOn: 1, device: phone });
      expect([staleSave.status, (staleSave.value as { code: string }).code]).toEqual([409, 'place_newer']);
      expect((await readProgress(query)).value).toEqual(laptopSave.value);
      // The customer has chosen the phone's position, which is now based on the current version.
      expect((await saveFrom(query, 0.05, { basedOn: 2, device: phone })).value).toMatchObject({
        version: 3,
        position: { totalProgression: 0.05 },
        device: phone,
        earlier: [
          {
            position: { totalProgression: 0.57, href: 'a.xhtml' },
            savedAt: (laptopSave.value as { savedAt: string }).savedAt,
            device: laptop,
          },
          { position: { totalProgression: 0.04, href: 'a.xhtml' }, device: phone },
        ],
      });
    });

    test('a device can save positions without reading first, and only a jump stores an earlier position', async () => {
      const query = makeProgressQuery('book', 'leaps');
      for (const [index, progression] of [0.1, 0.15, 0.2, 0.9, 0.92].entries())
        expect((await saveFrom(query, progression, { basedOn: Math.min(index, 1), device: phone })).status).toBe(200);
      const { earlier } = (await readProgress(query)).value as { earlier: { position: { totalProgression: number } }[] };
      expect(earlier.map(({ position }) => position.totalProgression)).toEqual([0.2]);
    });

    test('the reading progress has the last five positions', async () => {
      const query = makeProgressQuery('book', 'five');
      for (const [index, device] of [phone, laptop, phone, laptop, phone, laptop, phone].entries())
        await saveFrom(query, index / 100, { basedOn: index, device });
      const { position, earlier } = (await readProgress(query)).value as {
        position: { totalProgression: number };
        earlier: { position: { totalProgression: number } }[];
      };
      expect([position, ...earlier.map((entry) => entry.position)].map(({ totalProgression }) => totalProgression)).toEqual([
        0.06, 0.05, 0.04, 0.03, 0.02,
      ]);
    });

    test('two concurrent first saves of one device are both accepted', async () => {
      const query = makeProgressQuery('book', 'twice');
      const responses = await Promise.all(
        [0.1, 0.2].map((progression) => saveFrom(query, progression, { basedOn: 0, device: phone })),
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect((await readProgress(query)).value).toMatchObject({ version: 2 });
    });

    test('of two devices’ concurrent first saves, one is accepted and the other is refused', async () => {
      const query = makeProgressQuery('book', 'both');
      const responses = await Promise.all([phone, laptop].map((device) => saveFrom(query, 0.3, { basedOn: 0, device })));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]));
      // A reader without versions can still save its position.
      expect((await saveFrom(query, 0.4, {})).value).toMatchObject({ version: 2, device: null });
    });
  });

  test('the reading progress is not saved for a title that can be neither read nor sampled', async () => {
    expect((await saveProgress(makeProgressQuery('gratis', 'x'), { totalProgression: 0 })).status).toBe(404);
    expect((await saveProgress(makeProgressQuery('nothing', 'x'), { totalProgression: 0 })).status).toBe(404);
  });
});

describe('public pictures', () => {
  test('the covers of a store’s titles are public and cached; other files of a title are not public', async () => {
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

  test('a logo that is opened as a page cannot run scripts', async () => {
    const logo = await shop.app.inject(`/media/store/${store}/logo.svg`);
    expect([logo.statusCode, logo.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(logo.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect((await shop.app.inject(`/media/store/${store}/none.svg`)).statusCode).toBe(404);
  });
});
