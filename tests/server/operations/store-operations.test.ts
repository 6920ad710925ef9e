import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationInput, OperationResult } from '../../../server/admin/operation-input.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import { runStoreCommand } from '../support/deliveries.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { insertPlan } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const runInStore = (name: string, input: OperationInput = {}): Promise<OperationResult> =>
  runOperation(shop.services, name, { store, ...input });
const readFailureMessage = (name: string, input: OperationInput = {}): Promise<string> =>
  runInStore(name, input).then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
const readResponse = async (operation: string, path: string, query: Record<string, string> = {}, storeId = store) =>
  (await shop.call(operation, path, { query: { shelfid: storeId, ...query } })).value as Record<string, unknown>;

describe('stores', () => {
  const createStore = (input: OperationInput) =>
    runOperation(shop.services, 'stores create', { name: 'Plum Lane', currency: 'EUR', ...input });

  test('a created store is available at once', async () => {
    const result = await createStore({ id: 'plum', host: 'Plum.example', language: 'fr' });
    expect(result).toEqual({
      rows: [{ store: 'plum', name: 'Plum Lane', host: 'plum.example' }],
      message: 'The store plum is made.',
    });
    expect((await shop.app.inject({ url: '/config.json', headers: { host: 'plum.example' } })).json()).toMatchObject({
      storeId: 'plum',
    });
    expect(await readResponse('storeProperties', '/store/properties', {}, 'plum')).toMatchObject({ ShelfName: 'Plum Lane' });
    const { rows } = await runOperation(shop.services, 'stores list', {});
    expect(rows).toContainEqual({
      store: 'plum',
      name: 'Plum Lane',
      host: 'plum.example',
      default: 'no',
      currency: 'EUR',
      currencies: 'EUR',
      language: 'fr',
    });
  });

  test('stores have one default, the last one that was set', async () => {
    await createStore({ id: 'one', default: true });
    await createStore({ id: 'two', default: true });
    const { rows } = await runOperation(shop.services, 'stores list', {});
    expect(rows.filter((row) => row['default'] === 'yes').map((row) => row['store'])).toEqual(['two']);
  });

  test('a dry run creates no store', async () => {
    expect((await createStore({ id: 'dry', dryRun: true })).message).toBe('The store dry could be made.');
    expect((await runOperation(shop.services, 'stores list', {})).rows.map((row) => row['store'])).not.toContain('dry');
  });

  test.each([
    [{ id: 'plum' }, /There is already a store plum/],
    [{ id: 'other', host: 'plum.example' }, /The store plum already has the host plum\.example/],
    [{ id: '../x' }, /id must begin/],
    [{ id: 'x', currency: 'EURO' }, /currency must be an ISO 4217 code like EUR/],
    [{ id: 'x', language: 'tlh' }, /language must be one of/],
    [{ id: 'x', host: 'books.example:80/x' }, /must be a name without a port/],
    [{ id: 'x', name: '' }, /name must be a text/],
  ])('a store with %j is refused', async (input, message) => {
    await expect(createStore(input)).rejects.toThrow(message);
  });
});

describe('properties', () => {
  test('properties are set, unset and listed', async () => {
    const textByLanguage = { en: 'Join', fr: 'Rejoindre' };
    await runInStore('properties set', {
      properties: { ShelfColor: '#7a2e4d', SubscribeButtonText: textByLanguage, EnableTax: true },
    });
    expect(await readResponse('storeProperties', '/store/properties', { lang: 'fr' })).toMatchObject({
      ShelfColor: '#7a2e4d',
      EnableTax: true,
    });
    expect((await runInStore('properties list')).rows).toContainEqual({
      name: 'SubscribeButtonText',
      value: JSON.stringify(textByLanguage),
    });
    await runInStore('properties set', { properties: { ShelfColor: null } });
    expect((await runInStore('properties list')).rows.map(({ name }) => name)).not.toContain('ShelfColor');
    await runInStore('properties set', { properties: { ShelfColor: '#000000' }, dryRun: true });
    expect((await runInStore('properties list')).rows.map(({ name }) => name)).not.toContain('ShelfColor');
  });

  test.each([
    [{ Shelf: 'x' }, /^Unknown store property: Shelf\.$/],
    [{ ShelfName: { tlh: 'x' } }, /"tlh" is not a language of the shop/],
    [{ ShelfColor: { en: 'x' } }, /is the same in every language/],
    [{ EnableTax: 'maybe' }, /^EnableTax is maybe: expected true or false\.$/],
    ['x', /must be an object/],
  ])('the properties %j cannot be set', async (properties, message) => {
    expect(await readFailureMessage('properties set', { properties })).toMatch(message);
  });
});

describe('titles', () => {
  test('prices, categories and visibility of titles are set', async () => {
    const newStore = await shop.store();
    const setTitles = (input: OperationInput) => runOperation(shop.services, 'titles set', { store: newStore, ...input });
    await setTitles({ id: 'book, not-for-sale', price: '3.50EUR,400JPY', categories: 'essays, Sea & Salt' });
    const readListedTitles = async (query: Record<string, string>) =>
      ((await readResponse('titles', '/titles', query, newStore))['Title'] as
        | { TitleId: string; ForSale: boolean }[]
        | undefined) ?? [];
    expect((await readListedTitles({ categoryid: 'essays' })).map(({ TitleId }) => TitleId).toSorted()).toEqual([
      'book',
      'gratis',
      'not-for-sale',
    ]);
    expect((await readListedTitles({ categoryid: 'novels' })).map(({ TitleId }) => TitleId)).toEqual(['sound']);
    expect((await readListedTitles({ priceto: '3.5', categoryid: 'sea-salt' })).map(({ ForSale }) => ForSale)).toEqual([
      true,
      true,
    ]);
    await setTitles({ id: 'book', forSale: 'no', listed: 'no', credits: 3 });
    expect(await readListedTitles({ search: 'salt road' })).toEqual([]);
    const { rows } = await runOperation(shop.services, 'titles list', { store: newStore, search: 'ROAD' });
    expect(rows).toEqual([
      {
        title: 'book',
        name: 'The Salt <Road> & Other "Ways"',
        authors: "Ada O’Hara; Ben d'Arc",
        isbn: '9780306406157',
        medium: 'epub',
        price: '3.5EUR,400JPY',
        forSale: 'no',
        listed: 'no',
        credits: 3,
      },
    ]);
  });

  test('a change of several titles applies to all or none', async () => {
    expect(await readFailureMessage('titles set', { id: 'book,none', price: '1EUR' })).toMatch(/has no title none/);
    const { rows } = await runInStore('titles list');
    expect(rows.find(({ title }) => title === 'book')?.['price']).toBe('9.9EUR,1500JPY');
    await runInStore('titles set', { id: 'book', price: '1EUR', dryRun: true });
    expect((await runInStore('titles list')).rows.find(({ title }) => title === 'book')?.['price']).toBe('9.9EUR,1500JPY');
  });

  test.each([
    [{ id: 'book' }, /Name at least one property to set/],
    [{ id: ',', price: '1EUR' }, /id must name a title/],
    [{ id: 'book', price: '1' }, /an amount with its currency/],
    [{ id: 'book', price: '1EUR,2EUR' }, /two amounts in EUR/],
    [{ id: 'book', listed: 'maybe' }, /listed must be yes or no/],
    [{ id: 'not-for-sale', forSale: 'yes' }, /has no price yet/],
    [{ id: 'book', credits: -1 }, /credits must be a whole number/],
  ])('a change of titles with %j is refused', async (input, message) => {
    expect(await readFailureMessage('titles set', input)).toMatch(message);
  });
});

describe('plans', () => {
  const plan = { id: 'reader', name: 'Reader', price: '9.99EUR', period: 'month', trialDays: 14, credits: 2 };

  test('a plan is offered after the existing ones until it is withdrawn', async () => {
    const newStore = await shop.store();
    await insertPlan(shop, newStore);
    const runInNewStore = (name: string, input: OperationInput) =>
      runOperation(shop.services, name, { store: newStore, ...input });
    await runInNewStore('plans add', { ...plan, dryRun: true });
    await runInNewStore('plans add', plan);
    const readOfferedPlans = async () =>
      ((await readResponse('plans', '/plans', {}, newStore))['Plan'] as { PlanId: string }[]).map(({ PlanId }) => PlanId);
    expect(await readOfferedPlans()).toEqual(['monthly', 'reader']);
    expect((await runInNewStore('plans list', {})).rows.at(-1)).toEqual({
      plan: 'reader',
      name: 'Reader',
      price: '9.99EUR',
      period: 'month',
      trialDays: 14,
      credits: 2,
      offered: 'yes',
      opens: 0,
    });
    await runInNewStore('plans withdraw', { id: 'reader' });
    expect(await readOfferedPlans()).toEqual(['monthly']);
    await expect(runInNewStore('plans add', plan)).rejects.toThrow(/already has a plan/);
  });

  test.each([
    [{ ...plan, period: 'day' }, /period must be one of/],
    [{ ...plan, price: '1EUR,2USD' }, /one amount in one currency/],
    [{ ...plan, trialDays: 1000 }, /trialDays must be a whole number/],
    [{ ...plan, id: 'a b' }, /id must begin/],
  ])('a plan with %j is refused', async (input, message) => {
    expect(await readFailureMessage('plans add', input)).toMatch(message);
    expect(await readFailureMessage('plans withdraw', { id: 'none' })).toMatch(/has no plan none/);
  });
});

describe('campaigns', () => {
  const campaign = {
    id: 'spring',
    name: 'Spring',
    titles: 'book=4.99EUR,film',
    rewards: 'sound',
    buy: 2,
    pick: 1,
    terms: '<p>Once.</p>',
  };

  test('a campaign runs from its start until it is ended', async () => {
    await runInStore('campaigns add', { ...campaign, from: '2020-01-01', to: '2099-12-31' });
    const readCampaignStates = async () =>
      (await runInStore('campaigns list')).rows.map((row) => [row['campaign'], row['state'], row['titles']]);
    expect(await readCampaignStates()).toEqual([['spring', 'running', 3]]);
    const rows = await shop.db
      .selectFrom('campaign_titles')
      .selectAll()
      .where('store_id', '=', store)
      .orderBy('position')
      .execute();
    expect(rows.map((row) => [row.title_id, row.is_reward, row.amount_minor === null ? null : Number(row.amount_minor)])).toEqual(
      [
        ['book', false, 499],
        ['film', false, null],
        ['sound', true, null],
      ],
    );
    await runInStore('campaigns end', { id: 'spring', dryRun: true });
    expect(await readCampaignStates()).toEqual([['spring', 'running', 3]]);
    await runInStore('campaigns end', { id: 'spring' });
    expect(await readCampaignStates()).toEqual([['spring', 'over', 3]]);
    expect((await runInStore('campaigns end', { id: 'spring' })).message).toBe('The campaign spring had already ended.');
    expect(await readFailureMessage('campaigns add', campaign)).toMatch(/already has a campaign spring/);
  });

  test.each([
    [{ ...campaign, titles: 'none' }, /has no title none/],
    [{ ...campaign, titles: 'book,book' }, /named twice/],
    [{ ...campaign, titles: ' ' }, /titles must name/],
    [{ ...campaign, titles: 'book=cheap' }, /an amount with its currency/],
    [{ ...campaign, buy: undefined }, /belong together/],
    [{ ...campaign, pick: 2 }, /pick must be at most 1/],
    [{ ...campaign, from: '2090-01-01', to: '2089-01-01' }, /not before from, not 2089-01-01/],
  ])('a campaign with %j is refused', async (input, message) => {
    expect(await readFailureMessage('campaigns add', { ...input, id: 'other' })).toMatch(message);
  });
});

test.each([
  [['stores', 'create', '--id', 'x'], /stores create: required option '--name <NAME>' not specified/],
  [['properties', 'set'], /needs --set or --file/],
  [['properties', 'set', '--set', 'ShelfColor'], /expected NAME=VALUE/],
  [
    ['plans', 'add', '--id', 'x', '--name', 'X', '--price', '1EUR'],
    /plans add: required option '--period <PERIOD>' not specified/,
  ],
  [['titles', 'set', '--id', 'x', '--credits', 'some'], /not a whole number/],
])('the command %j is refused as wrong usage, with the reason', async (args, message) => {
  const result = await runStoreCommand(args, {});
  expect([result.code, result.out]).toEqual([2, '']);
  expect(result.err).toMatch(message);
});
