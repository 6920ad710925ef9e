import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createGateway } from '../../../server/gateway/app.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { testGateway } from '../../../server/payment/test-gateway.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, begin, CARDS, confirm, holdings, pay, statusOf } from '../support/paying.ts';
import { journalOf } from '../support/gateway-journal.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** The gateway that the shop speaks with: its own, until a test gives it another one, which knows nothing. */
let current: PaymentPort | undefined;
const switched = (own: PaymentPort): PaymentPort => ({
  ...own,
  isUp: () => (current ?? own).isUp(),
  create: (request) => (current ?? own).create(request),
  read: (id) => (current ?? own).read(id),
  readByReference: (reference) => (current ?? own).readByReference(reference),
  capture: (id) => (current ?? own).capture(id),
  cancel: (id) => (current ?? own).cancel(id),
});

let shop: Shop;
let another: ReturnType<typeof createGateway>;
let anotherPort: PaymentPort;
let customer: Customer;
const folder = () => join(shop.folder, 'another-gateway');
beforeAll(async () => {
  shop = await openShop({ payment: switched });
  another = createGateway({ folder: folder(), secret: 'another secret' });
  await another.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(another.server.address() as AddressInfo).port}`;
  anotherPort = testGateway({ origin, secret: 'another secret', timeout: 1500 });
});
beforeEach(async () => {
  customer = await customerOf(shop, await shop.store());
});
afterEach(() => {
  current = undefined;
  vi.restoreAllMocks();
});
afterAll(async () => {
  await another.close();
  await shop.close();
});

const row = (transId: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', transId).executeTakeFirstOrThrow();
const tomorrow = () => new Date(Date.now() + 25 * 60 * 60 * 1000);

/** The states in which a payment has stood at the other gateway. */
const statesAtAnother = async (transId: string) => (await journalOf(folder())).get(`${customer.store}/${transId}`);

test('a payment that is begun anew at another gateway is charged there, once', async () => {
  const { transId } = await begin(shop, customer, 'book');
  current = anotherPort;
  const again = await begin(shop, customer, 'book');
  expect(again.transId).toBe(transId);
  await pay(again.url, CARDS.good);
  expect((await confirm(shop, customer, transId)).status).toBe(200);
  expect(await statesAtAnother(transId)).toEqual(['open', 'authorized', 'captured']);
  expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('and is released there when nobody comes back to it', async () => {
  const { transId } = await begin(shop, customer, 'book');
  current = anotherPort;
  await pay((await begin(shop, customer, 'book')).url, CARDS.good);
  await sweep(shop.services, tomorrow());
  expect(await statesAtAnother(transId)).toEqual(['open', 'authorized', 'cancelled']);
  expect(await row(transId)).toMatchObject({ status: 'cancelled', finished: true });
});

test('also when the answer about it was lost', async () => {
  const { transId } = await begin(shop, customer, 'book');
  const { intent_id: first } = await row(transId);
  current = anotherPort;
  await pay((await begin(shop, customer, 'book')).url, CARDS.good);
  // The process ended before it could write down which intent it is now.
  await shop.db.updateTable('transactions').set({ intent_id: first }).where('id', '=', transId).execute();
  await sweep(shop.services, tomorrow());
  expect(await statesAtAnother(transId)).toEqual(['open', 'authorized', 'cancelled']);
});

test('what was authorised at a gateway that is gone is still to be paid at the next', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'authorized' });
  current = anotherPort;
  const { url } = await begin(shop, customer, 'book');
  expect(await statusOf(shop, customer, transId)).toMatchObject({
    status: 'pending',
    url: expect.stringContaining(url) as string,
  });
});

test('a capture that the next gateway knows nothing of is unknown, and captured when the first is back', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'authorized' });
  current = anotherPort;
  expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  expect(await row(transId)).toMatchObject({ status: 'capturing' });
  current = undefined;
  expect((await confirm(shop, customer, transId)).status).toBe(200);
  expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('so is one that a gateway refuses', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  const { origin } = new URL((await begin(shop, customer, 'book')).url);
  current = testGateway({ origin, secret: 'not its secret', timeout: 1500 });
  expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  current = undefined;
  expect((await confirm(shop, customer, transId)).status).toBe(200);
});

test('a gateway that does not know a payment has not released it: it is asked again, and that is told of', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  const { intent_id: intent } = await row(transId);
  await shop.db
    .updateTable('transactions')
    .set({ status: 'cancelled', updated_at: new Date(Date.now() - 60 * 60 * 1000) })
    .where('id', '=', transId)
    .execute();
  current = anotherPort;
  const told = vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await sweep(shop.services);
  expect(await row(transId)).toMatchObject({ finished: false });
  expect(told.mock.calls.map(([details]) => details)).toContainEqual({ transaction: transId, intent, instead: null });
  current = undefined;
  await sweep(shop.services);
  expect(await row(transId)).toMatchObject({ finished: true });
  expect(await shop.gateway.port.read(intent ?? '')).toMatchObject({ state: 'cancelled' });
});
