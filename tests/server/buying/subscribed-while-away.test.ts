import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/open.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { createTestGateway } from '../../../server/payment/test-gateway.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { readJournal } from '../support/gateway-journal.ts';
import { CARD_NUMBERS, submitCardForm, type Session } from '../support/paying.ts';
import { type StartedGateway, startGatewayProcess } from '../support/started-gateway.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { STORE, RetryingCustomer } from '../support/retrying-customer.ts';

const GATEWAY_SECRET = 'what the shop and the gateway share';
const DAY_MS = 24 * 60 * 60 * 1000;

let folder: string;
let gateway: StartedGateway;
let shop: StartedShop;

const startTestShop = () =>
  startShop({
    DATA_DIR: join(folder, 'shop'),
    PORT: '0',
    PAYMENT_GATEWAY_URL: gateway.origin,
    PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
    PAYMENT_TIMEOUT: '1500',
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-away-'));
  gateway = await startGatewayProcess({ PORT: '0', GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });
  shop = await startTestShop();
});
afterAll(async () => {
  await shop.end('SIGKILL');
  await gateway.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const shopAccess = { address: () => shop.address, onSend: () => {}, waitUntilRecovered: async () => {} };
const callApi = async ({ token }: RetryingCustomer, path: string, query: Record<string, string> = {}) => {
  const search = new URLSearchParams({ shelfid: STORE, accesstoken: token, ...query });
  const response = await fetch(`${shop.address}/api/${path}?${search.toString()}`, { headers: { accept: 'application/json' } });
  return { status: response.status, text: await response.text() };
};
const readSubscriptionStatus = async (customer: RetryingCustomer): Promise<string> => {
  const { text } = await callApi(customer, 'user/subscription');
  return (JSON.parse(text) as { subscription: { status: string } | null }).subscription?.status ?? 'none';
};

/**
 * Pays for a subscription on the gateway's page while the shop is down. @returns `returnUrl`: the
 * URL that the page redirects to, with the customer and the payment session.
 */
const payWhileShopIsDown = async (): Promise<{ customer: RetryingCustomer; session: Session; returnUrl: URL }> => {
  const customer = await RetryingCustomer.signUp(shopAccess);
  const session = JSON.parse((await callApi(customer, 'checkout/subscription/session', { planId: 'monthly' })).text) as Session;
  await shop.end('SIGKILL');
  const response = await submitCardForm(session.url, CARD_NUMBERS.good);
  expect(response.status).toBe(303);
  shop = await startTestShop();
  return { customer, session, returnUrl: new URL(response.headers.get('location') ?? '') };
};

const countCharges = async ({ transId }: Session): Promise<number> => {
  const states = (await readJournal(join(folder, 'gateway'))).get(`${STORE}/${transId}`) ?? [];
  return states.filter((state) => state === 'captured').length;
};

test('a customer who pays while the shop is down and returns to the next process has subscribed once', async () => {
  const { customer, session, returnUrl } = await payWhileShopIsDown();
  expect([await readSubscriptionStatus(customer), await countCharges(session)]).toEqual(['none', 0]);
  const query = { subscriptionId: session.transId, intentId: returnUrl.searchParams.get('intentId') ?? '' };
  const responses = await Promise.all([
    callApi(customer, 'subscription/confirm', query),
    callApi(customer, 'subscription/confirm', query),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect([await readSubscriptionStatus(customer), await countCharges(session)]).toEqual(['active', 1]);
});

test('a customer who never returns is not charged, and no money stays reserved at the gateway', async () => {
  const { customer, session } = await payWhileShopIsDown();
  expect(await readSubscriptionStatus(customer)).toBe('none');
  await shop.end('SIGTERM');
  const { db, close } = await openDatabase({ kind: 'folder', folder: join(folder, 'shop') });
  try {
    const payment = createTestGateway({ origin: gateway.origin, secret: GATEWAY_SECRET, timeout: 5000 });
    const fail = (fields: object) => expect.unreachable(JSON.stringify(fields));
    const services = {
      db,
      payment,
      kinds: purchaseKinds,
      log: { debug: () => undefined, info: () => undefined, warn: fail, error: fail },
    };
    await sweep(services, new Date(Date.now() + DAY_MS + DAY_MS / 24));
  } finally {
    await close();
  }
  const states = (await readJournal(join(folder, 'gateway'))).get(`${STORE}/${session.transId}`) ?? [];
  expect([await countCharges(session), states.at(-1)]).toEqual([0, 'cancelled']);
  shop = await startTestShop();
  expect(await readSubscriptionStatus(customer)).toBe('none');
});
