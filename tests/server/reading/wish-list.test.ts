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

const readWishList = (customer: Customer) => shop.ask('wishList', '/user/wishlist', { query: customer.query });
const changeWishList = (customer: Customer, ...changes: Change[]) =>
  shop.ask('changeWishList', '/user/wishlist', { query: customer.query, body: { changes } });
const idsIn = ({ value }: { value: unknown }): string[] =>
  (value as { titles: { titleId: string }[] }).titles.map(({ titleId }) => titleId);
const savedChange = (titleId: string, savedAt?: string): Change => ({ titleId, isSaved: true, ...(savedAt && { savedAt }) });

describe('the wish list of a customer', () => {
  test('has the saved titles, the latest first, each once', async () => {
    const customer = await createCustomer(shop, store);
    expect(idsIn(await readWishList(customer))).toEqual([]);
    const first = await changeWishList(
      customer,
      savedChange('book', '2026-01-02T00:00:00Z'),
      savedChange('sound', '2026-01-03T00:00:00Z'),
    );
    expect(first.value).toEqual({
      titles: [
        { titleId: 'sound', savedAt: '2026-01-03T00:00:00.000Z' },
        { titleId: 'book', savedAt: '2026-01-02T00:00:00.000Z' },
      ],
    });
    expect(idsIn(await changeWishList(customer, savedChange('book'), savedChange('book')))).toEqual(['sound', 'book']);
    expect(idsIn(await changeWishList(customer, savedChange('film')))).toEqual(['film', 'sound', 'book']);
    expect(idsIn(await readWishList(customer))).toEqual(['film', 'sound', 'book']);
  });

  test('loses removed titles, and applies the later of two changes', async () => {
    const customer = await createCustomer(shop, store);
    await changeWishList(customer, savedChange('book'), savedChange('film'));
    expect(idsIn(await changeWishList(customer, { titleId: 'book', isSaved: false }))).toEqual(['film']);
    expect(idsIn(await changeWishList(customer, { titleId: 'book', isSaved: false }))).toEqual(['film']);
    expect(idsIn(await changeWishList(customer, savedChange('book'), { titleId: 'book', isSaved: false }))).toEqual(['film']);
  });

  test('is not visible to other customers, and cannot be changed by them', async () => {
    const [one, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    await changeWishList(one, savedChange('book'));
    expect(idsIn(await readWishList(other))).toEqual([]);
    await changeWishList(other, { titleId: 'book', isSaved: false });
    expect(idsIn(await readWishList(one))).toEqual(['book']);
  });

  test('leaves out unknown and withdrawn titles, and accepts no date in the future', async () => {
    const own = await shop.store();
    const customer = await createCustomer(shop, own);
    const saved = await changeWishList(
      customer,
      savedChange('nowhere'),
      savedChange('book', '2999-01-01T00:00:00Z'),
      savedChange('film', 'no date'),
    );
    expect(idsIn(saved).toSorted()).toEqual(['book', 'film']);
    for (const { savedAt } of (saved.value as { titles: { savedAt: string }[] }).titles)
      expect(Date.parse(savedAt)).toBeLessThanOrEqual(Date.now());
    const titles = shop.db.updateTable('titles').where('store_id', '=', own).where('id', '=', 'book');
    await titles.set({ listed: false }).execute();
    expect(idsIn(await readWishList(customer))).toEqual(['film']);
    await titles.set({ listed: true }).execute();
    expect(idsIn(await readWishList(customer))).toHaveLength(2);
    await shop.db.deleteFrom('titles').where('store_id', '=', own).where('id', '=', 'film').execute();
    expect(idsIn(await readWishList(customer))).toEqual(['book']);
  });

  test('holds five hundred titles, the latest of a batch, however many tabs save', async () => {
    const own = await shop.store();
    const customer = await createCustomer(shop, own);
    const book = await shop.db
      .selectFrom('titles')
      .select(['type', 'media'])
      .where('store_id', '=', own)
      .where('id', '=', 'book')
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 510 }, (_each, at) => ({
      store_id: own,
      id: `more-${at}`,
      type: book.type,
      media: book.media,
      name: `More ${at}`,
      sort_name: `more ${at}`,
    }));
    await shop.db.insertInto('titles').values(more).execute();
    const day = (at: number): string => new Date(Date.UTC(2020, 0, 1 + at)).toISOString();
    const of = (from: number, to: number): Change[] => more.slice(from, to).map(({ id }, at) => savedChange(id, day(from + at)));
    expect(idsIn(await changeWishList(customer, ...of(0, 495)))).toHaveLength(495);
    await Promise.all([changeWishList(customer, ...of(495, 502)), changeWishList(customer, ...of(502, 510))]);
    const ids = idsIn(await readWishList(customer));
    expect(ids).toHaveLength(500);
    expect(ids.slice(0, 5)).toEqual(
      ids.includes('more-501')
        ? [501, 500, 499, 498, 497].map((at) => `more-${at}`)
        : [509, 508, 507, 506, 505].map((at) => `more-${at}`),
    );
    expect(idsIn(await changeWishList(customer, savedChange('book')))).not.toContain('book');
    await changeWishList(customer, { titleId: 'more-0', isSaved: false });
    expect(idsIn(await changeWishList(customer, savedChange('book')))).toContain('book');
  });

  test('needs a signed-in customer, and valid changes', async () => {
    const customer = await createCustomer(shop, store);
    const query = { shelfid: store };
    expect((await shop.ask('wishList', '/user/wishlist', { query })).status).toBe(401);
    const body = { changes: [savedChange('book')] };
    expect((await shop.ask('changeWishList', '/user/wishlist', { query, body })).status).toBe(401);
    for (const changes of [[], [{ titleId: 'book' }], [{ titleId: '<b>', isSaved: true }], Array(501).fill(savedChange('book'))])
      expect((await changeWishList(customer, ...(changes as Change[]))).status).toBe(400);
  });
});

describe('titles by their ids', () => {
  const ask = (titleids: string) => shop.ask('titlesById', '/titles/byid', { query: { shelfid: store, titleids } });
  const idsOf = ({ value }: { value: unknown }) =>
    (value as { Title?: { TitleId: string }[] }).Title?.map((title) => title.TitleId);

  test('are returned in the requested order, without unknown ones', async () => {
    expect(idsOf(await ask('film,nowhere,book,film'))).toEqual(['film', 'book']);
    expect((await ask('nowhere')).value).toMatchObject({ total: 0 });
  });

  test('are limited to fifty per request', async () => {
    expect((await ask(Array(50).fill('book').join(','))).status).toBe(200);
    expect((await ask(Array(51).fill('book').join(','))).status).toBe(400);
    expect((await ask('book,')).status).toBe(400);
  });
});
