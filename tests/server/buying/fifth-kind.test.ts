import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DomainError } from '../../../server/kernel/errors.ts';
import { confirm } from '../../../server/payment/confirm.ts';
import { intentFor } from '../../../server/payment/intents.ts';
import { ledgerFaults } from '../../../server/payment/ledger.ts';
import { openPayment } from '../../../server/payment/open-payment.ts';
import { insertTransaction } from '../../../server/payment/open-transaction.ts';
import type { Order } from '../../../server/payment/order.ts';
import type { PurchaseKind } from '../../../server/payment/purchase-kind.ts';
import { beginRefund, refund } from '../../../server/payment/refund.ts';
import { isOpen, reload, type Transaction } from '../../../server/payment/transactions.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { CARDS, chargesOf, pay } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Titles that are rented, by their payments. */
const rented = new Set<string>();
let isRefused = false;

/** A kind of purchase that the shop does not have. */
const rental: PurchaseKind = {
  account: 'sales',
  gone: 'titles',
  returnPath: ({ id }) => `/rental?transId=${id}`,
  receiptPath: () => '/rentals',
  refusal: async () => (isRefused ? new DomainError('conflict', 'The title is rented already.', { code: 'rented' }) : undefined),
  give: async (_, { id }) => void rented.add(id),
  withhold: async () => undefined,
  restore: async () => undefined,
  takeBack: async (_, { id }) => void rented.delete(id),
};
const kinds = { ...purchaseKinds, rental };

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  isRefused = false;
  customer = await customerOf(shop, await shop.store());
});
afterAll(() => shop.close());

const services = () => ({ ...shop.services, kinds });

/** The customer's one payment for a rental, and its page. */
async function rent(): Promise<{ transaction: Transaction; url: string }> {
  const buyer = { storeId: customer.store, userId: customer.id };
  const order: Order = {
    ...buyer,
    kind: 'rental',
    lines: [{ titleId: 'book', amountMinor: 300 }],
    currency: 'EUR',
    code: null,
    method: 'card',
    tax: null,
  };
  const transaction = await openPayment(services(), {
    refuse: async () => undefined,
    find: () =>
      shop.db
        .selectFrom('transactions')
        .selectAll()
        .where('user_id', '=', customer.id)
        .where('kind', '=', 'rental')
        .executeTakeFirst(),
    isWanted: async (found) => isOpen(found),
    releasedFor: 'price_changed',
    begin: () => insertTransaction(shop.db, shop.services.payment.provider, order),
    busy: () => new DomainError('conflict', 'The title is being rented in another window.'),
  });
  const where = { spoken: { language: 'en', main: 'en' }, origin: 'http://shop.example', acceptLanguage: 'en' } as const;
  const { url } = await intentFor(services(), { ...buyer, ...where }, { description: 'A rental' }, transaction);
  return { transaction, url };
}

test('a rental is charged once, given, booked, refunded and taken back, by its own file alone', async () => {
  const { transaction, url } = await rent();
  expect((await rent()).transaction.id).toBe(transaction.id);
  const back = (await pay(url, CARDS.good)).headers.get('location') ?? '';
  expect(back).toContain(`/rental?transId=${transaction.id}`);
  await Promise.all(Array.from({ length: 5 }, async () => confirm(services(), await reload(shop.db, transaction))));
  expect([rented.has(transaction.id), await chargesOf(shop, transaction.id)]).toEqual([true, 1]);
  expect(await ledgerFaults(shop.db)).toEqual([]);

  const done = await refund(services(), await beginRefund(services(), await reload(shop.db, transaction)));
  expect([done.status, rented.has(transaction.id)]).toEqual(['refunded', false]);
  expect(await ledgerFaults(shop.db)).toEqual([]);
});

test('a rental that its kind refuses is not charged', async () => {
  const { transaction, url } = await rent();
  await pay(url, CARDS.good);
  isRefused = true;
  await expect(confirm(services(), await reload(shop.db, transaction))).rejects.toMatchObject({ code: 'rented' });
  expect([rented.has(transaction.id), await chargesOf(shop, transaction.id)]).toEqual([false, 0]);
});
