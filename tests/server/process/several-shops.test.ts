import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseAddress, type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { basic, PASSWORD } from '../support/customers.ts';
import { buyWhileKilled, expectOnceOrNever, type Victim } from '../support/kill-run.ts';
import { gatewayAt, lastSweeps } from '../support/last-sweeps.ts';
import { CARDS, pay, type Session } from '../support/paying.ts';
import { roundRobin } from '../support/round-robin.ts';
import { type StartedGateway, startGatewayAlone } from '../support/started-gateway.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { STORE, SteadfastCustomer } from '../support/steadfast-customer.ts';
import { emptyDatabase } from '../support/test-database.ts';

const GATEWAY_SECRET = 'what shops and gateway share';

let folder: string;
let database: DatabaseAddress;
let observer: OpenDatabase;
let gateway: StartedGateway;
let shops: [StartedShop, StartedShop];
/** The places of the shops that the proxy hands calls to. */
const alive = new Set([0, 1]);
let proxy: Awaited<ReturnType<typeof roundRobin>>;

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
const startGateway = (port: string) => startGatewayAlone({ PORT: port, GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-shops-'));
  database = await emptyDatabase();
  gateway = await startGateway('0');
  // Both find an empty database.
  shops = await Promise.all([start(0), start(1)]);
  proxy = await roundRobin(() => shops.filter((_, place) => alive.has(place)).map(({ address }) => address));
  observer = await openDatabase(database);
});
afterAll(async () => {
  await observer.close();
  await proxy.close();
  await Promise.all(shops.map((shop) => shop.end('SIGKILL')));
  await gateway.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const here = { address: () => proxy.address, onSend: () => {}, recovered: async () => {} };
const at = (place: number, path: string, query: Record<string, string>) =>
  `${shops[place]?.address}/api${path}?${new URLSearchParams({ shelfid: STORE, ...query }).toString()}`;

/** Titles that the shop's list says this of. */
async function titlesOf(mark: string): Promise<string[]> {
  const list = await (await fetch(at(0, '/titles', { limit: '100' }))).text();
  const marked = list.split('<Title>').filter((text) => text.includes('<ForSale>true') && text.includes(mark));
  return marked.flatMap((text) => /<TitleId>([^<]*)</.exec(text)?.[1] ?? []);
}

test('two shops that find an empty database start on it, and have its demo stores once', async () => {
  // They have a proxy before them whose address they are not given.
  const complaints = shops.map(({ complained }) => complained.trimEnd().split('\n'));
  expect(complaints).toEqual([[expect.stringContaining('Set PUBLIC_URL')], [expect.stringContaining('Set PUBLIC_URL')]]);
  expect(shops.filter(({ said }) => said.includes('Loaded the demo stores'))).toHaveLength(1);
});

test('wrong passwords count for both together', async () => {
  const { id } = await SteadfastCustomer.signedUp(here);
  const { email } = await observer.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
  const answers: number[] = [];
  for (let guess = 0; guess < 7; guess += 1)
    answers.push(
      (await fetch(at(guess % 2, '/user/signin', { appid: 'web' }), { headers: basic(email, 'a guess of it') })).status,
    );
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test('a call that is sent to both at once with one key is done once, and answered alike', async () => {
  const { id, token } = await SteadfastCustomer.signedUp(here);
  const [first = '', ...others] = await titlesOf('<Free>false');
  const begun = await fetch(at(0, '/payment/session', { titleId: first, accesstoken: token }));
  const { url, transId } = (await begun.json()) as Session;
  await pay(url, CARDS.good, { keep: 'yes' });
  expect((await fetch(at(1, '/purchase/title/confirm', { transactonId: transId, accesstoken: token }))).status).toBe(200);
  const card = await observer.db.selectFrom('cards').select('id').where('user_id', '=', id).executeTakeFirstOrThrow();
  for (const titleId of others.slice(0, 5)) {
    const headers = { 'idempotency-key': `one-press-${titleId}` };
    const answers = await Promise.all(
      [0, 1, 0, 1].map(async (place) => {
        const answer = await fetch(at(place, '/purchase/title', { titleId, cardId: card.id, accesstoken: token }), { headers });
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    expect(answers[0]).toMatch(/^200 .*"status":"paid"/);
    expect(new Set(answers).size).toBe(1);
  }
});

test('who is signed in at one is signed in at the other, and reads there what the one gave an address of', async () => {
  const { token } = await SteadfastCustomer.signedUp(here);
  const [titleId = ''] = await titlesOf('<Free>true');
  const bought = await fetch(at(0, '/purchase/free', { titleId, accesstoken: token }));
  const { instanceId } = (await bought.json()) as { instanceId: string };
  const components = await fetch(at(1, '/viewer/components', { instanceid: instanceId, accesstoken: token }));
  const { items } = (await components.json()) as { items: { id: string }[] };
  const content = items[0]?.id ?? '';
  for (const place of [0, 1]) {
    const signed = await fetch(at(place, '/viewer/url', { instanceid: instanceId, content, accesstoken: token }));
    const { url } = (await signed.json()) as { url: string };
    const other = shops[1 - place]?.address ?? '';
    expect((await fetch(new URL(url, other))).status).toBe(200);
  }
});

test(
  'media addresses end at both shops within a minute of a sign-out, and of the loss of the title',
  { timeout: 120_000 },
  async () => {
    const { id, token } = await SteadfastCustomer.signedUp(here);
    const titleId = (await titlesOf('<Free>true')).at(-1) ?? '';
    const { instanceId } = (await (await fetch(at(0, '/purchase/free', { titleId, accesstoken: token }))).json()) as {
      instanceId: string;
    };
    const { email } = await observer.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
    const signedIn = await fetch(at(1, '/user/signin', { appid: 'web' }), { headers: basic(email, PASSWORD) });
    const other = /<IdToken>([^<]*)</.exec(await signedIn.text())?.[1] ?? '';
    const addressFor = async (accesstoken: string) => {
      const opened = await fetch(at(0, '/viewer/components', { instanceid: instanceId, accesstoken }));
      const { items } = (await opened.json()) as { items: { id: string }[] };
      const query = { instanceid: instanceId, content: items[0]?.id ?? '', accesstoken };
      return ((await (await fetch(at(0, '/viewer/url', query))).json()) as { url: string }).url;
    };
    const [mine, others] = [await addressFor(token), await addressFor(other)];
    const statuses = (url: string) =>
      Promise.all(shops.map(async ({ address }) => (await fetch(new URL(url, address), { method: 'HEAD' })).status));
    // Both shops remember the rights from here on.
    expect(await Promise.all([mine, others].map(statuses))).toEqual([Array(2).fill(200), Array(2).fill(200)]);
    expect((await fetch(at(0, '/user/signout', { accesstoken: other }), { method: 'POST' })).status).toBe(200);
    await expect.poll(() => statuses(others), { timeout: 60_000, interval: 1000 }).toEqual([403, 403]);
    expect(await statuses(mine)).toEqual([200, 200]);
    await observer.db.deleteFrom('entitlements').where('user_id', '=', id).execute();
    await expect.poll(() => statuses(mine), { timeout: 60_000, interval: 1000 }).toEqual([403, 403]);
  },
);

test(
  'either is killed at random, and the gateway too: each purchase is charged and granted once or never',
  { timeout: 240_000 },
  async () => {
    const shop = (place: 0 | 1): Victim => ({
      hasTwin: true,
      kill() {
        alive.delete(place);
        return shops[place].end('SIGKILL');
      },
      async restart() {
        shops[place] = await start(place);
        alive.add(place);
      },
    });
    const itsGateway: Victim = {
      hasTwin: false,
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
      await lastSweeps([observer.db, another.db], gatewayAt(gateway.origin, GATEWAY_SECRET));
      await expectOnceOrNever(observer.db, join(folder, 'gateway'), bought);
    } finally {
      await another.close();
    }
  },
);
