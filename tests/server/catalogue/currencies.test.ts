import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationInput, OperationResult } from '../../../server/admin/operation-input.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import type { Database } from '../../../server/database/open.ts';
import { up as countByIso } from '../../../server/database/migrations/57-currencies.ts';
import { saveStore } from '../../../server/setup/save-store.ts';
import { createCustomer } from '../support/customers.ts';
import { createDelivery, createEpub } from '../support/deliveries.ts';
import { openOperatorShop, type OperatorShop } from '../support/operator-shop.ts';
import { startPayment, CARD_NUMBERS, submitCardForm } from '../support/paying.ts';
import { makeStore } from '../support/stores.ts';
import { insertPlan } from '../support/subscriptions.ts';

const demoMedia = resolve(import.meta.dirname, '../../../server/demo/media');

let shop: OperatorShop;
beforeAll(async () => {
  shop = await openOperatorShop();
});
afterAll(() => shop.close());

/** The id of a store that sells in euros and yen. */
let store: string;
beforeEach(async () => {
  store = await shop.store();
});

const runInStore = (name: string, input: OperationInput = {}): Promise<OperationResult> =>
  runOperation(shop.services, name, { store, ...input });
/** Runs an operation. @returns the message of its error, or 'done' */
const runAndReadMessage = (name: string, input: OperationInput = {}): Promise<string> =>
  runInStore(name, input).then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
const readCurrencies = async () =>
  (await runOperation(shop.services, 'stores list', {})).rows.find((row) => row['store'] === store)?.['currencies'];
const runImport = (folder: string, ...options: string[]) => shop.run('import', folder, '--store', store, ...options);

/** The ways to enter a price into a store; each returns the error message, or 'done'. */
const priceEntries: [string, (price: string) => Promise<string>][] = [
  ['a title', (price) => runAndReadMessage('titles set', { id: 'book', price })],
  ['a plan', (price) => runAndReadMessage('plans add', { id: 'reader', name: 'Reader', price, period: 'month' })],
  ['a campaign', (price) => runAndReadMessage('campaigns add', { id: 'spring', name: 'Spring', titles: `book=${price}` })],
  [
    'an import',
    async (price) => {
      const folder = await createDelivery({ 'a.epub': createEpub() });
      return (await runImport(folder, '--price', price)).err;
    },
  ],
  [
    'a row of a table',
    async (price) => {
      const folder = await createDelivery({ 'a.epub': createEpub(), 'prices.csv': `file,price\na.epub,${price}\n` });
      return (await runImport(folder, '--prices', join(folder, 'prices.csv'))).err;
    },
  ],
  [
    'an ONIX message',
    async (price) => {
      const [amount, currency] = [price.slice(0, -3), price.slice(-3)];
      const onix = `<ONIXMessage release="3.0"><Product><RecordReference>paper</RecordReference><ProductSupply><SupplyDetail>
        <Price><PriceType>02</PriceType><PriceAmount>${amount}</PriceAmount><CurrencyCode>${currency}</CurrencyCode></Price>
        </SupplyDetail></ProductSupply></Product></ONIXMessage>`;
      const folder = await createDelivery({ 'paper.pdf': await readFile(join(demoMedia, '1016/book.pdf')), 'onix.xml': onix });
      return (await runImport(folder, '--onix', join(folder, 'onix.xml'))).err;
    },
  ],
  [
    'an imported title',
    async (price) => {
      const title = {
        keys: ['urn:x:1'],
        medium: 'epub',
        name: 'Quay',
        items: [{ id: '1', name: 'Quay', file: `book-${'0'.repeat(32)}.epub`, mimeType: 'application/epub+zip' }],
        files: [{ name: `book-${'0'.repeat(32)}.epub`, size: 1 }],
        prices: [{ amount: Number(price.slice(0, -3)), currency: price.slice(-3) }],
      };
      return runAndReadMessage('titles check', { title });
    },
  ],
  [
    'a new store',
    async (price) => {
      const plan = {
        id: 'reader',
        name: 'Reader',
        price: { amount: Number(price.slice(0, -3)), currency: price.slice(-3) },
        period: 'month' as const,
      };
      const savePromise = saveStore(shop.db, { ...makeStore('never'), currencies: ['JPY'], plans: [plan] });
      return savePromise.then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
    },
  ],
];

describe.each(priceEntries)('the price of %s', (_entry, enterPrice) => {
  test.each([
    ['4.999EUR', '4.999 EUR: an amount in EUR has at most 2 decimals, like 4.99.'],
    ['0.004EUR', '0.004 EUR: an amount in EUR has at most 2 decimals, like 0.00.'],
    ['1500.5JPY', '1500.5 JPY: an amount in JPY has no decimals, like 1500.'],
  ])('a price is refused when its currency has fewer decimals: %s', async (price, message) => {
    expect(await enterPrice(price)).toContain(message.replace(/\.$/, ''));
    expect(await shop.db.selectFrom('plans').select('id').where('store_id', '=', store).execute()).toEqual([]);
    const pricesByTitle = (await runInStore('titles list')).rows.map((row) => [row['title'], row['price']]);
    expect(pricesByTitle).toEqual([
      ['book', '9.9EUR,1500JPY'],
      ['film', '3.5EUR'],
      ['gratis', '0EUR'],
      ['hidden', '1EUR'],
      ['not-for-sale', ''],
      ['sound', '12EUR'],
    ]);
  });

  test('a price is refused in a currency that the store does not sell in', async () => {
    expect(await enterPrice('4.99USD')).toMatch(
      /4\.99 USD: the store \S+ sells in EUR, JPY\. To sell in USD too: npm run store -- stores set --store \S+ --currencies EUR,JPY,USD/,
    );
  });
});

describe('the currencies of a store', () => {
  const setCurrencies = (currencies: string) => runAndReadMessage('stores set', { currencies });

  test('a store’s currencies are its own and those of its prices, until they are set', async () => {
    expect(await readCurrencies()).toBe('EUR,JPY');
    expect(await setCurrencies('USD,EUR,JPY,BHD')).toBe('done');
    expect(await readCurrencies()).toBe('EUR,USD,JPY,BHD');
    expect(await runAndReadMessage('titles set', { id: 'book', price: '4.99USD,1500JPY,1.255BHD' })).toBe('done');
  });

  test('a store’s currencies are set by the command, but not by its dry run', async () => {
    const args = ['stores', 'set', '--store', store, '--currencies', 'EUR,JPY,USD'];
    expect(await shop.run(...args, '--dry-run')).toMatchObject({ code: 0 });
    expect(await readCurrencies()).toBe('EUR,JPY');
    expect(await shop.run(...args)).toMatchObject({
      code: 0,
      out: `store,currencies\n${store},"EUR,JPY,USD"\n`,
    });
    expect(await readCurrencies()).toBe('EUR,JPY,USD');
  });

  test.each([
    ['EUR,CLF', 'currencies must be codes of ISO 4217 like EUR,USD, not "CLF".'],
    ['EURO', 'currencies must be codes of ISO 4217 like EUR,USD, not "EURO".'],
    [' ', 'currencies must be codes of ISO 4217 like EUR,USD, not "".'],
    ['JPY,USD', 'currencies must include EUR, the store’s own currency, not only JPY, USD.'],
    ['EUR', 'currencies must include JPY: the title book has a price in it. Change such prices first.'],
  ])('a store’s currencies cannot be set to “%s”', async (currencies, message) => {
    expect(await setCurrencies(currencies)).toBe(message);
    expect(await readCurrencies()).toBe('EUR,JPY');
  });

  test('a store’s currencies must include that of each plan and campaign', async () => {
    await setCurrencies('EUR,JPY,USD,GBP');
    await insertPlan(shop, store, { currency: 'USD' });
    await runInStore('campaigns add', { id: 'spring', name: 'Spring', titles: 'book=2GBP' });
    expect(await setCurrencies('EUR,JPY,GBP')).toMatch(/include USD: the plan monthly has/);
    expect(await setCurrencies('EUR,JPY,USD')).toMatch(/include GBP: the campaign spring has/);
    await runInStore('plans withdraw', { id: 'monthly' });
    expect(await setCurrencies('EUR,JPY,GBP')).toBe('done');
  });
});

test('a price with three decimals is listed, shown by the gateway and recorded in the transaction unrounded', async () => {
  await runInStore('stores set', { currencies: 'EUR,JPY,BHD' });
  await runInStore('titles set', { id: 'book', price: '1.255BHD' });
  const customer = await createCustomer(shop, store);
  const { value } = await shop.call('titles', '/titles', { query: { shelfid: store, search: 'salt road' } });
  expect(value).toMatchObject({ Title: [{ Prices: [{ Amount: 1.255, Currency: 'BHD' }] }] });
  const { transId, url } = await startPayment(shop, customer, 'book');
  expect(await (await fetch(`${url}?lang=en`)).text()).toContain('1.255');
  await submitCardForm(url, CARD_NUMBERS.good);
  const chargeQuery = shop.db.selectFrom('transactions').select(['amount_minor', 'currency']).where('id', '=', transId);
  expect(await chargeQuery.executeTakeFirstOrThrow()).toEqual({ amount_minor: 1255, currency: 'BHD' });
});

/**
 * Inserts a row into every table that has amounts, in a currency of which amounts were whole units
 * before the migration.
 */
const seedAmounts = async (trx: Database, currency: string, titleId: string): Promise<void> => {
  const rowKey = { store_id: store, id: currency };
  const [money, user] = [{ amount_minor: 990, currency }, { user_id: `user-${currency}` }];
  const address = `${user.user_id}@books.test`;
  const tax = { country: 'HU', region: '', rates: [{ name: 'VAT', milliPercent: 10_000, amountMinor: 90 }] };
  const subscription = { ...user, store_id: store, plan_id: currency, provider: 'test' };
  const change = { store_id: store, number: 1, plan_id: currency, starts: 'now' } as const;
  const titleKey = { store_id: store, title_id: titleId };
  await trx
    .updateTable('prices')
    .set(money)
    .where((eb) => eb.and({ ...titleKey, currency: 'EUR' }))
    .execute();
  await trx
    .updateTable('titles')
    .set({ sort_price: 990 })
    .where((eb) => eb.and({ store_id: store, id: titleId }))
    .execute();
  await trx
    .insertInto('users')
    .values({ store_id: store, id: user.user_id, email: address, email_key: address, name: 'A' })
    .execute();
  await trx
    .insertInto('plans')
    .values({ ...rowKey, ...money, name: 'Reader', period: 'month' })
    .execute();
  await trx
    .insertInto('campaigns')
    .values({ ...rowKey, name: 'Spring' })
    .execute();
  await trx
    .insertInto('campaign_titles')
    .values({ ...titleKey, ...money, campaign_id: currency })
    .execute();
  await trx
    .insertInto('transactions')
    .values({
      ...rowKey,
      ...user,
      ...money,
      kind: 'subscription',
      plan_id: currency,
      tax_minor: 90,
      refunded_minor: 10,
      tax: JSON.stringify(tax),
      status: 'paid',
      provider: 'test',
      details: JSON.stringify({ amountMinor: 980, period: 'month' }),
    })
    .execute();
  await trx
    .insertInto('transaction_lines')
    .values({ ...titleKey, transaction_id: currency, amount_minor: 900, tax_minor: 90, position: 0 })
    .execute();
  await trx
    .insertInto('purchases')
    .values({ ...rowKey, ...user, ...money, title_id: titleId, kind: 'payment', transaction_id: currency, tax_minor: 90 })
    .execute();
  await trx
    .insertInto('subscriptions')
    .values([
      { ...subscription, ...money, id: `agreed-${currency}`, status: 'active', period: 'month', refunded_minor: 20 },
      { ...subscription, id: `plan's-${currency}`, status: 'ended', refunded_minor: 30 },
    ])
    .execute();
  await trx
    .insertInto('plan_changes')
    .values({
      ...change,
      ...money,
      subscription_id: `agreed-${currency}`,
      id: currency,
      period: 'month',
      counted_at: new Date(),
      charged_minor: 40,
    })
    .execute();
  const ledgerEntry = { store_id: store, cause: 'payment', currency };
  await trx
    .insertInto('ledger')
    .values([
      { ...ledgerEntry, account: 'gateway', amount: 990 },
      { ...ledgerEntry, account: 'sales', amount: -990 },
    ])
    .execute();
};

/** Reads the current amounts of the rows that `seedAmounts` inserted, by table. */
const readAmounts = async (trx: Database, currency: string): Promise<unknown> => {
  const { rows } = await sql<{ amounts: unknown }>`with own as (select ${store}::text as store_id, ${currency}::text as currency)
    select jsonb_build_object(
      'prices', (select jsonb_agg(jsonb_build_array(amount_minor, sort_price)) from own join prices using (store_id, currency)
        join titles on titles.store_id = prices.store_id and titles.id = title_id),
      'plans', (select jsonb_agg(amount_minor) from own join plans using (store_id, currency)),
      'campaign_titles', (select jsonb_agg(amount_minor) from own join campaign_titles using (store_id, currency)),
      'transactions', (select jsonb_agg(jsonb_build_array(amount_minor, tax_minor, refunded_minor,
        tax #> '{rates,0,amountMinor}', details -> 'amountMinor')) from own join transactions using (store_id, currency)),
      'transaction_lines', (select jsonb_agg(jsonb_build_array(amount_minor, tax_minor))
        from own join transaction_lines on transaction_lines.store_id = own.store_id and transaction_id = own.currency),
      'purchases', (select jsonb_agg(jsonb_build_array(amount_minor, tax_minor)) from own join purchases using (store_id, currency)),
      'subscriptions', (select jsonb_agg(jsonb_build_array(amount_minor, refunded_minor) order by id)
        from own join subscriptions on subscriptions.store_id = own.store_id and plan_id = own.currency),
      'plan_changes', (select jsonb_agg(jsonb_build_array(amount_minor, charged_minor))
        from own join plan_changes using (store_id, currency)),
      'ledger', (select jsonb_agg(amount order by account) from own join ledger using (store_id, currency))
    ) as amounts`.execute(trx);
  return rows[0]?.amounts;
};

test('a migration converts every amount to ISO 4217 units, and lists the currencies in use', async () => {
  const rollback = new Error('roll back');
  const upgrade = shop.db.transaction().execute(async (trx) => {
    await sql`alter table stores drop column currencies`.execute(trx);
    await seedAmounts(trx, 'HUF', 'book');
    await seedAmounts(trx, 'IQD', 'sound');
    await countByIso(trx as unknown as Kysely<unknown>);
    for (const [currency, factor] of [
      ['HUF', 100],
      ['IQD', 1000],
    ] as const) {
      const multiply = (...amounts: (number | null)[]) => amounts.map((amount) => (amount === null ? null : amount * factor));
      expect(await readAmounts(trx, currency)).toEqual({
        prices: [multiply(990, 990)],
        plans: multiply(990),
        campaign_titles: multiply(990),
        transactions: [multiply(990, 90, 10, 90, 980)],
        transaction_lines: [multiply(900, 90)],
        purchases: [multiply(990, 90)],
        subscriptions: [multiply(990, 20), multiply(null, 30)],
        plan_changes: [multiply(990, 40)],
        ledger: multiply(990, -990),
      });
    }
    const { rows } =
      await sql`select currencies, (select jsonb_agg(jsonb_build_array(currency, amount_minor) order by currency, title_id)
      from prices where store_id = ${store} and currency in ('EUR', 'JPY')) as others from stores where id = ${store}`.execute(
        trx,
      );
    const otherPrices = [
      ['EUR', 350],
      ['EUR', 0],
      ['EUR', 100],
      ['JPY', 1500],
    ];
    expect(rows).toEqual([{ currencies: ['HUF', 'IQD', 'JPY'], others: otherPrices }]);
    throw rollback;
  });
  await expect(upgrade).rejects.toBe(rollback);
});
