import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseAddress, type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { basicAuth, PASSWORD } from '../support/customers.ts';
import { buyWhileKilled, expectOnceOrNever, type Victim } from '../support/kill-run.ts';
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

const start = async (place: number): Promise<StartedShop> => {
  if (database.kind !== 'server') throw new Error('Several shops need a database server.');
  const shop = await startShop({
    DATA_DIR: join(folder, `shop-${place}`),
    PORT: '0',
    DATABASE_URL: database.url,
    PAYMENT_GATEWAY_URL: gateway.origin,
    PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
    PAYMENT_TIMEOUT: '1500',
    SIGN_UPS_PER_HOUR: '1000',
    TRUST_PROXY: '127.0.0.1',
  });
  if (shop.address === '') throw new Error(shop.complained);
  return shop;
};
const startGateway = (port: string) =>
  startGatewayProcess({ PORT: port, GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-shops-'));
  database = await newEmptyDatabase();
  gateway = await startGateway('0');
  // Both start on an empty database.
  shops = await Promise.all([start(0), start(1)]);
  proxy = await startRoundRobin(() => shops.filter((_, place) => aliveShops.has(place)).map(({ address }) => address));
  observer = await openDatabase(database);
});
afterAll(async () => {
  await observer.close();
  await proxy.close();
  await Promise.all(shops.map((shop) => shop.end('SIGKILL')));
  await gateway.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const shopAccess = { address: () => proxy.address, onSend: () => {}, recovered: async () => {} };
const urlAt = (place: number, path: string, query: Record<string, string>) =>
  `${shops[place]?.address}/api${path}?${new URLSearchParams({ shelfid: STORE, ...query }).toString()}`;

/** Titles in the shop's list that contain this mark. */
async function findTitlesMarked(mark: string): Promise<string[]> {
  const list = await (await fetch(urlAt(0, '/titles', { limit: '100' }))).text();
  const marked = list.split('<Title>').filter((text) => text.includes('<ForSale>true') && text.includes(mark));
  return marked.flatMap((text) => /<TitleId>([^<]*)</.exec(text)?.[1] ?? []);
}

test('two shops on an empty database start, and load its demo stores once', async () => {
  // The test's proxy is not configured by its address, so each shop advises PUBLIC_URL.
  const complaints = shops.map(({ complained }) => complained.trimEnd().split('\n'));
  expect(complaints).toEqual([[expect.stringContaining('Set PUBLIC_URL')], [expect.stringContaining('Set PUBLIC_URL')]]);
  expect(shops.filter(({ said }) => said.includes('demo.stores.loaded'))).toHaveLength(1);
});

test('wrong passwords are counted across both shops', async () => {
  const { id } = await RetryingCustomer.signUp(shopAccess);
  const { email } = await observer.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
  const answers: number[] = [];
  for (let guess = 0; guess < 7; guess += 1)
    answers.push(
      (await fetch(urlAt(guess % 2, '/user/signin', { appid: 'web' }), { headers: basicAuth(email, 'a guess of it') })).status,
    );
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test('a call sent to both at once with one key is executed once, with the same response', async () => {
  const { id, token } = await RetryingCustomer.signUp(shopAccess);
  const [first = '', ...others] = await findTitlesMarked('<Free>false');
  const begun = await fetch(urlAt(0, '/payment/session', { titleId: first, accesstoken: token }));
  const { url, transId } = (await begun.json()) as Session;
  await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
  expect((await fetch(urlAt(1, '/purchase/title/confirm', { transactonId: transId, accesstoken: token }))).status).toBe(200);
  const card = await observer.db.selectFrom('cards').select('id').where('user_id', '=', id).executeTakeFirstOrThrow();
  for (const titleId of others.slice(0, 5)) {
    const headers = { 'idempotency-key': `one-press-${titleId}` };
    const answers = await Promise.all(
      [0, 1, 0, 1].map(async (place) => {
        const answer = await fetch(urlAt(place, '/purchase/title', { titleId, cardId: card.id, accesstoken: token }), {
          headers,
        });
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    expect(answers[0]).toMatch(/^200 .*"status":"paid"/);
    expect(new Set(answers).size).toBe(1);
  }
});

test('a session and the media addresses of one shop are valid at the other', async () => {
  const { token } = await RetryingCustomer.signUp(shopAccess);
  const [titleId = ''] = await findTitlesMarked('<Free>true');
  const bought = await fetch(urlAt(0, '/purchase/free', { titleId, accesstoken: token }));
  const { instanceId } = (await bought.json()) as { instanceId: string };
  const components = await fetch(urlAt(1, '/viewer/components', { instanceid: instanceId, accesstoken: token }));
  const { items } = (await components.json()) as { items: { id: string }[] };
  const content = items[0]?.id ?? '';
  for (const place of [0, 1]) {
    const signed = await fetch(urlAt(place, '/viewer/url', { instanceid: instanceId, content, accesstoken: token }));
    const { url } = (await signed.json()) as { url: string };
    const other = shops[1 - place]?.address ?? '';
    expect((await fetch(new URL(url, other))).status).toBe(200);
  }
});

test(
  'media addresses end at both shops within a minute of a sign-out, and of the loss of the title',
  { timeout: 120_000 },
  async () => {
    const { id, token } = await RetryingCustomer.signUp(shopAccess);
    const titleId = (await findTitlesMarked('<Free>true')).at(-1) ?? '';
    const { instanceId } = (await (await fetch(urlAt(0, '/purchase/free', { titleId, accesstoken: token }))).json()) as {
      instanceId: string;
    };
    const { email } = await observer.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
    const signedIn = await fetch(urlAt(1, '/user/signin', { appid: 'web' }), { headers: basicAuth(email, PASSWORD) });
    const other = /<IdToken>([^<]*)</.exec(await signedIn.text())?.[1] ?? '';
    const addressFor = async (accesstoken: string) => {
      const opened = await fetch(urlAt(0, '/viewer/components', { instanceid: instanceId, accesstoken }));
      const { items } = (await opened.json()) as { items: { id: string }[] };
      const query = { instanceid: instanceId, content: items[0]?.id ?? '', accesstoken };
      return ((await (await fetch(urlAt(0, '/viewer/url', query))).json()) as { url: string }).url;
    };
    const [mine, others] = [await addressFor(token), await addressFor(other)];
    const statuses = (url: string) =>
      Promise.all(shops.map(async ({ address }) => (await fetch(new URL(url, address), { method: 'HEAD' })).status));
    // Both shops cache the rights from here on.
    expect(await Promise.all([mine, others].map(statuses))).toEqual([Array(2).fill(200), Array(2).fill(200)]);
    expect((await fetch(urlAt(0, '/user/signout', { accesstoken: other }), { method: 'POST' })).status).toBe(200);
    await expect.poll(() => statuses(others), { timeout: 60_000, interval: 1000 }).toEqual([403, 403]);
    expect(await statuses(mine)).toEqual([200, 200]);
    await observer.db.deleteFrom('entitlements').where('user_id', '=', id).execute();
    await expect.poll(() => statuses(mine), { timeout: 60_000, interval: 1000 }).toEqual([403, 403]);
  },
);

test(
  'either shop or the gateway is killed at random: each purchase is charged and granted once or never',
  { timeout: 240_000 },
  async () => {
    const shop = (place: 0 | 1): Victim => ({
      isReplicated: true,
      kill() {
        aliveShops.delete(place);
        return shops[place].end('SIGKILL');
      },
      async restart() {
        shops[place] = await start(place);
        aliveShops.add(place);
      },
    });
    const itsGateway: Victim = {
      isReplicated: false,
      kill: () => gateway.end('SIGKILL'),
      async restart() {
        gateway = await startGateway(new URL(gateway.origin).port);
      },
    };
    const victims = [shop(0), shop(1), itsGateway, shop(0), shop(1), shop(0), shop(1), itsGateway];
    const bought = await buyWhileKilled(() => proxy.address, victims);
    const another = await openDatabase(database);
    try {
      // Two processes sweep at the same time.
      await runLastSweeps([observer.db, another.db], connectGateway(gateway.origin, GATEWAY_SECRET));
      await expectOnceOrNever(observer.db, join(folder, 'gateway'), bought);
    } finally {
      await another.close();
    }
  },
);
