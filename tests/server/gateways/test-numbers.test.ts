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
/** The number of next webhooks that the relay drops. */
let webhooksToDrop = 0;

/** Passes the gateway's webhooks to the shop; a dropped webhook is answered 503. */
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
  shop = await openShop({ webhooks: { notifyUrl, lateDelayMs: 300 } });
  store = await shop.store();
});
afterAll(async () => {
  await shop.close();
  relay.closeAllConnections();
  relay.close();
});

const listWebhooks = (transId: string) => receivedWebhooks.filter(({ reference }) => reference.endsWith(`/${transId}`));
const listWebhookStates = (transId: string): string[] => listWebhooks(transId).map(({ state }) => state);

const onePurchase = { purchases: 1, copies: 1, paid: 1 };
const noPurchase = { purchases: 0, copies: 0, paid: 0 };

/** Expects one charge and one copy, or neither. */
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

test('a payment with the success number is charged and granted once, with one webhook for each state', async () => {
  const { customer, transId, url } = await startForNewCustomer();
  await submitCardForm(url, CARD_NUMBERS.good);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  // The webhooks are sent separately: on a busy computer either may arrive first.
  await vi.waitFor(() => expect(listWebhookStates(transId).toSorted()).toEqual(['authorized', 'captured']));
  await expectOnce(customer, transId, true);
});

test.each([
  ['declined', CARD_NUMBERS.declined, 'card_declined'],
  ['with insufficient funds', CARD_NUMBERS.poor, 'insufficient_funds'],
  ['that has expired', CARD_NUMBERS.expired, 'expired_card'],
])('a payment with a card %s shows the customer the reason, and charges and grants nothing', async (_, card, reason) => {
  const { customer, transId, url } = await startForNewCustomer();
  await submitCardForm(url, card);
  expect(await (await fetch(url)).text()).toContain('role="alert"');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending', reason });
  expect((await confirmPayment(shop, customer, transId)).status).toBe(409);
  await expectOnce(customer, transId, false);
});

describe('3-D Secure', () => {
  const startChallenge = async () => {
    const payment = await startForNewCustomer();
    await submitCardForm(payment.url, CARD_NUMBERS.challenge);
    return payment;
  };

  test('an approved 3-D Secure payment is charged and granted once', async () => {
    const { customer, transId, url } = await startChallenge();
    await postFields(`${url}/challenge`, { answer: 'approve' });
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    await expectOnce(customer, transId, true);
  });

  test('a failed 3-D Secure payment charges nothing, and shows the customer the reason', async () => {
    const { customer, transId, url } = await startChallenge();
    await postFields(`${url}/challenge`, { answer: 'fail' });
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({
      status: 'pending',
      reason: 'authentication_failed',
    });
    await expectOnce(customer, transId, false);
  });

  test('an abandoned 3-D Secure payment charges nothing, and is released after a day', async () => {
    const { customer, transId } = await startChallenge();
    await sweep(shop.services, new Date(Date.now() + 25 * 60 * 60_000));
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'cancelled' });
    await expectOnce(customer, transId, false);
  });
});

test('a timeout after the charge leaves the outcome unknown until the gateway’s webhook arrives', async () => {
  const { customer, transId, url } = await startForNewCustomer();
  await submitCardForm(url, CARD_NUMBERS.lost);
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  await vi.waitFor(async () => expect(await countHoldings(shop, customer, 'book')).toEqual(onePurchase));
  await expectOnce(customer, transId, true);
});

describe('irregular webhooks', () => {
  const pay = async (card: string) => {
    const { customer, transId, url } = await startForNewCustomer();
    await submitCardForm(url, card);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    return { customer, transId };
  };

  test('a payment with late webhooks is charged and granted once', async () => {
    const { customer, transId } = await pay(CARD_NUMBERS.late);
    await expectOnce(customer, transId, true);
    expect(listWebhookStates(transId)).toEqual([]);
    await vi.waitFor(() => expect(listWebhookStates(transId).toSorted()).toEqual(['authorized', 'captured']), { timeout: 5000 });
    await expectOnce(customer, transId, true);
  });

  test('a payment with duplicate webhooks is charged and granted once', async () => {
    const { customer, transId } = await pay(CARD_NUMBERS.twice);
    await vi.waitFor(() =>
      expect(listWebhookStates(transId).toSorted()).toEqual(['authorized', 'authorized', 'captured', 'captured']),
    );
    expect(new Set(listWebhooks(transId).map(({ id }) => id)).size).toBe(2);
    await expectOnce(customer, transId, true);
  });

  test('a payment with webhooks in the wrong order is charged and granted once', async () => {
    const { customer, transId } = await pay(CARD_NUMBERS.disordered);
    await vi.waitFor(() => expect(listWebhookStates(transId)).toEqual(['captured', 'authorized']));
    await expectOnce(customer, transId, true);
  });
});

test('a webhook without the gateway’s signature is refused', async () => {
  const { customer, transId } = await startForNewCustomer();
  const body = JSON.stringify({ id: 'e1', reference: `${store}/${transId}`, state: 'captured' });
  for (const signature of ['', 't=1,v1=00', `t=${Date.now()},v1=${'0'.repeat(64)}`]) {
    const response = await shop.app.inject({
      method: 'POST',
      url: '/webhooks/test',
      headers: { 'content-type': 'application/json', 'gateway-signature': signature },
      payload: body,
    });
    expect(response.statusCode).toBe(400);
  }
  await expectOnce(customer, transId, false);
});

test('a webhook without a response is retried', async () => {
  const { customer, transId, url } = await startForNewCustomer();
  webhooksToDrop = 2;
  await submitCardForm(url, CARD_NUMBERS.good);
  await vi.waitFor(() => expect(listWebhookStates(transId)).toEqual(['authorized']), { timeout: 10_000 });
  expect(webhooksToDrop).toBe(0);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  await expectOnce(customer, transId, true);
});
