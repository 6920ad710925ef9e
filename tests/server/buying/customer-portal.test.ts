import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { CARDS, pay, post } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { planIn, rowOf, subscribe } from '../support/subscriptions.ts';

const DAY = 24 * 60 * 60_000;

/** How far the clocks of the gateway and of the sweep are ahead. */
let ahead = 0;
const now = () => Date.now() + ahead;
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  startSetup: (request) => (trouble.startSetup ?? port.startSetup)(request),
  readSubscription: (id) => (trouble.readSubscription ?? port.readSubscription)(id),
});
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ gatewayNow: now, payment: troubled });
  store = await shop.store();
  await planIn(shop, store, { id: 'weekly', period: 'week' });
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterEach(() => {
  trouble = {};
  ahead = 0;
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const portal = ({ query }: Customer, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  shop.ask('customerPortal', '/customer/portal/session', { query: { ...query, ...more }, headers });
const pageOf = async (who: Customer): Promise<string> => ((await portal(who)).value as { url: string }).url;
const own = async ({ query }: Customer) =>
  ((await shop.ask('ownSubscription', '/user/subscription', { query })).value as { subscription: { status: string } | null })
    .subscription;
const passes = async (days: number): Promise<void> => {
  ahead += days * DAY;
  await sweep(shop.services, new Date(now()));
};

test('a subscription whose payment has failed goes on with another card, charged at once [S7.customer/portal/session]', async () => {
  const id = await subscribe(shop, customer, 'weekly', CARDS.once);
  await passes(8);
  expect(await own(customer)).toMatchObject({ status: 'pastDue' });
  const back = await pay(await pageOf(customer), CARDS.good);
  expect(back.status).toBe(303);
  expect(new URL(back.headers.get('location') ?? '').pathname).toBe('/account');
  expect(back.headers.get('location')).not.toContain('cardtoken');
  expect(await own(customer)).toMatchObject({ status: 'active' });
  expect(await rowOf(shop, id)).toMatchObject({ status: 'active', renewals: 1 });
  await passes(7);
  expect(await rowOf(shop, id)).toMatchObject({ status: 'active', renewals: 2 });
});

test('the bank may ask; a declined card and one that is not approved change nothing', async () => {
  const id = await subscribe(shop, customer, 'weekly', CARDS.once);
  await passes(8);
  const url = await pageOf(customer);
  const [page, query = ''] = url.split('?');
  expect((await pay(url, CARDS.declined)).headers.get('location')).toContain('/setup/');
  await pay(url, CARDS.challenge);
  await post(`${page}/challenge?${query}`, { answer: 'fail' });
  expect(await own(customer)).toMatchObject({ status: 'pastDue' });
  await pay(url, CARDS.challenge);
  await post(`${page}/challenge?${query}`, { answer: 'approve' });
  expect(await own(customer)).toMatchObject({ status: 'active' });
  expect(await rowOf(shop, id)).toMatchObject({ renewals: 1 });
});

test('the page says in the customer’s language what the card is for', async () => {
  await subscribe(shop, customer, 'weekly');
  const { value } = await portal(customer, {}, { 'accept-language': 'fr' });
  const text = await (await fetch((value as { url: string }).url)).text();
  expect(text).toContain('Carte de votre abonnement');
  expect(text).toContain('Utiliser cette carte');
});

test('without a subscription that is renewed there is no such page', async () => {
  expect(await portal(customer)).toMatchObject({ status: 404 });
  await subscribe(shop, customer, 'weekly');
  await shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
  expect(await portal(customer)).toMatchObject({ status: 404 });
  expect(await portal(await customerOf(shop, store))).toMatchObject({ status: 404 });
});

test('one that has ended while the page was open stays ended', async () => {
  const id = await subscribe(shop, customer, 'weekly', CARDS.once);
  const url = await pageOf(customer);
  await passes(16);
  await pay(url, CARDS.good);
  await passes(1);
  expect(await rowOf(shop, id)).toMatchObject({ status: 'ended' });
  expect(await own(customer)).toMatchObject({ status: 'ended' });
});

test('a gateway that does not answer is said, and nobody waits for it to see a subscription', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await subscribe(shop, customer, 'weekly', CARDS.once);
  await passes(8);
  trouble = { startSetup: silent, readSubscription: silent };
  expect(await portal(customer)).toMatchObject({ status: 502, value: { code: 'payment_unavailable' } });
  expect(await own(customer)).toMatchObject({ status: 'pastDue' });
});
