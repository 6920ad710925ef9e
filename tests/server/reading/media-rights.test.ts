import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { basicAuth, type Customer, createCustomer, PASSWORD } from '../support/customers.ts';
import { authorizePayment, confirmPayment } from '../support/paying.ts';
import { refund } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';
import { dateInDays, insertPlan, insertSubscription } from '../support/subscriptions.ts';

const FILM_BYTES = 32 * 2 ** 20;

const game: NewTitle = {
  id: 'game',
  medium: 'interactive',
  name: 'A Game',
  prices: [{ amount: 2, currency: 'EUR' }],
  content: {
    items: [
      { id: '1', name: 'Play', file: 'play/index.html', mimeType: 'text/html' },
      { id: '2', name: 'Listen', file: 'track-01.mp3', mimeType: 'audio/mpeg' },
    ],
    sample: { items: [{ id: '1', name: 'Try', file: 'sample/index.html', mimeType: 'text/html' }] },
  },
};

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ titles: [...(makeStore('any').titles ?? []), game] });
  await insertPlan(shop, store);
  await runOperation(shop.services, 'plans titles', { store, id: 'monthly', add: 'film' });
  await writeMediaFiles(shop);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(() => vi.useRealTimers());
afterAll(() => shop.close());

/** Writes the media files of the titles in these tests. */
async function writeMediaFiles({ folder }: Shop): Promise<void> {
  const files = {
    'sound/track-01.mp3': Buffer.alloc(5000, 7),
    'film/film.mp4': Buffer.alloc(FILM_BYTES, 7),
    'film/film.en.vtt': 'WEBVTT\n',
    'game/play/index.html': '<p>play</p>',
    'game/play/story.js': 'go()',
    'game/sample/index.html': '<p>try</p>',
    'game/track-01.mp3': Buffer.alloc(5000, 7),
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, 'media', name, '..'), { recursive: true });
    await writeFile(join(folder, 'media', name), content);
  }
}

const buyTitle = async (titleId: string, buyer = customer, targetShop = shop) => {
  const { transId } = await authorizePayment(targetShop, buyer, titleId);
  const { instanceId } = (await confirmPayment(targetShop, buyer, transId)).value as { instanceId: string };
  return { transId, instanceId };
};

/** Opens a title. @returns the media address of one of its content items */
const openMediaUrl = async (titleid: string, query = customer.query, targetShop = shop, content = '1'): Promise<string> => {
  const components = await targetShop.call('viewerComponents', '/viewer/components', { query: { ...query, titleid } });
  const { instanceId: instanceid } = components.value as { instanceId: string };
  const { value } = await targetShop.call('viewerUrl', '/viewer/url', { query: { ...query, instanceid, content } });
  return (value as { url: string }).url;
};

/** Requests a range of a file. @returns the status, and the error code of a refusal */
const readRange = async (url: string, targetShop = shop): Promise<unknown[]> => {
  const response = await targetShop.app.inject({ url, headers: { range: 'bytes=0-9' } });
  return response.statusCode < 300 ? [response.statusCode] : [response.statusCode, response.json<{ code: string }>().code];
};
const ALLOWED = [206];
const DENIED = [403, 'media_denied'];

const signIn = async (deviceid: string) => {
  const query = { shelfid: store, appid: 'web', deviceid, devicename: 'Phone' };
  const { value } = await shop.call('signIn', '/user/signin', { query, headers: basicAuth(customer.email, PASSWORD) });
  return { shelfid: store, accesstoken: (value as { IdToken: string }).IdToken };
};
const signOut = (query: Customer['query']) => shop.call('signOut', '/user/signout', { query, method: 'POST' });

test('a media address of a refunded purchase is refused, and no new one is issued', async () => {
  const { transId, instanceId } = await buyTitle('sound');
  const query = { ...customer.query, instanceid: instanceId, content: '1' };
  const { url } = (await shop.call('viewerUrl', '/viewer/url', { query })).value as { url: string };
  expect(await readRange(url)).toEqual(ALLOWED);
  await refund(shop, store, transId);
  expect(await readRange(url)).toEqual(DENIED);
  const refusal = { status: 403, value: { code: 'not_owned' } };
  expect(await shop.call('viewerUrl', '/viewer/url', { query })).toMatchObject(refusal);
  expect(await shop.call('viewerComponents', '/viewer/components', { query })).toMatchObject(refusal);
});

test('a title that is opened again in a session has the same media address, which is refused after a refund', async () => {
  const { transId } = await buyTitle('sound');
  const url = await openMediaUrl('sound');
  expect(await openMediaUrl('sound')).toBe(url);
  expect(await openMediaUrl('sound', await signIn(randomUUID()))).not.toBe(url);
  const otherCustomer = await createCustomer(shop, store);
  await buyTitle('sound', otherCustomer);
  expect(await openMediaUrl('sound', otherCustomer.query)).not.toBe(url);
  expect(await readRange(url)).toEqual(ALLOWED);
  await refund(shop, store, transId);
  expect(await readRange(url)).toEqual(DENIED);
});

test('a client with a cached file gets no 304 once the right has ended', async () => {
  const { transId } = await buyTitle('sound');
  const url = await openMediaUrl('sound');
  const revalidate = async () => {
    const headers = { 'if-none-match': String((await shop.app.inject(url)).headers.etag ?? '*') };
    return (await shop.app.inject({ url, headers })).statusCode;
  };
  expect(await revalidate()).toBe(304);
  await refund(shop, store, transId);
  expect(await revalidate()).toBe(403);
});

test('a media address is refused after the subscription that opened its title has ended', async () => {
  const id = await insertSubscription(shop, customer);
  await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'film' } });
  const url = await openMediaUrl('film');
  expect(await readRange(url)).toEqual(ALLOWED);
  const endedSubscription = { status: 'ended', ended_at: dateInDays(-1) } as const;
  await shop.db.updateTable('subscriptions').set(endedSubscription).where('id', '=', id).execute();
  expect(await readRange(url)).toEqual(DENIED);
});

test('a media address is refused after its customer’s account is deleted', async () => {
  await buyTitle('sound');
  const url = await openMediaUrl('sound');
  const { accesstoken } = customer.query;
  await shop.call('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${accesstoken}` },
  });
  expect(await readRange(url)).toEqual(DENIED);
});

test('a media address is refused after the session that requested it has ended, and after no other', async () => {
  await buyTitle('sound');
  const phone = await signIn(randomUUID());
  const [browserUrl, phoneUrl] = [await openMediaUrl('sound'), await openMediaUrl('sound', phone)];
  await signOut(phone);
  expect([await readRange(browserUrl), await readRange(phoneUrl)]).toEqual([ALLOWED, DENIED]);
  await signOut(customer.query);
  expect(await readRange(browserUrl)).toEqual(DENIED);
});

test('a media address is refused after its device is removed', async () => {
  await buyTitle('sound');
  const id = randomUUID();
  const url = await openMediaUrl('sound', await signIn(id));
  const body = `<DeregisterDevice><DeviceId>${id}</DeviceId></DeregisterDevice>`;
  await shop.call('deregisterDevice', '/user/devices/deregister', { query: customer.query, body });
  expect(await readRange(url)).toEqual(DENIED);
});

test('a media address is refused after its session has expired', async () => {
  await buyTitle('sound');
  const url = await openMediaUrl('sound');
  await shop.db
    .updateTable('tokens')
    .set({ expires_at: dateInDays(-1) })
    .where('user_id', '=', customer.id)
    .execute();
  expect(await readRange(url)).toEqual(DENIED);
});

test('captions are refused after their film is refunded', async () => {
  const { transId } = await buyTitle('film');
  const { value } = await shop.call('viewerComponents', '/viewer/components', { query: { ...customer.query, titleid: 'film' } });
  const [item] = (value as { items: { captions: { url: string }[] }[] }).items;
  const url = item?.captions[0]?.url ?? '';
  expect((await shop.app.inject(url)).body).toBe('WEBVTT\n');
  await refund(shop, store, transId);
  expect(await readRange(url)).toEqual(DENIED);
});

test('the media address of a sample outlives the session that requested it', async () => {
  const query = { ...customer.query, instanceid: 'sample-game', content: '1', sample: true };
  const { url } = (await shop.call('viewerUrl', '/viewer/url', { query })).value as { url: string };
  await signOut(customer.query);
  expect((await shop.app.inject(url)).statusCode).toBe(200);
});

test('the media address of an interactive item is valid for its own folder, but not for other items or the sample', async () => {
  await buyTitle('game');
  const url = await openMediaUrl('game');
  const files = ['play/index.html', 'play/story.js', 'track-01.mp3', 'sample/index.html'];
  const statuses = files.map(async (file) => (await shop.app.inject(url.replace('play/index.html', file))).statusCode);
  expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
  const soundUrl = await openMediaUrl('game', customer.query, shop, '2');
  expect(await readRange(soundUrl)).toEqual(ALLOWED);
});

test('the right to a sample is not checked again while the sample is sent', async () => {
  const query = { ...customer.query, instanceid: 'sample-game', content: '1', sample: true };
  const { url } = (await shop.call('viewerUrl', '/viewer/url', { query })).value as { url: string };
  await buyTitle('game');
  const ownedUrl = await openMediaUrl('game');
  const setIntervalSpy = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => setIntervalSpy.mockRestore());
  const countChecks = async (address: string): Promise<number> => {
    setIntervalSpy.mockClear();
    await shop.app.inject(address);
    return setIntervalSpy.mock.calls.filter(([, interval]) => interval === 20_000).length;
  };
  expect([await countChecks(url), await countChecks(ownedUrl)]).toEqual([0, 1]);
});

/**
 * Opens a shop that caches media rights for `mediaRightsFreshness` ms, and buys a title there.
 * @returns the shop, its store, the reader and the transaction, and `read`, which requests a range
 */
async function openCachingShop(mediaRightsFreshness: number) {
  const cachingShop = await openShop({ config: { mediaRightsFreshness } });
  onTestFinished(() => cachingShop.close());
  const storeId = await cachingShop.store();
  await writeMediaFiles(cachingShop);
  const reader = await createCustomer(cachingShop, storeId);
  const { transId } = await buyTitle('sound', reader, cachingShop);
  const url = await openMediaUrl('sound', reader.query, cachingShop);
  return { cachingShop, storeId, reader, transId, read: () => readRange(url, cachingShop) };
}

test('a media right is cached while it is fresh', async () => {
  const { cachingShop, storeId, transId, read } = await openCachingShop(10 * 60_000);
  expect(await read()).toEqual(ALLOWED);
  await refund(cachingShop, storeId, transId);
  expect(await read()).toEqual(ALLOWED);
});

test('a media right that is no longer fresh is read again, and a missing right is never cached', async () => {
  const { cachingShop, storeId, reader, transId, read } = await openCachingShop(50);
  expect(await read()).toEqual(ALLOWED);
  await refund(cachingShop, storeId, transId);
  await expect.poll(read).toEqual(DENIED);
  await buyTitle('sound', reader, cachingShop);
  expect(await read()).toEqual(ALLOWED);
});

test('a film that is being sent is aborted soon after the right to it has ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { transId } = await buyTitle('film');
  const url = await openMediaUrl('film');
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = shop.app.server.address() as AddressInfo;
  const film = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: url }, resolve).on('error', reject);
  });
  // Like a player, the test reads only on demand: the rest of the film waits in the connection.
  const isComplete = new Promise<boolean>((resolve) => {
    film.on('error', () => resolve(film.complete));
    film.on('close', () => resolve(film.complete));
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(film.destroyed).toBe(false);
  await refund(shop, store, transId);
  await vi.advanceTimersByTimeAsync(20_000);
  film.resume();
  expect(await isComplete).toBe(false);
});
