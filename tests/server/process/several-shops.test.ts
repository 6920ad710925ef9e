import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseAddress, type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { basicAuth, PASSWORD } from '../support/customers.ts';
import { buyDuringKills, expectOnceOrNever, type Victim } from '../support/kill-run.ts';
import { connectGateway, runLastSweeps } from '../support/last-sweeps.ts';
import { CARD_NUMBERS, submitCardForm, type Session } from '../support/paying.ts';
import { startRoundRobin } from '../support/round-robin.ts';
import { type StartedGateway, startGatewayProcess } from '../support/started-gateway.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { STORE, RetryingCustomer } from '../support/retrying-customer.ts';
import { newEmptyDatabase } from '../support/test-database.ts';

const GATEWAY_SECRET = 'what shops and gateway share';

let folder: string;
let database: DatabaseAddress;
let observer: OpenDatabase;
let gateway: StartedGateway;
let shops: [StartedShop, StartedShop];
/** Indices of the shops that get calls from the proxy. */
const aliveShops = new Set([0, 1]);
let proxy: Awaited<ReturnType<typeof startRoundRobin>>;

const startShopProcess = async (index: number): Promise<StartedShop> => {
  if (database.kind !== 'server') throw new Error('Several shops need a database server.');
  const shop = await startShop({
    DATA_DIR: join(folder, `shop-${index}`),
    PORT: '0',
    DATABASE_URL: database.url,
    PAYMENT_GATEWAY_URL: gateway.origin,
    PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
    PAYMENT_TIMEOUT: '1500',
    SIGN_UPS_PER_HOUR: '1000',
    TRUST_PROXY: '127.0.0.1',
  });
  if (shop.address === '') throw new Error(`The shop ${index} did not become ready: ${shop.stderr}`);
  return shop;
};
const startGateway = (port: string) =>
  startGatewayProcess({ PORT: port, GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-shops-'));
  database = await newEmptyDatabase();
  gateway = await startGateway('0');
  // Both shops start on an empty database.
  shops = await Promise.all([startShopProcess(0), startShopProcess(1)]);
  proxy = await startRoundRobin(() => shops.filter((_, index) => aliveShops.has(index)).map(({ address }) => address));
  observer = await openDatabase(database);
});
afterAll(async () => {
  await observer.close();
  await proxy.close();
  await Promise.all(shops.map((shop) => shop.end('SIGKILL')));
  await gateway.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const shopAccess = { address: () => proxy.address, onSend: () => {}, waitUntilRecovered: async () => {} };
const makeUrl = (index: number, path: string, query: Record<string, string>) =>
  `${shops[index]?.address}/api${path}?${new URLSearchParams({ shelfid: STORE, ...query }).toString()}`;

/** @returns the ids of the titles for sale whose XML contains `mark` */
async function findTitlesMarked(mark: string): Promise<string[]> {
  const list = await (await fetch(makeUrl(0, '/titles', { limit: '100' }))).text();
  const markedTitles = list.split('<Title>').filter((text) => text.includes('<ForSale>true') && text.includes(mark));
  return markedTitles.flatMap((text) => /<TitleId>([^<]*)</.exec(text)?.[1] ?? []);
}

test('two shops on an empty database start, and load its demo stores once', async () => {
  // PUBLIC_URL is not set here, so each shop advises to set it.
  const errorLogs = shops.map(({ stderr }) => stderr.trimEnd().split('\n'));
  expect(errorLogs).toEqual([[expect.stringContaining('Set PUBLIC_URL')], [expect.stringContaining('Set PUBLIC_URL')]]);
  expect(shops.filter(({ stdout }) => stdout.includes('demo.stores.loaded'))).toHaveLength(1);
});

test('wrong passwords are counted across both shops', async () => {
  const { id } = await RetryingCustomer.signUp(shopAccess);
  const { email } = await observer.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess += 1)
    statuses.push(
      (await fetch(makeUrl(guess % 2, '/user/signin', { appid: 'web' }), { headers: basicAuth(email, 'a guess of it') })).status,
    );
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test('a call sent to both shops at once with one key is executed once, with the same response', async () => {
  const { id, token } = await RetryingCustomer.signUp(shopAccess);
  const [firstTitleId = '', ...otherTitleIds] = await findTitlesMarked('<Free>false');
  const sessionResponse = await fetch(makeUrl(0, '/payment/session', { titleId: firstTitleId, accesstoken: token }));
  const { url, transId } = (await sessionResponse.json()) as Session;
  await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
  expect((await fetch(makeUrl(1, '/purchase/title/confirm', { transactonId: transId, accesstoken: token }))).status).toBe(200);
  const card = await observer.db.selectFrom('cards').select('id').where('user_id', '=', id).executeTakeFirstOrThrow();
  for (const titleId of otherTitleIds.slice(0, 5)) {
    const headers = { 'idempotency-key': `one-press-${titleId}` };
    const responses = await Promise.all(
      [0, 1, 0, 1].map(async (index) => {
        const response = await fetch(makeUrl(index, '/purchase/title', { titleId, cardId: card.id, accesstoken: token }), {
          headers,
        });
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(responses[0]).toMatch(/^200 .*"status":"paid"/);
    expect(new Set(responses).size).toBe(1);
  }
});

test('a session and the media URLs of one shop are valid at the other shop', async () => {
  const { token } = await RetryingCustomer.signUp(shopAccess);
  const [titleId = ''] = await findTitlesMarked('<Free>true');
  const purchase = await fetch(makeUrl(0, '/purchase/free', { titleId, accesstoken: token }));
  const { instanceId } = (await purchase.json()) as { instanceId: string };
  const components = await fetch(makeUrl(1, '/viewer/components', { instanceid: instanceId, accesstoken: token }));
  const { items } = (await components.json()) as { items: { id: string }[] };
  const content = items[0]?.id ?? '';
  for (const index of [0, 1]) {
    const urlResponse = await fetch(makeUrl(index, '/viewer/url', { instanceid: instanceId, content, accesstoken: token }));
    const { url } = (await urlResponse.json()) as { url: string };
    const otherAddress = shops[1 - index]?.address ?? '';
    expect((await fetch(new URL(url, otherAddress))).status).toBe(200);
  }
});

test(
  'media URLs end at both shops within a minute of a sign-out, and of the loss of the title',
  { timeout: 120_000 },
  async () => {
    const { id, token } = await RetryingCustomer.signUp(shopAccess);
    const titleId = (await findTitlesMarked('<Free>true')).at(-1) ?? '';
    const { instanceId } = (await (await fetch(makeUrl(0, '/purchase/free', { titleId, accesstoken: token }))).json()) as {
      instanceId: string;
    };
    const { email } = await observer.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
    const signInResponse = await fetch(makeUrl(1, '/user/signin', { appid: 'web' }), { headers: basicAuth(email, PASSWORD) });
    const otherToken = /<IdToken>([^<]*)</.exec(await signInResponse.text())?.[1] ?? '';
    const readMediaUrl = async (accesstoken: string) => {
      const components = await fetch(makeUrl(0, '/viewer/components', { instanceid: instanceId, accesstoken }));
      const { items } = (await components.json()) as { items: { id: string }[] };
      const query = { instanceid: instanceId, content: items[0]?.id ?? '', accesstoken };
      return ((await (await fetch(makeUrl(0, '/viewer/url', query))).json()) as { url: string }).url;
    };
    const [firstUrl, secondUrl] = [await readMediaUrl(token), await readMediaUrl(otherToken)];
    const readStatuses = (url: string) =>
      Promise.all(shops.map(async ({ address }) => (await fetch(new URL(url, address), { method: 'HEAD' })).status));
    // Both shops cache the rights from here on.
    expect(await Promise.all([firstUrl, secondUrl].map(readStatuses))).toEqual([Array(2).fill(200), Array(2).fill(200)]);
    expect((await fetch(makeUrl(0, '/user/signout', { accesstoken: otherToken }), { method: 'POST' })).status).toBe(200);
    await expect.poll(() => readStatuses(secondUrl), { timeout: 60_000, interval: 1000 }).toEqual([403, 403]);
    expect(await readStatuses(firstUrl)).toEqual([200, 200]);
    await observer.db.deleteFrom('entitlements').where('user_id', '=', id).execute();
    await expect.poll(() => readStatuses(firstUrl), { timeout: 60_000, interval: 1000 }).toEqual([403, 403]);
  },
);

test(
  'either shop or the gateway is killed at random: each purchase is charged and granted once or never',
  { timeout: 240_000 },
  async () => {
    const makeShopVictim = (index: 0 | 1): Victim => ({
      isReplicated: true,
      kill() {
        aliveShops.delete(index);
        return shops[index].end('SIGKILL');
      },
      async restart() {
        shops[index] = await startShopProcess(index);
        aliveShops.add(index);
      },
    });
    const gatewayVictim: Victim = {
      isReplicated: false,
      kill: () => gateway.end('SIGKILL'),
      async restart() {
        gateway = await startGateway(new URL(gateway.origin).port);
      },
    };
    const victims = [
      makeShopVictim(0),
      makeShopVictim(1),
      gatewayVictim,
      makeShopVictim(0),
      makeShopVictim(1),
      makeShopVictim(0),
      makeShopVictim(1),
      gatewayVictim,
    ];
    const purchases = await buyDuringKills(() => proxy.address, victims);
    const secondConnection = await openDatabase(database);
    try {
      // Two processes sweep at the same time.
      await runLastSweeps([observer.db, secondConnection.db], connectGateway(gateway.origin, GATEWAY_SECRET));
      await expectOnceOrNever(observer.db, join(folder, 'gateway'), purchases);
    } finally {
      await secondConnection.close();
    }
  },
);
