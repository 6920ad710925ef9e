import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Given, Told } from '../../server/admin/given.ts';
import { operate } from '../../server/admin/operations.ts';
import { up as countByIso } from '../../server/database/migrations/57-currencies.ts';
import { saveStore } from '../../server/setup/save-store.ts';
import { customerOf } from './support/customers.ts';
import { delivery, epub, operatorRuns } from './support/deliveries.ts';
import { begin, CARDS, pay } from './support/paying.ts';
import { openShop, type Shop } from './support/shop.ts';
import { storeOf } from './support/stores.ts';
import { planIn } from './support/subscriptions.ts';

const ADMIN_TOKEN = 'a token of the tests, long enough';
const demo = resolve(import.meta.dirname, '../../server/demo/media');

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => shop.close());

/** Sells in euros and yen. */
let store: string;
beforeEach(async () => {
  store = await shop.store();
});

const done = (name: string, given: Given = {}): Promise<Told> => operate(shop.services, name, { store, ...given });
const why = (name: string, given: Given = {}): Promise<string> =>
  done(name, given).then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
const currencies = async () =>
  (await operate(shop.services, 'stores list', {})).rows.find((row) => row['store'] === store)?.['currencies'];
const addressOf = () => {
  const address = shop.app.server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};
const runImport = (folder: string, ...more: string[]) =>
  operatorRuns(['import', folder, '--store', store, '--shop', addressOf(), ...more], { ADMIN_TOKEN });

/** Each way in which a price gets into a store; answers the operator's error message. */
const entries: [string, (price: string) => Promise<string>][] = [
  ['a title', (price) => why('titles set', { id: 'book', price })],
  ['a plan', (price) => why('plans add', { id: 'reader', name: 'Reader', price, period: 'month' })],
  ['a campaign', (price) => why('campaigns add', { id: 'spring', name: 'Spring', titles: `book=${price}` })],
  [
    'an import',
    async (price) => {
      const folder = await delivery({ 'a.epub': epub() });
      return (await runImport(folder, '--price', price)).err;
    },
  ],
  [
    'a line of a table',
    async (price) => {
      const folder = await delivery({ 'a.epub': epub(), 'prices.csv': `file,price\na.epub,${price}\n` });
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
      const folder = await delivery({ 'paper.pdf': await readFile(join(demo, '1016/book.pdf')), 'onix.xml': onix });
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
      return why('titles check', { title });
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
      const made = saveStore(shop.db, { ...storeOf('never'), currencies: ['JPY'], plans: [plan] });
      return made.then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
    },
  ],
];

describe.each(entries)('the price of %s', (_entry, told) => {
  test.each([
    ['4.999EUR', '4.999 EUR: an amount in EUR has at most 2 decimals, like 4.99.'],
    ['0.004EUR', '0.004 EUR: an amount in EUR has at most 2 decimals, like 0.00.'],
    ['1500.5JPY', '1500.5 JPY: an amount in JPY has no decimals, like 1500.'],
  ])('is not %s, which its currency cannot hold', async (price, message) => {
    expect(await told(price)).toContain(message.replace(/\.$/, ''));
    expect(await shop.db.selectFrom('plans').select('id').where('store_id', '=', store).execute()).toEqual([]);
    const listed = (await done('titles list')).rows.map((row) => [row['title'], row['price']]);
    expect(listed).toEqual([
      ['book', '9.9EUR,1500JPY'],
      ['film', '3.5EUR'],
      ['gratis', '0EUR'],
      ['hidden', '1EUR'],
      ['not-for-sale', ''],
      ['sound', '12EUR'],
    ]);
  });

  test('is not in a currency that the store does not sell in', async () => {
    expect(await told('4.99USD')).toMatch(
      /4\.99 USD: the store \S+ sells in EUR, JPY\. To sell in USD too: npm run store -- stores set --store \S+ --currencies EUR,JPY,USD/,
    );
  });
});

describe('the currencies of a store', () => {
  const set = (listed: string) => why('stores set', { currencies: listed });

  test('are its own and those that it has prices in, until they are set', async () => {
    expect(await currencies()).toBe('EUR,JPY');
    expect(await set('USD,EUR,JPY,BHD')).toBe('done');
    expect(await currencies()).toBe('EUR,USD,JPY,BHD');
    expect(await why('titles set', { id: 'book', price: '4.99USD,1500JPY,1.255BHD' })).toBe('done');
  });

  test('are set by the command, and not by a dry run', async () => {
    const args = ['stores', 'set', '--store', store, '--shop', addressOf(), '--currencies', 'EUR,JPY,USD'];
    expect(await operatorRuns([...args, '--dry-run'], { ADMIN_TOKEN })).toMatchObject({ code: 0 });
    expect(await currencies()).toBe('EUR,JPY');
    expect(await operatorRuns(args, { ADMIN_TOKEN })).toMatchObject({
      code: 0,
      out: `store,currencies\n${store},"EUR,JPY,USD"\n`,
    });
    expect(await currencies()).toBe('EUR,JPY,USD');
  });

  test.each([
    ['EUR,CLF', 'currencies must be codes of ISO 4217 like EUR,USD, not "CLF".'],
    ['EURO', 'currencies must be codes of ISO 4217 like EUR,USD, not "EURO".'],
    [' ', 'currencies must be codes of ISO 4217 like EUR,USD, not "".'],
    ['JPY,USD', 'currencies must include EUR, the store’s own currency, not only JPY, USD.'],
    ['EUR', 'currencies must include JPY: the title book has a price in it. Change such prices first.'],
  ])('are not %s', async (listed, message) => {
    expect(await set(listed)).toBe(message);
    expect(await currencies()).toBe('EUR,JPY');
  });

  test('keep one that a plan or a campaign has a price in', async () => {
    await set('EUR,JPY,USD,GBP');
    await planIn(shop, store, { currency: 'USD' });
    await done('campaigns add', { id: 'spring', name: 'Spring', titles: 'book=2GBP' });
    expect(await set('EUR,JPY,GBP')).toMatch(/include USD: the plan monthly has/);
    expect(await set('EUR,JPY,USD')).toMatch(/include GBP: the campaign spring has/);
    await done('plans withdraw', { id: 'monthly' });
    expect(await set('EUR,JPY,GBP')).toBe('done');
  });
});

test('a price with three decimals is listed, shown by the gateway and charged unrounded', async () => {
  await done('stores set', { currencies: 'EUR,JPY,BHD' });
  await done('titles set', { id: 'book', price: '1.255BHD' });
  const customer = await customerOf(shop, store);
  const { value } = await shop.ask('titles', '/titles', { query: { shelfid: store, search: 'salt road' } });
  expect(value).toMatchObject({ Title: [{ Prices: [{ Amount: 1.255, Currency: 'BHD' }] }] });
  const { transId, url } = await begin(shop, customer, 'book');
  expect(await (await fetch(`${url}?lang=en`)).text()).toContain('1.255');
  await pay(url, CARDS.good);
  const charged = shop.db.selectFrom('transactions').select(['amount_minor', 'currency']).where('id', '=', transId);
  expect(await charged.executeTakeFirstOrThrow()).toEqual({ amount_minor: 1255, currency: 'BHD' });
});

test('an upgrade counts amounts by ISO 4217, and lists the currencies in use', async () => {
  const undone = new Error('undone');
  const upgrade = shop.db.transaction().execute(async (trx) => {
    await sql`alter table stores drop column currencies`.execute(trx);
    await sql`update prices set currency = 'HUF' where store_id = ${store} and title_id = 'book' and currency = 'EUR'`.execute(
      trx,
    );
    await sql`insert into users (store_id, id, email, email_key, name) values (${store}, 'u1', 'a@b.test', 'a@b.test', 'A')`.execute(
      trx,
    );
    await sql`insert into transactions (store_id, id, user_id, kind, title_id, amount_minor, tax_minor, tax, currency, status, provider)
      values (${store}, 't1', 'u1', 'title', 'book', 990, 90,
        '{"rates": [{"name": "VAT", "milliPercent": 10000, "amountMinor": 90}]}', 'HUF', 'paid', 'test')`.execute(trx);
    await sql`insert into transaction_lines (store_id, transaction_id, title_id, amount_minor, tax_minor, position)
      values (${store}, 't1', 'book', 990, 90, 0)`.execute(trx);
    await countByIso(trx as unknown as Kysely<unknown>);
    const { rows } = await sql`select
      (select jsonb_agg(jsonb_build_array(currency, amount_minor) order by position) from prices
        where store_id = ${store} and title_id = 'book') as prices,
      (select sort_price from titles where store_id = ${store} and id = 'book') as sort_price,
      (select jsonb_build_array(amount_minor, tax_minor, tax #> '{rates,0,amountMinor}') from transactions where id = 't1') as payment,
      (select jsonb_build_array(amount_minor, tax_minor) from transaction_lines where transaction_id = 't1') as line,
      (select currencies from stores where id = ${store}) as currencies`.execute(trx);
    expect(rows).toEqual([
      {
        prices: [
          ['HUF', 99_000],
          ['JPY', 1500],
        ],
        sort_price: 99_000,
        payment: [99_000, 9000, 9000],
        line: [99_000, 9000],
        currencies: ['HUF', 'JPY'],
      },
    ]);
    throw undone;
  });
  await expect(upgrade).rejects.toBe(undone);
});
