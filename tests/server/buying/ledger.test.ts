import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { up } from '../../../server/database/migrations/34-ledger.ts';
import { findLedgerFaults } from '../../../server/payment/ledger.ts';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { applyRemoteSubscription } from '../../../server/subscriptions/renew.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { authorizePayment, confirmPayment } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { dateInDays, insertPlan, selectSubscription, subscribe } from '../support/subscriptions.ts';

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  const store = await shop.store();
  await insertPlan(shop, store, { credits: 3 });
  customer = await createCustomer(shop, store);
});
afterEach(async () => expect(await findLedgerFaults(shop.db)).toEqual([]));
afterAll(() => shop.close());

const selectLedgerEntries = (store: string) =>
  shop.db
    .selectFrom('ledger')
    .select(['cause', 'account', 'currency', 'amount'])
    .where('store_id', '=', store)
    .orderBy('cause')
    .orderBy('account')
    .execute();

/**
 * Buys a title, subscribes, applies two renewals alternately and twice each, and spends credits,
 * with the booking repeated.
 */
async function buyAndSubscribe(): Promise<{ transId: string; subscriptionId: string }> {
  const { transId } = await authorizePayment(shop, customer, 'book');
  await Promise.all([
    confirmPayment(shop, customer, transId),
    confirmPayment(shop, customer, transId),
    confirmPayment(shop, customer, transId),
  ]);
  const subscriptionId = await subscribe(shop, customer);
  const row = await selectSubscription(shop, subscriptionId);
  const remoteSubscription = {
    id: row.provider_id ?? '',
    state: 'active' as const,
    until: dateInDays(60).getTime(),
    cancelled: false,
  };
  for (const renewals of [1, 2, 1, 2]) await applyRemoteSubscription(shop.db, row, { ...remoteSubscription, renewals });
  const owner = { storeId: customer.store, userId: customer.id };
  for (let repetition = 0; repetition < 2; repetition += 1)
    await bookCredits(shop.db, owner, { cause: 'purchase p', amount: -2 });
  return { transId, subscriptionId };
}

test('each payment, renewal, grant and spending is booked once, and a ledger rebuilt from the records is the same', async () => {
  const { transId, subscriptionId } = await buyAndSubscribe();
  const { amount_minor: price } = await shop.db
    .selectFrom('transactions')
    .select('amount_minor')
    .where('id', '=', transId)
    .executeTakeFirstOrThrow();
  const makeEntries = (cause: string, currency: string, sides: Record<string, number>) =>
    Object.entries(sides).map(([account, amount]) => ({ cause, account, currency, amount }));
  const makeRenewalCause = (number: number) => `renewal ${number} of ${subscriptionId}`;
  const makeCreditsCause = (cause: string) => `credits ${customer.id} ${cause}`;
  const expected = [
    ...makeEntries(`payment ${transId}`, 'EUR', { gateway: price, sales: -price }),
    ...makeEntries(`payment ${subscriptionId}`, 'EUR', { gateway: 900, subscriptions: -900 }),
    ...[1, 2].flatMap((number) => [
      ...makeEntries(makeRenewalCause(number), 'EUR', { gateway: 900, subscriptions: -900 }),
      ...makeEntries(makeCreditsCause(makeRenewalCause(number)), 'credits', { credits_issued: 3, customer_credits: -3 }),
    ]),
    ...makeEntries(makeCreditsCause('purchase p'), 'credits', { credits_spent: -2, customer_credits: 2 }),
  ];
  const storedEntries = await selectLedgerEntries(customer.store);
  expect(storedEntries).toHaveLength(expected.length);
  expect(storedEntries).toEqual(expect.arrayContaining(expected));
  await sql`drop table ledger`.execute(shop.db);
  await up(shop.db as unknown as Kysely<unknown>);
  expect(await selectLedgerEntries(customer.store)).toEqual(storedEntries);
});

test('the operator’s list has the account of credits, amounts in euros that add up to zero, and says that the ledger balances', async () => {
  const { rows, message } = await runOperation(shop.services, 'ledger list', { store: customer.store });
  expect(message).toBe(`The ledger of ${customer.store} balances.`);
  expect(rows).toContainEqual(expect.objectContaining({ account: 'customer_credits', currency: 'credits', amount: -4 }));
  const euros = rows.filter(({ currency }) => currency === 'EUR').map(({ amount }) => Number(amount));
  expect(euros.length).toBeGreaterThan(2);
  expect(euros.reduce((sum, amount) => sum + amount)).toBeCloseTo(0);
});

test.each([
  ['a booking without its counterpart', { account: 'gateway', amount: 5 }, /^planted is off by 5 EUR$/],
  ['a credit booking without a customer', { account: 'customer_credits', amount: 5 }, /^planted: 0 credits, the ledger has -5$/],
] as const)('%s is detected and reported to the operator', async (_, entry, expectedFault) => {
  const plantedEntry = { store_id: customer.store, cause: 'planted', currency: 'EUR', ...entry };
  await shop.db.insertInto('ledger').values(plantedEntry).execute();
  expect(await findLedgerFaults(shop.db, customer.store)).toContainEqual(expect.stringMatching(expectedFault));
  expect((await runOperation(shop.services, 'ledger list', { store: customer.store })).message).toContain('does not balance');
  await shop.db.deleteFrom('ledger').where('cause', '=', 'planted').execute();
});

test('a payment that is not booked, or is booked with another amount, is a ledger fault', async () => {
  const { cause } = await shop.db.selectFrom('ledger').select('cause').where('account', '=', 'sales').executeTakeFirstOrThrow();
  const rows = await shop.db.deleteFrom('ledger').where('cause', '=', cause).returningAll().execute();
  expect(await findLedgerFaults(shop.db, customer.store)).toEqual([expect.stringMatching(/^payment .* the ledger has nothing$/)]);
  await shop.db
    .insertInto('ledger')
    .values(rows.map((row) => ({ ...row, amount: row.amount * 2 })))
    .execute();
  expect(await findLedgerFaults(shop.db, customer.store)).toEqual([expect.stringMatching(/^payment .* charged/)]);
  await shop.db.deleteFrom('ledger').where('cause', '=', cause).execute();
  await shop.db.insertInto('ledger').values(rows).execute();
});

test('a renewal that is not booked is detected', async () => {
  const renewal = await shop.db
    .selectFrom('ledger')
    .selectAll()
    .where('cause', 'like', 'renewal 2 of %')
    .where('store_id', '=', customer.store)
    .execute();
  expect(renewal).toHaveLength(2);
  await shop.db
    .deleteFrom('ledger')
    .where('cause', '=', renewal[0]?.cause ?? '')
    .execute();
  expect(await findLedgerFaults(shop.db, customer.store)).toEqual([
    expect.stringMatching(/was renewed 2 times, the ledger has 1 renewals$/),
  ]);
  await shop.db.insertInto('ledger').values(renewal).execute();
});
