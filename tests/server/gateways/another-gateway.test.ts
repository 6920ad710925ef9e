import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createGateway } from '../../../server/gateway/app.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { createTestGateway } from '../../../server/payment/test-gateway.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  authorizePayment,
  startPayment,
  CARD_NUMBERS,
  confirmPayment,
  countHoldings,
  submitCardForm,
  readSessionStatus,
} from '../support/paying.ts';
import { readJournal } from '../support/gateway-journal.ts';
import { openShop, type Shop } from '../support/shop.ts';

/**
 * The gateway that the shop uses: its own, until a test replaces it with another one without data.
 */
let activePort: PaymentPort | undefined;
const switchablePort = (own: PaymentPort): PaymentPort => ({
  ...own,
  isUp: () => (activePort ?? own).isUp(),
  create: (request) => (activePort ?? own).create(request),
  read: (id) => (activePort ?? own).read(id),
  readByReference: (reference) => (activePort ?? own).readByReference(reference),
  capture: (id) => (activePort ?? own).capture(id),
  cancel: (id) => (activePort ?? own).cancel(id),
});

let shop: Shop;
let otherGateway: ReturnType<typeof createGateway>;
let otherPort: PaymentPort;
let customer: Customer;
const folder = () => join(shop.folder, 'another-gateway');
beforeAll(async () => {
  shop = await openShop({ payment: switchablePort });
  otherGateway = createGateway({ folder: folder(), secret: 'another secret' });
  await otherGateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(otherGateway.server.address() as AddressInfo).port}`;
  otherPort = createTestGateway({ origin, secret: 'another secret', timeout: 1500 });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(() => {
  activePort = undefined;
  vi.restoreAllMocks();
});
afterAll(async () => {
  await otherGateway.close();
  await shop.close();
});

const selectTransaction = (transId: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', transId).executeTakeFirstOrThrow();
const tomorrow = () => new Date(Date.now() + 25 * 60 * 60 * 1000);

/** The states of a payment at the other gateway, in order. */
const statesAtOther = async (transId: string) => (await readJournal(folder())).get(`${customer.store}/${transId}`);

test('a payment restarted at another gateway is charged there, once', async () => {
  const { transId } = await startPayment(shop, customer, 'book');
  activePort = otherPort;
  const again = await startPayment(shop, customer, 'book');
  expect(again.transId).toBe(transId);
  await submitCardForm(again.url, CARD_NUMBERS.good);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  expect(await statesAtOther(transId)).toEqual(['open', 'authorized', 'captured']);
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('and is released there when the customer does not return', async () => {
  const { transId } = await startPayment(shop, customer, 'book');
  activePort = otherPort;
  await submitCardForm((await startPayment(shop, customer, 'book')).url, CARD_NUMBERS.good);
  await sweep(shop.services, tomorrow());
  expect(await statesAtOther(transId)).toEqual(['open', 'authorized', 'cancelled']);
  expect(await selectTransaction(transId)).toMatchObject({ status: 'cancelled', finished: true });
});

test('also when the response about it was lost', async () => {
  const { transId } = await startPayment(shop, customer, 'book');
  const { intent_id: first } = await selectTransaction(transId);
  activePort = otherPort;
  await submitCardForm((await startPayment(shop, customer, 'book')).url, CARD_NUMBERS.good);
  // The process died before it stored the new intent's id.
  await shop.db.updateTable('transactions').set({ intent_id: first }).where('id', '=', transId).execute();
  await sweep(shop.services, tomorrow());
  expect(await statesAtOther(transId)).toEqual(['open', 'authorized', 'cancelled']);
});

test('a payment authorised at a gateway that is gone can still be paid at the next one', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized' });
  activePort = otherPort;
  const { url } = await startPayment(shop, customer, 'book');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({
    status: 'pending',
    url: expect.stringContaining(url) as string,
  });
});

test('a capture unknown to the next gateway stays unknown, and is made when the first one is back', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized' });
  activePort = otherPort;
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  expect(await selectTransaction(transId)).toMatchObject({ status: 'capturing' });
  activePort = undefined;
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('so does one that a gateway refuses', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  const { origin } = new URL((await startPayment(shop, customer, 'book')).url);
  activePort = createTestGateway({ origin, secret: 'not its secret', timeout: 1500 });
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  activePort = undefined;
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
});

test('a gateway that does not know a payment has not released it: the shop logs that and asks again', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  const { intent_id: intent } = await selectTransaction(transId);
  await shop.db
    .updateTable('transactions')
    .set({ status: 'cancelled', updated_at: new Date(Date.now() - 60 * 60 * 1000) })
    .where('id', '=', transId)
    .execute();
  activePort = otherPort;
  const logError = vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await sweep(shop.services);
  expect(await selectTransaction(transId)).toMatchObject({ finished: false });
  const logged = logError.mock.calls.map(([details]) => details);
  expect(logged).toContainEqual({ store: customer.store, transaction: transId, intent, newIntent: null });
  activePort = undefined;
  await sweep(shop.services);
  expect(await selectTransaction(transId)).toMatchObject({ finished: true });
  expect(await shop.gateway.port.read(intent ?? '')).toMatchObject({ state: 'cancelled' });
});
