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
  await fill(shop);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(() => vi.useRealTimers());
afterAll(() => shop.close());

/** Files of the titles in these tests. */
async function fill({ folder }: Shop): Promise<void> {
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

const buy = async (titleId: string, buyer = customer, at = shop) => {
  const { transId } = await authorizePayment(at, buyer, titleId);
  const { instanceId } = (await confirmPayment(at, buyer, transId)).value as { instanceId: string };
  return { transId, instanceId };
};

/** The address of a title's part. */
const openMediaUrl = async (titleid: string, query = customer.query, at = shop, content = '1'): Promise<string> => {
  const opened = await at.ask('viewerComponents', '/viewer/components', { query: { ...query, titleid } });
  const { instanceId: instanceid } = opened.value as { instanceId: string };
  return ((await at.ask('viewerUrl', '/viewer/url', { query: { ...query, instanceid, content } })).value as { url: string }).url;
};

/** The status, and the error code of a refusal, for a range request. */
const readRange = async (url: string, at = shop): Promise<unknown[]> => {
  const answer = await at.app.inject({ url, headers: { range: 'bytes=0-9' } });
  return answer.statusCode < 300 ? [answer.statusCode] : [answer.statusCode, answer.json<{ code: string }>().code];
};
const ALLOWED = [206];
const DENIED = [403, 'media_denied'];

const signIn = async (deviceid: string) => {
  const query = { shelfid: store, appid: 'web', deviceid, devicename: 'Phone' };
  const { value } = await shop.ask('signIn', '/user/signin', { query, headers: basicAuth(customer.email, PASSWORD) });
  return { shelfid: store, accesstoken: (value as { IdToken: string }).IdToken };
};
const signOut = (query: Customer['query']) => shop.ask('signOut', '/user/signout', { query, method: 'POST' });

test('an address of a refunded purchase is refused, and no new one is issued', async () => {
  const { transId, instanceId } = await buy('sound');
  const query = { ...customer.query, instanceid: instanceId, content: '1' };
  const { url } = (await shop.ask('viewerUrl', '/viewer/url', { query })).value as { url: string };
  expect(await readRange(url)).toEqual(ALLOWED);
  await refund(shop, store, transId);
  expect(await readRange(url)).toEqual(DENIED);
  const refused = { status: 403, value: { code: 'not_owned' } };
  expect(await shop.ask('viewerUrl', '/viewer/url', { query })).toMatchObject(refused);
  expect(await shop.ask('viewerComponents', '/viewer/components', { query })).toMatchObject(refused);
});

test('a title that is opened again has the same address, which still ends with the right', async () => {
  const { transId } = await buy('sound');
  const url = await openMediaUrl('sound');
  expect(await openMediaUrl('sound')).toBe(url);
  expect(await openMediaUrl('sound', await signIn(randomUUID()))).not.toBe(url);
  const other = await createCustomer(shop, store);
  await buy('sound', other);
  expect(await openMediaUrl('sound', other.query)).not.toBe(url);
  expect(await readRange(url)).toEqual(ALLOWED);
  await refund(shop, store, transId);
  expect(await readRange(url)).toEqual(DENIED);
});

test('a client with a cached file gets no 304 once the right has ended', async () => {
  const { transId } = await buy('sound');
  const url = await openMediaUrl('sound');
  const again = async () => {
    const headers = { 'if-none-match': String((await shop.app.inject(url)).headers.etag ?? '*') };
    return (await shop.app.inject({ url, headers })).statusCode;
  };
  expect(await again()).toBe(304);
  await refund(shop, store, transId);
  expect(await again()).toBe(403);
});

test('an address ends with the subscription that opened its title', async () => {
  const id = await insertSubscription(shop, customer);
  await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'film' } });
  const url = await openMediaUrl('film');
  expect(await readRange(url)).toEqual(ALLOWED);
  const ended = { status: 'ended', ended_at: dateInDays(-1) } as const;
  await shop.db.updateTable('subscriptions').set(ended).where('id', '=', id).execute();
  expect(await readRange(url)).toEqual(DENIED);
});

test('an address ends with the account', async () => {
  await buy('sound');
  const url = await openMediaUrl('sound');
  const { accesstoken } = customer.query;
  await shop.ask('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${accesstoken}` },
  });
  expect(await readRange(url)).toEqual(DENIED);
});

test('an address ends with the session that requested it, and with no other', async () => {
  await buy('sound');
  const phone = await signIn(randomUUID());
  const [here, there] = [await openMediaUrl('sound'), await openMediaUrl('sound', phone)];
  await signOut(phone);
  expect([await readRange(here), await readRange(there)]).toEqual([ALLOWED, DENIED]);
  await signOut(customer.query);
  expect(await readRange(here)).toEqual(DENIED);
});

test('an address ends when its device is removed', async () => {
  await buy('sound');
  const id = randomUUID();
  const url = await openMediaUrl('sound', await signIn(id));
  const body = `<DeregisterDevice><DeviceId>${id}</DeviceId></DeregisterDevice>`;
  await shop.ask('deregisterDevice', '/user/devices/deregister', { query: customer.query, body });
  expect(await readRange(url)).toEqual(DENIED);
});

test('an address ends when its session expires', async () => {
  await buy('sound');
  const url = await openMediaUrl('sound');
  await shop.db
    .updateTable('tokens')
    .set({ expires_at: dateInDays(-1) })
    .where('user_id', '=', customer.id)
    .execute();
  expect(await readRange(url)).toEqual(DENIED);
});

test('captions end with their film', async () => {
  const { transId } = await buy('film');
  const { value } = await shop.ask('viewerComponents', '/viewer/components', { query: { ...customer.query, titleid: 'film' } });
  const [item] = (value as { items: { captions: { url: string }[] }[] }).items;
  const url = item?.captions[0]?.url ?? '';
  expect((await shop.app.inject(url)).body).toBe('WEBVTT\n');
  await refund(shop, store, transId);
  expect(await readRange(url)).toEqual(DENIED);
});

test('the address of a sample outlives the session that requested it', async () => {
  const query = { ...customer.query, instanceid: 'sample-game', content: '1', sample: true };
  const { url } = (await shop.ask('viewerUrl', '/viewer/url', { query })).value as { url: string };
  await signOut(customer.query);
  expect((await shop.app.inject(url)).statusCode).toBe(200);
});

test('the address of an interactive title is valid for its own folder, not for the audio beside it nor the sample', async () => {
  await buy('game');
  const url = await openMediaUrl('game');
  const files = ['play/index.html', 'play/story.js', 'track-01.mp3', 'sample/index.html'];
  const opened = files.map(async (file) => (await shop.app.inject(url.replace('play/index.html', file))).statusCode);
  expect(await Promise.all(opened)).toEqual([200, 200, 404, 404]);
  const sound = await openMediaUrl('game', customer.query, shop, '2');
  expect(await readRange(sound)).toEqual(ALLOWED);
});

test('the right to a sample is not checked again while it is sent, since it never ends', async () => {
  const query = { ...customer.query, instanceid: 'sample-game', content: '1', sample: true };
  const { url } = (await shop.ask('viewerUrl', '/viewer/url', { query })).value as { url: string };
  await buy('game');
  const own = await openMediaUrl('game');
  const start = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => start.mockRestore());
  const checks = async (address: string): Promise<number> => {
    start.mockClear();
    await shop.app.inject(address);
    return start.mock.calls.filter(([, interval]) => interval === 20_000).length;
  };
  expect([await checks(url), await checks(own)]).toEqual([0, 1]);
});

/** Reads a title in a shop that caches rights for this many milliseconds. */
async function openCachingShop(mediaRightsFreshness: number) {
  const at = await openShop({ config: { mediaRightsFreshness } });
  onTestFinished(() => at.close());
  const own = await at.store();
  await fill(at);
  const reader = await createCustomer(at, own);
  const { transId } = await buy('sound', reader, at);
  const url = await openMediaUrl('sound', reader.query, at);
  return { at, own, reader, transId, read: () => readRange(url, at) };
}

test('a right is cached while it is fresh', async () => {
  const { at, own, transId, read } = await openCachingShop(10 * 60_000);
  expect(await read()).toEqual(ALLOWED);
  await refund(at, own, transId);
  expect(await read()).toEqual(ALLOWED);
});

test('a right that is no longer fresh is read again, and a missing right is never cached', async () => {
  const { at, own, reader, transId, read } = await openCachingShop(50);
  expect(await read()).toEqual(ALLOWED);
  await refund(at, own, transId);
  await expect.poll(read).toEqual(DENIED);
  await buy('sound', reader, at);
  expect(await read()).toEqual(ALLOWED);
});

test('a film that is being sent ends soon after the right to it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { transId } = await buy('film');
  const url = await openMediaUrl('film');
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = shop.app.server.address() as AddressInfo;
  const film = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: url }, resolve).on('error', reject);
  });
  // A player reads only what it shows: the rest waits in the connection.
  const ended = new Promise<boolean>((resolve) => {
    film.on('error', () => resolve(film.complete));
    film.on('close', () => resolve(film.complete));
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(film.destroyed).toBe(false);
  await refund(shop, store, transId);
  await vi.advanceTimersByTimeAsync(20_000);
  film.resume();
  expect(await ended).toBe(false);
});
