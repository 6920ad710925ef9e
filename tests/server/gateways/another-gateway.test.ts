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

/** Replaces the shop's gateway while it is set. */
let replacementPort: PaymentPort | undefined;
const createSwitchablePort = (shopPort: PaymentPort): PaymentPort => ({
  ...shopPort,
  isUp: () => (replacementPort ?? shopPort).isUp(),
  create: (request) => (replacementPort ?? shopPort).create(request),
  read: (id) => (replacementPort ?? shopPort).read(id),
  readByReference: (reference) => (replacementPort ?? shopPort).readByReference(reference),
  capture: (id) => (replacementPort ?? shopPort).capture(id),
  cancel: (id) => (replacementPort ?? shopPort).cancel(id),
});

let shop: Shop;
let otherGateway: ReturnType<typeof createGateway>;
let otherPort: PaymentPort;
let customer: Customer;
const getFolder = () => join(shop.folder, 'another-gateway');
beforeAll(async () => {
  shop = await openShop({ payment: createSwitchablePort });
  otherGateway = createGateway({ folder: getFolder(), secret: 'another secret' });
  await otherGateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(otherGateway.server.address() as AddressInfo).port}`;
  otherPort = createTestGateway({ origin, secret: 'another secret', timeout: 1500 });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(() => {
  replacementPort = undefined;
  vi.restoreAllMocks();
});
afterAll(async () => {
  await otherGateway.close();
  await shop.close();
});

const selectTransaction = (transId: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', transId).executeTakeFirstOrThrow();
const getTomorrow = () => new Date(Date.now() + 25 * 60 * 60 * 1000);

/** @returns the states of a payment at the other gateway, in order */
const readOtherStates = async (transId: string) => (await readJournal(getFolder())).get(`${customer.store}/${transId}`);

test('a payment restarted at another gateway is charged there, once', async () => {
  const { transId } = await startPayment(shop, customer, 'book');
  replacementPort = otherPort;
  const restartedPayment = await startPayment(shop, customer, 'book');
  expect(restartedPayment.transId).toBe(transId);
  await submitCardForm(restartedPayment.url, CARD_NUMBERS.good);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  expect(await readOtherStates(transId)).toEqual(['open', 'authorized', 'captured']);
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('a payment restarted at another gateway is released there when the customer does not return', async () => {
  const { transId } = await startPayment(shop, customer, 'book');
  replacementPort = otherPort;
  await submitCardForm((await startPayment(shop, customer, 'book')).url, CARD_NUMBERS.good);
  await sweep(shop.services, getTomorrow());
  expect(await readOtherStates(transId)).toEqual(['open', 'authorized', 'cancelled']);
  expect(await selectTransaction(transId)).toMatchObject({ status: 'cancelled', finished: true });
});

test('a payment restarted at another gateway is released there also when the new intent’s id was lost', async () => {
  const { transId } = await startPayment(shop, customer, 'book');
  const { intent_id: firstIntentId } = await selectTransaction(transId);
  replacementPort = otherPort;
  await submitCardForm((await startPayment(shop, customer, 'book')).url, CARD_NUMBERS.good);
  // The process died before it stored the new intent's id.
  await shop.db.updateTable('transactions').set({ intent_id: firstIntentId }).where('id', '=', transId).execute();
  await sweep(shop.services, getTomorrow());
  expect(await readOtherStates(transId)).toEqual(['open', 'authorized', 'cancelled']);
});

test('a payment authorised at a gateway that is gone gets a payment page at the next one', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized' });
  replacementPort = otherPort;
  const { url } = await startPayment(shop, customer, 'book');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({
    status: 'pending',
    url: expect.stringContaining(url) as string,
  });
});

test('a capture that the next gateway does not know stays unknown, and is made when the first gateway is back', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized' });
  replacementPort = otherPort;
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  expect(await selectTransaction(transId)).toMatchObject({ status: 'capturing' });
  replacementPort = undefined;
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('a capture refused for a wrong secret stays unknown, and is made when the first gateway is back', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  const { origin } = new URL((await startPayment(shop, customer, 'book')).url);
  replacementPort = createTestGateway({ origin, secret: 'not its secret', timeout: 1500 });
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  replacementPort = undefined;
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
});

test('a payment unknown to a gateway does not count as released: the shop logs it and cancels it in a later sweep', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  const { intent_id: intent } = await selectTransaction(transId);
  await shop.db
    .updateTable('transactions')
    .set({ status: 'cancelled', updated_at: new Date(Date.now() - 60 * 60 * 1000) })
    .where('id', '=', transId)
    .execute();
  replacementPort = otherPort;
  const logError = vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await sweep(shop.services);
  expect(await selectTransaction(transId)).toMatchObject({ finished: false });
  const loggedDetails = logError.mock.calls.map(([details]) => details);
  const ids = { store: customer.store, customer: customer.id, transaction: transId };
  expect(loggedDetails).toContainEqual({ ...ids, intent, newIntent: null });
  replacementPort = undefined;
  await sweep(shop.services);
  expect(await selectTransaction(transId)).toMatchObject({ finished: true });
  expect(await shop.gateway.port.read(intent ?? '')).toMatchObject({ state: 'cancelled' });
});
