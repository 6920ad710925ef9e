import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DomainError } from '../../../server/kernel/errors.ts';
import { confirmPayment } from '../../../server/payment/confirm.ts';
import { getOrCreateIntent } from '../../../server/payment/intents.ts';
import { findLedgerFaults } from '../../../server/payment/ledger.ts';
import { getOrStartPayment } from '../../../server/payment/open-payment.ts';
import { insertTransaction } from '../../../server/payment/open-transaction.ts';
import type { Order } from '../../../server/payment/order.ts';
import type { PurchaseKind } from '../../../server/payment/purchase-kind.ts';
import { beginRefund, refundTransaction } from '../../../server/payment/refund.ts';
import { isOpen, reload, type Transaction } from '../../../server/payment/transactions.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { CARD_NUMBERS, countCharges, submitCardForm } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Ids of the transactions whose rental is granted. */
const rentalTransactionIds = new Set<string>();
let isRentalRefused = false;

/** A kind of purchase that the shop does not have. */
const rental: PurchaseKind = {
  account: 'sales',
  lossKind: 'titles',
  returnPath: ({ id }) => `/rental?transId=${id}`,
  receiptPath: () => '/rentals',
  findRefusal: async () =>
    isRentalRefused ? new DomainError('conflict', 'The title is rented already.', { code: 'rented' }) : undefined,
  grant: async (_, { id }) => void rentalTransactionIds.add(id),
  withhold: async () => undefined,
  restore: async () => undefined,
  revoke: async (_, { id }) => void rentalTransactionIds.delete(id),
};
const kinds = { ...purchaseKinds, rental };

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  isRentalRefused = false;
  customer = await createCustomer(shop, await shop.store());
});
afterAll(() => shop.close());

const makeServices = () => ({ ...shop.services, kinds });

/**
 * Starts a payment for a rental, or returns the one already started, with its payment page's URL.
 */
async function startRental(): Promise<{ transaction: Transaction; url: string }> {
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
  const transaction = await getOrStartPayment(makeServices(), {
    assertPurchasable: async () => undefined,
    find: () =>
      shop.db
        .selectFrom('transactions')
        .selectAll()
        .where('user_id', '=', customer.id)
        .where('kind', '=', 'rental')
        .executeTakeFirst(),
    isReusable: async (startedTransaction) => isOpen(startedTransaction),
    releaseReason: 'price_changed',
    create: () => insertTransaction(shop.db, shop.services.payment.provider, order),
    createBusyError: () => new DomainError('conflict', 'The title is being rented in another window.'),
  });
  const requestDetails = { spoken: { language: 'en', main: 'en' }, origin: 'http://shop.example', acceptLanguage: 'en' } as const;
  const { url } = await getOrCreateIntent(
    makeServices(),
    { ...buyer, ...requestDetails },
    { description: 'A rental' },
    transaction,
  );
  return { transaction, url };
}

test('a new kind of purchase is charged, granted, booked, refunded and revoked once, without changes to the payment code', async () => {
  const { transaction, url } = await startRental();
  expect((await startRental()).transaction.id).toBe(transaction.id);
  const returnUrl = (await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location') ?? '';
  expect(returnUrl).toContain(`/rental?transId=${transaction.id}`);
  await Promise.all(Array.from({ length: 5 }, async () => confirmPayment(makeServices(), await reload(shop.db, transaction))));
  expect([rentalTransactionIds.has(transaction.id), await countCharges(shop, transaction.id)]).toEqual([true, 1]);
  expect(await findLedgerFaults(shop.db)).toEqual([]);

  const refundedTransaction = await refundTransaction(
    makeServices(),
    await beginRefund(makeServices(), await reload(shop.db, transaction)),
  );
  expect([refundedTransaction.status, rentalTransactionIds.has(transaction.id)]).toEqual(['refunded', false]);
  expect(await findLedgerFaults(shop.db)).toEqual([]);
});

test('a purchase that its kind refuses is neither granted nor charged', async () => {
  const { transaction, url } = await startRental();
  await submitCardForm(url, CARD_NUMBERS.good);
  isRentalRefused = true;
  await expect(confirmPayment(makeServices(), await reload(shop.db, transaction))).rejects.toMatchObject({ code: 'rented' });
  expect([rentalTransactionIds.has(transaction.id), await countCharges(shop, transaction.id)]).toEqual([false, 0]);
});
