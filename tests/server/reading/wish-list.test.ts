import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

type Change = { titleId: string; isSaved: boolean; savedAt?: string };

const readWishList = (customer: Customer) => shop.call('wishList', '/user/wishlist', { query: customer.query });
const changeWishList = (customer: Customer, ...changes: Change[]) =>
  shop.call('changeWishList', '/user/wishlist', { query: customer.query, body: { changes } });
const getIds = ({ value }: { value: unknown }): string[] =>
  (value as { titles: { titleId: string }[] }).titles.map(({ titleId }) => titleId);
const savedChange = (titleId: string, savedAt?: string): Change => ({ titleId, isSaved: true, ...(savedAt && { savedAt }) });

describe('wish lists', () => {
  test('a wish list has each saved title once, the latest first', async () => {
    const customer = await createCustomer(shop, store);
    expect(getIds(await readWishList(customer))).toEqual([]);
    const response = await changeWishList(
      customer,
      savedChange('book', '2026-01-02T00:00:00Z'),
      savedChange('sound', '2026-01-03T00:00:00Z'),
    );
    expect(response.value).toEqual({
      titles: [
        { titleId: 'sound', savedAt: '2026-01-03T00:00:00.000Z' },
        { titleId: 'book', savedAt: '2026-01-02T00:00:00.000Z' },
      ],
    });
    expect(getIds(await changeWishList(customer, savedChange('book'), savedChange('book')))).toEqual(['sound', 'book']);
    expect(getIds(await changeWishList(customer, savedChange('film')))).toEqual(['film', 'sound', 'book']);
    expect(getIds(await readWishList(customer))).toEqual(['film', 'sound', 'book']);
  });

  test('a wish list loses removed titles, and applies the later of two changes', async () => {
    const customer = await createCustomer(shop, store);
    await changeWishList(customer, savedChange('book'), savedChange('film'));
    expect(getIds(await changeWishList(customer, { titleId: 'book', isSaved: false }))).toEqual(['film']);
    expect(getIds(await changeWishList(customer, { titleId: 'book', isSaved: false }))).toEqual(['film']);
    expect(getIds(await changeWishList(customer, savedChange('book'), { titleId: 'book', isSaved: false }))).toEqual(['film']);
  });

  test('a wish list is neither visible to other customers nor changed by them', async () => {
    const [listOwner, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    await changeWishList(listOwner, savedChange('book'));
    expect(getIds(await readWishList(otherCustomer))).toEqual([]);
    await changeWishList(otherCustomer, { titleId: 'book', isSaved: false });
    expect(getIds(await readWishList(listOwner))).toEqual(['book']);
  });

  test('a wish list leaves out unknown and withdrawn titles, and replaces a date in the future', async () => {
    const ownStore = await shop.store();
    const customer = await createCustomer(shop, ownStore);
    const response = await changeWishList(
      customer,
      savedChange('nowhere'),
      savedChange('book', '2999-01-01T00:00:00Z'),
      savedChange('film', 'no date'),
    );
    expect(getIds(response).toSorted()).toEqual(['book', 'film']);
    for (const { savedAt } of (response.value as { titles: { savedAt: string }[] }).titles)
      expect(Date.parse(savedAt)).toBeLessThanOrEqual(Date.now());
    const titles = shop.db.updateTable('titles').where('store_id', '=', ownStore).where('id', '=', 'book');
    await titles.set({ listed: false }).execute();
    expect(getIds(await readWishList(customer))).toEqual(['film']);
    await titles.set({ listed: true }).execute();
    expect(getIds(await readWishList(customer))).toHaveLength(2);
    await shop.db.deleteFrom('titles').where('store_id', '=', ownStore).where('id', '=', 'film').execute();
    expect(getIds(await readWishList(customer))).toEqual(['book']);
  });

  test('a wish list holds at most five hundred titles, however many requests save at once', async () => {
    const ownStore = await shop.store();
    const customer = await createCustomer(shop, ownStore);
    const book = await shop.db
      .selectFrom('titles')
      .select(['type', 'media'])
      .where('store_id', '=', ownStore)
      .where('id', '=', 'book')
      .executeTakeFirstOrThrow();
    const newTitles = Array.from({ length: 510 }, (_each, index) => ({
      store_id: ownStore,
      id: `more-${index}`,
      type: book.type,
      media: book.media,
      name: `More ${index}`,
      sort_name: `more ${index}`,
    }));
    await shop.db.insertInto('titles').values(newTitles).execute();
    const makeDate = (dayIndex: number): string => new Date(Date.UTC(2020, 0, 1 + dayIndex)).toISOString();
    const makeChanges = (start: number, end: number): Change[] =>
      newTitles.slice(start, end).map(({ id }, index) => savedChange(id, makeDate(start + index)));
    expect(getIds(await changeWishList(customer, ...makeChanges(0, 495)))).toHaveLength(495);
    await Promise.all([changeWishList(customer, ...makeChanges(495, 502)), changeWishList(customer, ...makeChanges(502, 510))]);
    const ids = getIds(await readWishList(customer));
    expect(ids).toHaveLength(500);
    expect(ids.slice(0, 5)).toEqual(
      ids.includes('more-501')
        ? [501, 500, 499, 498, 497].map((index) => `more-${index}`)
        : [509, 508, 507, 506, 505].map((index) => `more-${index}`),
    );
    expect(getIds(await changeWishList(customer, savedChange('book')))).not.toContain('book');
    await changeWishList(customer, { titleId: 'more-0', isSaved: false });
    expect(getIds(await changeWishList(customer, savedChange('book')))).toContain('book');
  });

  test('the wish list needs a signed-in customer and valid changes', async () => {
    const customer = await createCustomer(shop, store);
    const query = { shelfid: store };
    expect((await shop.call('wishList', '/user/wishlist', { query })).status).toBe(401);
    const body = { changes: [savedChange('book')] };
    expect((await shop.call('changeWishList', '/user/wishlist', { query, body })).status).toBe(401);
    for (const changes of [[], [{ titleId: 'book' }], [{ titleId: '<b>', isSaved: true }], Array(501).fill(savedChange('book'))])
      expect((await changeWishList(customer, ...(changes as Change[]))).status).toBe(400);
  });
});

describe('titles by their ids', () => {
  const requestTitles = (titleids: string) => shop.call('titlesById', '/titles/byid', { query: { shelfid: store, titleids } });
  const getTitleIds = ({ value }: { value: unknown }) =>
    (value as { Title?: { TitleId: string }[] }).Title?.map((title) => title.TitleId);

  test('titles by their ids are returned in the requested order, without unknown ones', async () => {
    expect(getTitleIds(await requestTitles('film,nowhere,book,film'))).toEqual(['film', 'book']);
    expect((await requestTitles('nowhere')).value).toMatchObject({ total: 0 });
  });

  test('titles by their ids are limited to fifty per request', async () => {
    expect((await requestTitles(Array(50).fill('book').join(','))).status).toBe(200);
    expect((await requestTitles(Array(51).fill('book').join(','))).status).toBe(400);
    expect((await requestTitles('book,')).status).toBe(400);
  });
});
