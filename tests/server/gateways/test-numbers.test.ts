import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TEST_CARDS } from '../../../server/gateway/cards.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { begin, CARDS, chargesOf, confirm, holdings, pay, post, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
/** Every message that the shop has taken, in order. */
const heard: { reference: string; state: string; id: string }[] = [];
/** How many of the next messages do not come through. */
let lost = 0;

/** Stands between gateway and shop. */
const relay = createServer((request, response) => {
  void (async () => {
    const body = await text(request);
    if (lost > 0) {
      lost -= 1;
      response.writeHead(503).end();
      return;
    }
    const { 'content-type': type = '', 'gateway-signature': signature = '' } = request.headers;
    const headers = { 'content-type': type, 'gateway-signature': String(signature) };
    const { statusCode } = await shop.app.inject({ method: 'POST', url: '/webhooks/test', headers, payload: body });
    if (statusCode === 200) heard.push(JSON.parse(body) as (typeof heard)[number]);
    response.writeHead(statusCode).end();
  })();
});

beforeAll(async () => {
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const notifyUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/`;
  shop = await openShop({ news: { notifyUrl, late: 300 } });
  store = await shop.store();
});
afterAll(async () => {
  await shop.close();
  relay.closeAllConnections();
  relay.close();
});

const newsOf = (transId: string) => heard.filter(({ reference }) => reference.endsWith(`/${transId}`));
const statesOf = (transId: string): string[] => newsOf(transId).map(({ state }) => state);

const bought = { purchases: 1, copies: 1, paid: 1 };
const nothing = { purchases: 0, copies: 0, paid: 0 };

/** One charge and one copy, or neither. */
async function isOnce(customer: Customer, transId: string, isBought: boolean): Promise<void> {
  expect(await holdings(shop, customer, 'book')).toEqual(isBought ? bought : nothing);
  expect(await chargesOf(shop, transId)).toBe(isBought ? 1 : 0);
}

const beginning = async () => {
  const customer = await customerOf(shop, store);
  return { customer, ...(await begin(shop, customer, 'book')) };
};

test('every number is on the gateway’s page', async () => {
  const { url } = await beginning();
  const page = await (await fetch(url)).text();
  for (const { number } of TEST_CARDS) expect(page).toContain(number);
  expect(Object.values(CARDS).toSorted()).toEqual(TEST_CARDS.map(({ number }) => number).toSorted());
});

test('success: charged and given once, and the shop is told of it once', async () => {
  const { customer, transId, url } = await beginning();
  await pay(url, CARDS.good);
  expect((await confirm(shop, customer, transId)).status).toBe(200);
  // Each is sent by itself, so that on a busy machine either may come first.
  await vi.waitFor(() => expect(statesOf(transId).toSorted()).toEqual(['authorized', 'captured']));
  await isOnce(customer, transId, true);
});

test.each([
  ['declined', CARDS.declined, 'card_declined'],
  ['without the money', CARDS.poor, 'insufficient_funds'],
  ['that has expired', CARDS.expired, 'expired_card'],
])('a card %s: the customer is told why, nothing is charged or given', async (_, card, reason) => {
  const { customer, transId, url } = await beginning();
  await pay(url, card);
  expect(await (await fetch(url)).text()).toContain('role="alert"');
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending', reason });
  expect((await confirm(shop, customer, transId)).status).toBe(409);
  await isOnce(customer, transId, false);
});

describe('3-D Secure', () => {
  const challenged = async () => {
    const begun = await beginning();
    await pay(begun.url, CARDS.challenge);
    return begun;
  };

  test('that is passed: once', async () => {
    const { customer, transId, url } = await challenged();
    await post(`${url}/challenge`, { answer: 'approve' });
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    await isOnce(customer, transId, true);
  });

  test('that fails: nothing, and the customer is told', async () => {
    const { customer, transId, url } = await challenged();
    await post(`${url}/challenge`, { answer: 'fail' });
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending', reason: 'authentication_failed' });
    await isOnce(customer, transId, false);
  });

  test('that is abandoned: nothing, and it is let go of after a day', async () => {
    const { customer, transId } = await challenged();
    await sweep(shop.services, new Date(Date.now() + 25 * 60 * 60_000));
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'cancelled' });
    await isOnce(customer, transId, false);
  });
});

test('time-out after the charge: the shop does not know, and is told by the gateway without being asked', async () => {
  const { customer, transId, url } = await beginning();
  await pay(url, CARDS.lost);
  expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  await vi.waitFor(async () => expect(await holdings(shop, customer, 'book')).toEqual(bought));
  await isOnce(customer, transId, true);
});

describe('messages that come otherwise than they should', () => {
  const paid = async (card: string) => {
    const { customer, transId, url } = await beginning();
    await pay(url, card);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    return { customer, transId };
  };

  test('late: once', async () => {
    const { customer, transId } = await paid(CARDS.late);
    await isOnce(customer, transId, true);
    expect(statesOf(transId)).toEqual([]);
    await vi.waitFor(() => expect(statesOf(transId).toSorted()).toEqual(['authorized', 'captured']), { timeout: 5000 });
    await isOnce(customer, transId, true);
  });

  test('twice, the same message each time: once', async () => {
    const { customer, transId } = await paid(CARDS.twice);
    await vi.waitFor(() => expect(statesOf(transId).toSorted()).toEqual(['authorized', 'authorized', 'captured', 'captured']));
    expect(new Set(newsOf(transId).map(({ id }) => id)).size).toBe(2);
    await isOnce(customer, transId, true);
  });

  test('in the wrong order: once', async () => {
    const { customer, transId } = await paid(CARDS.disordered);
    await vi.waitFor(() => expect(statesOf(transId)).toEqual(['captured', 'authorized']));
    await isOnce(customer, transId, true);
  });
});

test('a message that the gateway has not signed is refused', async () => {
  const { customer, transId } = await beginning();
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
  await isOnce(customer, transId, false);
});

test('a message that nobody takes is sent again', async () => {
  const { customer, transId, url } = await beginning();
  lost = 2;
  await pay(url, CARDS.good);
  await vi.waitFor(() => expect(statesOf(transId)).toEqual(['authorized']), { timeout: 10_000 });
  expect(lost).toBe(0);
  expect((await confirm(shop, customer, transId)).status).toBe(200);
  await isOnce(customer, transId, true);
});
