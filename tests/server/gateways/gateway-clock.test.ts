import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setClockAhead } from '../../../server/base/clock/time.ts';
import { createGateway } from '../../../server/gateway/app.ts';
import { CLOCK_HEADER } from '../../../server/gateway/shop-time.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { createTestGateway } from '../../../server/payment/test-gateway.ts';
import { CARD_NUMBERS, submitCardForm } from '../support/paying.ts';

const SECRET = 'the secret of the tests';
const DAY_MS = 24 * 60 * 60_000;
const YEAR_MS = 365 * DAY_MS;

let folder: string;
let gateway: ReturnType<typeof createGateway>;
let origin: string;
let port: PaymentPort;

const startGateway = async (): Promise<void> => {
  gateway = createGateway({ folder, secret: SECRET });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  port = createTestGateway({ origin, secret: SECRET, timeout: 2500 });
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  await startGateway();
});
afterEach(async () => {
  setClockAhead(0);
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const makeIntentRequest = (reference: string) => ({
  reference,
  amountMinor: 900,
  currency: 'EUR',
  description: 'Weekly',
  shopName: 'Quay',
  returnUrl: 'http://shop.example/back',
  language: 'en',
  customer: 's1/u1',
  subscription: { amountMinor: 900, period: 'week', trialDays: 0 } as const,
});

/** Subscribes with a typed card. @returns the subscription's id at the gateway */
async function subscribe(reference: string, number = CARD_NUMBERS.good): Promise<string> {
  const { id, url } = await port.create(makeIntentRequest(reference));
  await submitCardForm(url, number);
  return (await port.capture(id)).subscription?.id ?? '';
}
const readRenewals = async (id: string) => (await port.readSubscription(id))?.renewals;

test('shops that share a gateway each have their own time', async () => {
  const [earlyId, lateId] = [await subscribe('early'), await subscribe('late')];
  setClockAhead(22 * DAY_MS);
  expect(await readRenewals(lateId)).toBe(3);
  setClockAhead(0);
  expect(await readRenewals(earlyId)).toBe(0);
  // A renewal is not undone for a shop with an earlier time.
  expect(await readRenewals(lateId)).toBe(3);
});

test('the gateway’s pages use the time of the shop that the customer came from, also after a restart', async () => {
  setClockAhead(2 * YEAR_MS);
  const id = await subscribe('ahead', CARD_NUMBERS.once);
  setClockAhead(2 * YEAR_MS + 8 * DAY_MS);
  expect(await port.readSubscription(id)).toMatchObject({ state: 'past_due', renewals: 0 });
  const shopTime = new Date(Date.now() + 2 * YEAR_MS + 8 * DAY_MS);
  const expiredMonth = `12/${shopTime.getUTCFullYear() - 1}`;
  const setup = { customer: 's1/u1', shopName: 'Quay', returnUrl: 'http://shop.example/back', language: 'en' };
  const url = await port.startSetup({ ...setup, subscription: id });
  await gateway.close();
  await startGateway();
  const path = new URL(url).pathname;
  const refusal = await submitCardForm(`${origin}${path}`, CARD_NUMBERS.good, { expiry: expiredMonth });
  expect(await (await fetch(`${origin}${path}`)).text()).toContain('This card has expired.');
  expect(refusal.headers.get('location')).toContain('/setup/');
  await submitCardForm(`${origin}${path}`, CARD_NUMBERS.good);
  // The card page itself charged the renewal: at this earlier time no renewal is due.
  setClockAhead(0);
  expect(await port.readSubscription(id)).toMatchObject({ state: 'active', renewals: 1 });
});

test('a card token expires after an hour of the shop’s clock', async () => {
  const url = await port.startSetup({ customer: 's1/u1', shopName: 'Quay', returnUrl: 'http://shop.example', language: 'en' });
  const response = await submitCardForm(url, CARD_NUMBERS.good);
  const token = new URL(response.headers.get('location') ?? '').searchParams.get('cardtoken') ?? '';
  setClockAhead(2 * 60 * 60_000);
  expect(await port.claimSetup(token, 's1/u1')).toBeUndefined();
  setClockAhead(0);
  expect(await port.claimSetup(token, 's1/u1')).toMatchObject({ last4: '4242' });
});

test.each(['soon', '-1', '1.5', '99999999999999'])('a clock offset of “%s” is refused', async (offset) => {
  const response = await fetch(`${origin}/api/subscriptions/none`, {
    headers: { authorization: `Bearer ${SECRET}`, [CLOCK_HEADER]: offset },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: `${CLOCK_HEADER} must be a number of milliseconds, like 86400000, not "${offset}".`,
  });
});

test('a caller without the secret gets no information about the clock', async () => {
  const response = await fetch(`${origin}/api/subscriptions/none`, { headers: { [CLOCK_HEADER]: 'soon' } });
  expect(response.status).toBe(401);
});
