import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { CARD_NUMBERS, submitCardForm, postFields } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { insertPlan, selectSubscription, subscribe } from '../support/subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Milliseconds by which the clocks of the gateway and of the sweep are ahead. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  startSetup: (request) => (portOverrides.startSetup ?? port.startSetup)(request),
  readSubscription: (id) => (portOverrides.readSubscription ?? port.readSubscription)(id),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ gatewayNow: now, payment: createOverridablePort });
  store = await shop.store();
  await insertPlan(shop, store, { id: 'weekly', period: 'week' });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(() => {
  portOverrides = {};
  aheadMs = 0;
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const requestPortal = ({ query }: Customer, extraQuery: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  shop.call('customerPortal', '/customer/portal/session', { query: { ...query, ...extraQuery }, headers });
const openPortal = async (subscriber: Customer): Promise<string> =>
  ((await requestPortal(subscriber)).value as { url: string }).url;
const readOwnSubscription = async ({ query }: Customer) =>
  ((await shop.call('ownSubscription', '/user/subscription', { query })).value as { subscription: { status: string } | null })
    .subscription;
const advanceDays = async (days: number): Promise<void> => {
  aheadMs += days * DAY_MS;
  await sweep(shop.services, new Date(now()));
};

test('a subscription with a failed payment continues with another card, which is charged at once [S7.customer/portal/session]', async () => {
  const id = await subscribe(shop, customer, 'weekly', CARD_NUMBERS.once);
  await advanceDays(8);
  expect(await readOwnSubscription(customer)).toMatchObject({ status: 'pastDue' });
  const response = await submitCardForm(await openPortal(customer), CARD_NUMBERS.good);
  expect(response.status).toBe(303);
  expect(new URL(response.headers.get('location') ?? '').pathname).toBe('/account');
  expect(response.headers.get('location')).not.toContain('cardtoken');
  expect(await readOwnSubscription(customer)).toMatchObject({ status: 'active' });
  expect(await selectSubscription(shop, id)).toMatchObject({ status: 'active', renewals: 1 });
  await advanceDays(7);
  expect(await selectSubscription(shop, id)).toMatchObject({ status: 'active', renewals: 2 });
});

test('a declined or unapproved card leaves the subscription past due; an approved card resumes it', async () => {
  const id = await subscribe(shop, customer, 'weekly', CARD_NUMBERS.once);
  await advanceDays(8);
  const url = await openPortal(customer);
  const [page, query = ''] = url.split('?');
  expect((await submitCardForm(url, CARD_NUMBERS.declined)).headers.get('location')).toContain('/setup/');
  await submitCardForm(url, CARD_NUMBERS.challenge);
  await postFields(`${page}/challenge?${query}`, { answer: 'fail' });
  expect(await readOwnSubscription(customer)).toMatchObject({ status: 'pastDue' });
  await submitCardForm(url, CARD_NUMBERS.challenge);
  await postFields(`${page}/challenge?${query}`, { answer: 'approve' });
  expect(await readOwnSubscription(customer)).toMatchObject({ status: 'active' });
  expect(await selectSubscription(shop, id)).toMatchObject({ renewals: 1 });
});

test('the gateway’s page states the purpose of the card in the customer’s language', async () => {
  await subscribe(shop, customer, 'weekly');
  const { value } = await requestPortal(customer, {}, { 'accept-language': 'fr' });
  const text = await (await fetch((value as { url: string }).url)).text();
  expect(text).toContain('Carte de votre abonnement');
  expect(text).toContain('Utiliser cette carte');
});

test('the card page is not available without a renewing subscription', async () => {
  expect(await requestPortal(customer)).toMatchObject({ status: 404 });
  await subscribe(shop, customer, 'weekly');
  await shop.call('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
  expect(await requestPortal(customer)).toMatchObject({ status: 404 });
  expect(await requestPortal(await createCustomer(shop, store))).toMatchObject({ status: 404 });
});

test('a subscription that ends while the card page is open stays ended', async () => {
  const id = await subscribe(shop, customer, 'weekly', CARD_NUMBERS.once);
  const url = await openPortal(customer);
  await advanceDays(16);
  await submitCardForm(url, CARD_NUMBERS.good);
  await advanceDays(1);
  expect(await selectSubscription(shop, id)).toMatchObject({ status: 'ended' });
  expect(await readOwnSubscription(customer)).toMatchObject({ status: 'ended' });
});

test('without a response of the gateway, the card page is unavailable but the subscription can be read', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await subscribe(shop, customer, 'weekly', CARD_NUMBERS.once);
  await advanceDays(8);
  portOverrides = { startSetup: rejectUnknown, readSubscription: rejectUnknown };
  expect(await requestPortal(customer)).toMatchObject({ status: 502, value: { code: 'payment_unavailable' } });
  expect(await readOwnSubscription(customer)).toMatchObject({ status: 'pastDue' });
});
