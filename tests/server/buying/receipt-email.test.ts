import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatOrderNumber } from '../../../machines/model/buying/order-number.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { fillCart } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { authorizePayment, startPayment, CARD_NUMBERS, confirmPayment, submitCardForm, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const readReceiptEmails = async ({ email }: Customer) =>
  (await readEmailsTo(shop, email)).filter(({ text }) => text?.includes('/title/purchase/success?transId='));

test('a customer who pays for a title gets its receipt once, however often the payment is confirmed', async () => {
  const customer = await createCustomer(shop, store);
  const { transId } = await authorizePayment(shop, customer, 'book');
  expect(await readReceiptEmails(customer)).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, () => confirmPayment(shop, customer, transId)));
  const [receipt, ...otherEmails] = await readReceiptEmails(customer);
  expect(otherEmails).toEqual([]);
  expect(receipt?.subject).toMatch(/^Your receipt from /);
  expect(receipt?.text).toContain('The Salt <Road> & Other "Ways": €9.90');
  expect(receipt?.text).toContain('Amount paid: €9.90');
  expect(receipt?.text).toContain(`Order number: ${formatOrderNumber(transId)}`);
  expect(receipt?.text).toContain(`/title/purchase/success?transId=${transId}`);
  expect(receipt?.html).toContain('The Salt &lt;Road&gt; &amp; Other');
});

test('a receipt is in the language of the purchase, and lists the titles of the cart', async () => {
  const customer = await createCustomer(shop, store);
  await fillCart(shop, customer, ['book', 'film']);
  const query = { ...customer.query };
  const sessionResponse = await shop.call('cartSession', '/checkout/cart/session', {
    query,
    headers: { 'accept-language': 'fr' },
  });
  const { transId, url } = sessionResponse.value as Session;
  await submitCardForm(url, CARD_NUMBERS.good);
  await confirmPayment(shop, customer, transId);
  const [receipt] = await readReceiptEmails(customer);
  expect(receipt?.subject).toMatch(/^Votre reçu de /);
  expect(receipt?.text).toMatch(/雨の映画\u202F: 3,50\s€/);
  expect(receipt?.text).toMatch(/Montant payé\u202F: 13,40\s€/);
});

test('a payment that the sweep completes gets a receipt by e-mail; an unpaid payment gets none', async () => {
  const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
  const { transId } = await authorizePayment(shop, customer, 'film');
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
  const declinedPayment = await startPayment(shop, otherCustomer, 'film');
  await submitCardForm(declinedPayment.url, CARD_NUMBERS.declined);
  const inOneHour = new Date(Date.now() + 60 * 60_000);
  await sweep(shop.services, inOneHour);
  expect(await readReceiptEmails(customer)).toHaveLength(1);
  expect(await readReceiptEmails(otherCustomer)).toEqual([]);
});

test('a deleted account gets no receipt by e-mail', async () => {
  const customer = await createCustomer(shop, store);
  const { transId } = await authorizePayment(shop, customer, 'film');
  await confirmPayment(shop, customer, transId);
  await shop.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', customer.id).execute();
  expect(await readReceiptEmails(customer)).toEqual([]);
  expect(await shop.db.selectFrom('letters').select('id').where('transaction_id', '=', transId).execute()).toEqual([]);
});
