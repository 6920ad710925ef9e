import { afterAll, beforeAll, expect, test } from 'vitest';
import { shortNumber } from '../../../machines/model/buying/order-number.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { fill } from '../support/carts.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { authorized, begin, CARDS, confirm, pay, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const receiptsOf = async ({ email }: Customer) =>
  (await sentTo(shop, email)).filter(({ text }) => text?.includes('/title/purchase/success?transId='));

test('who pays for a title gets its receipt, once, however often the payment is confirmed', async () => {
  const customer = await customerOf(shop, store);
  const { transId } = await authorized(shop, customer, 'book');
  expect(await receiptsOf(customer)).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, () => confirm(shop, customer, transId)));
  const [receipt, ...others] = await receiptsOf(customer);
  expect(others).toEqual([]);
  expect(receipt?.subject).toMatch(/^Your receipt from /);
  expect(receipt?.text).toContain('The Salt <Road> & Other "Ways": €9.90');
  expect(receipt?.text).toContain('Amount paid: €9.90');
  expect(receipt?.text).toContain(`Order number: ${shortNumber(transId)}`);
  expect(receipt?.text).toContain(`/title/purchase/success?transId=${transId}`);
  expect(receipt?.html).toContain('The Salt &lt;Road&gt; &amp; Other');
});

test('a receipt speaks the language in which it was paid, and lists what was in the cart', async () => {
  const customer = await customerOf(shop, store);
  await fill(shop, customer, ['book', 'film']);
  const query = { ...customer.query };
  const begun = await shop.ask('cartSession', '/checkout/cart/session', { query, headers: { 'accept-language': 'fr' } });
  const { transId, url } = begun.value as Session;
  await pay(url, CARDS.good);
  await confirm(shop, customer, transId);
  const [receipt] = await receiptsOf(customer);
  expect(receipt?.subject).toMatch(/^Votre reçu de /);
  expect(receipt?.text).toMatch(/雨の映画\u202F: 3,50\s€/);
  expect(receipt?.text).toMatch(/Montant payé\u202F: 13,40\s€/);
});

test('what the shop books by itself is receipted, too; what is not paid is not', async () => {
  const [customer, other] = [await customerOf(shop, store), await customerOf(shop, store)];
  const { transId } = await authorized(shop, customer, 'film');
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
  const declined = await begin(shop, other, 'film');
  await pay(declined.url, CARDS.declined);
  const later = new Date(Date.now() + 60 * 60_000);
  await sweep(shop.services, later);
  expect(await receiptsOf(customer)).toHaveLength(1);
  expect(await receiptsOf(other)).toEqual([]);
});

test('nobody is written to whose account is gone', async () => {
  const customer = await customerOf(shop, store);
  const { transId } = await authorized(shop, customer, 'film');
  await confirm(shop, customer, transId);
  await shop.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', customer.id).execute();
  expect(await receiptsOf(customer)).toEqual([]);
  expect(await shop.db.selectFrom('letters').select('id').where('transaction_id', '=', transId).execute()).toEqual([]);
});
