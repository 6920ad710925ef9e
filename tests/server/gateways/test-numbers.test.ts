import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TEST_CARDS } from '../../../server/gateway/cards.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  startPayment,
  CARD_NUMBERS,
  countCharges,
  confirmPayment,
  countHoldings,
  submitCardForm,
  postFields,
  readSessionStatus,
} from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
/** Every webhook that the shop has accepted, in order. */
const receivedWebhooks: { reference: string; state: string; id: string }[] = [];
/** How many of the next webhooks are dropped. */
let webhooksToDrop = 0;

/** A relay between gateway and shop. */
const relay = createServer((request, response) => {
  void (async () => {
    const body = await text(request);
    if (webhooksToDrop > 0) {
      webhooksToDrop -= 1;
      response.writeHead(503).end();
      return;
    }
    const { 'content-type': type = '', 'gateway-signature': signature = '' } = request.headers;
    const headers = { 'content-type': type, 'gateway-signature': String(signature) };
    const { statusCode } = await shop.app.inject({ method: 'POST', url: '/webhooks/test', headers, payload: body });
    if (statusCode === 200) receivedWebhooks.push(JSON.parse(body) as (typeof receivedWebhooks)[number]);
    response.writeHead(statusCode).end();
  })();
});

beforeAll(async () => {
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const notifyUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/`;
  shop = await openShop({ webhooks: { notifyUrl, late: 300 } });
  store = await shop.store();
});
afterAll(async () => {
  await shop.close();
  relay.closeAllConnections();
  relay.close();
});

const webhookOf = (transId: string) => receivedWebhooks.filter(({ reference }) => reference.endsWith(`/${transId}`));
const webhookStates = (transId: string): string[] => webhookOf(transId).map(({ state }) => state);

const onePurchase = { purchases: 1, copies: 1, paid: 1 };
const noPurchase = { purchases: 0, copies: 0, paid: 0 };

/** One charge and one copy, or neither. */
async function expectOnce(customer: Customer, transId: string, isBought: boolean): Promise<void> {
  expect(await countHoldings(shop, customer, 'book')).toEqual(isBought ? onePurchase : noPurchase);
  expect(await countCharges(shop, transId)).toBe(isBought ? 1 : 0);
}

const startForNewCustomer = async () => {
  const customer = await createCustomer(shop, store);
  return { customer, ...(await startPayment(shop, customer, 'book')) };
};

test('the gateway’s page lists every test number', async () => {
  const { url } = await startForNewCustomer();
  const page = await (await fetch(url)).text();
  for (const { number } of TEST_CARDS) expect(page).toContain(number);
  expect(Object.values(CARD_NUMBERS).toSorted()).toEqual(TEST_CARDS.map(({ number }) => number).toSorted());
});

test('success: charged and granted once, with one webhook for each state', async () => {
  const { customer, transId, url } = await startForNewCustomer();
  await submitCardForm(url, CARD_NUMBERS.good);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  // Each is sent separately, so that on a busy machine either may arrive first.
  await vi.waitFor(() => expect(webhookStates(transId).toSorted()).toEqual(['authorized', 'captured']));
  await expectOnce(customer, transId, true);
});

test.each([
  ['declined', CARD_NUMBERS.declined, 'card_declined'],
  ['with insufficient funds', CARD_NUMBERS.poor, 'insufficient_funds'],
  ['that has expired', CARD_NUMBERS.expired, 'expired_card'],
])('a card %s: the customer sees the reason, nothing is charged or granted', async (_, card, reason) => {
  const { customer, transId, url } = await startForNewCustomer();
  await submitCardForm(url, card);
  expect(await (await fetch(url)).text()).toContain('role="alert"');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending', reason });
  expect((await confirmPayment(shop, customer, transId)).status).toBe(409);
  await expectOnce(customer, transId, false);
});

describe('3-D Secure', () => {
  const challenged = async () => {
    const begun = await startForNewCustomer();
    await submitCardForm(begun.url, CARD_NUMBERS.challenge);
    return begun;
  };

  test('that is approved: charged and granted once', async () => {
    const { customer, transId, url } = await challenged();
    await postFields(`${url}/challenge`, { answer: 'approve' });
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    await expectOnce(customer, transId, true);
  });

  test('that fails: nothing is charged, and the customer sees the reason', async () => {
    const { customer, transId, url } = await challenged();
    await postFields(`${url}/challenge`, { answer: 'fail' });
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({
      status: 'pending',
      reason: 'authentication_failed',
    });
    await expectOnce(customer, transId, false);
  });

  test('that is abandoned: nothing is charged, and the payment is released after a day', async () => {
    const { customer, transId } = await challenged();
    await sweep(shop.services, new Date(Date.now() + 25 * 60 * 60_000));
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'cancelled' });
    await expectOnce(customer, transId, false);
  });
});

test('timeout after the charge: the outcome is unknown until the gateway’s webhook arrives', async () => {
  const { customer, transId, url } = await startForNewCustomer();
  await submitCardForm(url, CARD_NUMBERS.lost);
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  await vi.waitFor(async () => expect(await countHoldings(shop, customer, 'book')).toEqual(onePurchase));
  await expectOnce(customer, transId, true);
});

describe('irregular webhooks', () => {
  const paid = async (card: string) => {
    const { customer, transId, url } = await startForNewCustomer();
    await submitCardForm(url, card);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    return { customer, transId };
  };

  test('late ones: charged and granted once', async () => {
    const { customer, transId } = await paid(CARD_NUMBERS.late);
    await expectOnce(customer, transId, true);
    expect(webhookStates(transId)).toEqual([]);
    await vi.waitFor(() => expect(webhookStates(transId).toSorted()).toEqual(['authorized', 'captured']), { timeout: 5000 });
    await expectOnce(customer, transId, true);
  });

  test('duplicates with the same id: charged and granted once', async () => {
    const { customer, transId } = await paid(CARD_NUMBERS.twice);
    await vi.waitFor(() =>
      expect(webhookStates(transId).toSorted()).toEqual(['authorized', 'authorized', 'captured', 'captured']),
    );
    expect(new Set(webhookOf(transId).map(({ id }) => id)).size).toBe(2);
    await expectOnce(customer, transId, true);
  });

  test('in the wrong order: charged and granted once', async () => {
    const { customer, transId } = await paid(CARD_NUMBERS.disordered);
    await vi.waitFor(() => expect(webhookStates(transId)).toEqual(['captured', 'authorized']));
    await expectOnce(customer, transId, true);
  });
});

test('a webhook without the gateway’s signature is refused', async () => {
  const { customer, transId } = await startForNewCustomer();
  const body = JSON.stringify({ id: 'e1', reference: `${store}/${transId}`, state: 'captured' });
  for (const signature of ['', 't=1,v1=00', `t=${Date.now()},v1=${'0'.repeat(64)}`]) {
    const answer = await shop.app.inject({
      method: 'POST',
      url: '/webhooks/test',
      headers: { 'content-type': 'application/json', 'gateway-signature': signature },
      payload: body,
    });
    expect(answer.statusCode).toBe(400);
  }
  await expectOnce(customer, transId, false);
});

test('a webhook without a response is retried', async () => {
  const { customer, transId, url } = await startForNewCustomer();
  webhooksToDrop = 2;
  await submitCardForm(url, CARD_NUMBERS.good);
  await vi.waitFor(() => expect(webhookStates(transId)).toEqual(['authorized']), { timeout: 10_000 });
  expect(webhooksToDrop).toBe(0);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  await expectOnce(customer, transId, true);
});
