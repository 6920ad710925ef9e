import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/open.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { testGateway } from '../../../server/payment/test-gateway.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { journalOf } from '../support/gateway-journal.ts';
import { CARDS, pay, type Session } from '../support/paying.ts';
import { type StartedGateway, startGatewayAlone } from '../support/started-gateway.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { STORE, SteadfastCustomer } from '../support/steadfast-customer.ts';

const GATEWAY_SECRET = 'what the shop and the gateway share';
const DAY = 24 * 60 * 60 * 1000;

let folder: string;
let gateway: StartedGateway;
let shop: StartedShop;

const start = () =>
  startShop({
    DATA_DIR: join(folder, 'shop'),
    PORT: '0',
    PAYMENT_GATEWAY_URL: gateway.origin,
    PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
    PAYMENT_TIMEOUT: '1500',
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-away-'));
  gateway = await startGatewayAlone({ PORT: '0', GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });
  shop = await start();
});
afterAll(async () => {
  await shop.end('SIGKILL');
  await gateway.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const here = { address: () => shop.address, onSend: () => {}, recovered: async () => {} };
const ask = async ({ token }: SteadfastCustomer, path: string, query: Record<string, string> = {}) => {
  const search = new URLSearchParams({ shelfid: STORE, accesstoken: token, ...query });
  const answer = await fetch(`${shop.address}/api/${path}?${search.toString()}`, { headers: { accept: 'application/json' } });
  return { status: answer.status, text: await answer.text() };
};
const statusOf = async (customer: SteadfastCustomer): Promise<string> => {
  const { text } = await ask(customer, 'user/subscription');
  return (JSON.parse(text) as { subscription: { status: string } | null }).subscription?.status ?? 'none';
};

/** Pays for a subscription on the gateway's page while there is no shop to come back to. @returns where the page leads */
const paysWhileAway = async (): Promise<{ customer: SteadfastCustomer; session: Session; back: URL }> => {
  const customer = await SteadfastCustomer.signedUp(here);
  const session = JSON.parse((await ask(customer, 'checkout/subscription/session', { planId: 'monthly' })).text) as Session;
  await shop.end('SIGKILL');
  const answer = await pay(session.url, CARDS.good);
  expect(answer.status).toBe(303);
  shop = await start();
  return { customer, session, back: new URL(answer.headers.get('location') ?? '') };
};

const chargesOf = async ({ transId }: Session): Promise<number> => {
  const states = (await journalOf(join(folder, 'gateway'))).get(`${STORE}/${transId}`) ?? [];
  return states.filter((state) => state === 'captured').length;
};

test('whoever pays at the gateway while the shop is dead and comes back to the next one has subscribed once', async () => {
  const { customer, session, back } = await paysWhileAway();
  expect([await statusOf(customer), await chargesOf(session)]).toEqual(['none', 0]);
  const query = { subscriptionId: session.transId, intentId: back.searchParams.get('intentId') ?? '' };
  const answers = await Promise.all([ask(customer, 'subscription/confirm', query), ask(customer, 'subscription/confirm', query)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect([await statusOf(customer), await chargesOf(session)]).toEqual(['active', 1]);
});

test('whoever never comes back is not charged, and nothing stays held at the gateway', async () => {
  const { customer, session } = await paysWhileAway();
  expect(await statusOf(customer)).toBe('none');
  await shop.end('SIGTERM');
  const { db, close } = await openDatabase({ kind: 'folder', folder: join(folder, 'shop') });
  try {
    const payment = testGateway({ origin: gateway.origin, secret: GATEWAY_SECRET, timeout: 5000 });
    const services = {
      db,
      payment,
      kinds: purchaseKinds,
      log: { error: (details: object) => expect.unreachable(JSON.stringify(details)) },
    };
    await sweep(services, new Date(Date.now() + DAY + DAY / 24));
  } finally {
    await close();
  }
  const states = (await journalOf(join(folder, 'gateway'))).get(`${STORE}/${session.transId}`) ?? [];
  expect([await chargesOf(session), states.at(-1)]).toEqual([0, 'cancelled']);
  shop = await start();
  expect(await statusOf(customer)).toBe('none');
});
