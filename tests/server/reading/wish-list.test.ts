import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

type Change = { titleId: string; isSaved: boolean; savedAt?: string };

const read = (customer: Customer) => shop.ask('wishList', '/user/wishlist', { query: customer.query });
const change = (customer: Customer, ...changes: Change[]) =>
  shop.ask('changeWishList', '/user/wishlist', { query: customer.query, body: { changes } });
const idsIn = ({ value }: { value: unknown }): string[] =>
  (value as { titles: { titleId: string }[] }).titles.map(({ titleId }) => titleId);
const save = (titleId: string, savedAt?: string): Change => ({ titleId, isSaved: true, ...(savedAt && { savedAt }) });

describe('the wish list of a customer', () => {
  test('has what was saved, the latest first, each once', async () => {
    const customer = await customerOf(shop, store);
    expect(idsIn(await read(customer))).toEqual([]);
    const first = await change(customer, save('book', '2026-01-02T00:00:00Z'), save('sound', '2026-01-03T00:00:00Z'));
    expect(first.value).toEqual({
      titles: [
        { titleId: 'sound', savedAt: '2026-01-03T00:00:00.000Z' },
        { titleId: 'book', savedAt: '2026-01-02T00:00:00.000Z' },
      ],
    });
    expect(idsIn(await change(customer, save('book'), save('book')))).toEqual(['sound', 'book']);
    expect(idsIn(await change(customer, save('film')))).toEqual(['film', 'sound', 'book']);
    expect(idsIn(await read(customer))).toEqual(['film', 'sound', 'book']);
  });

  test('loses what is removed, and hears of the later of two changes', async () => {
    const customer = await customerOf(shop, store);
    await change(customer, save('book'), save('film'));
    expect(idsIn(await change(customer, { titleId: 'book', isSaved: false }))).toEqual(['film']);
    expect(idsIn(await change(customer, { titleId: 'book', isSaved: false }))).toEqual(['film']);
    expect(idsIn(await change(customer, save('book'), { titleId: 'book', isSaved: false }))).toEqual(['film']);
  });

  test('is nobody else’s', async () => {
    const [one, other] = [await customerOf(shop, store), await customerOf(shop, store)];
    await change(one, save('book'));
    expect(idsIn(await read(other))).toEqual([]);
    await change(other, { titleId: 'book', isSaved: false });
    expect(idsIn(await read(one))).toEqual(['book']);
  });

  test('leaves out what the shop does not have or has withdrawn, and dates nothing ahead', async () => {
    const own = await shop.store();
    const customer = await customerOf(shop, own);
    const saved = await change(customer, save('nowhere'), save('book', '2999-01-01T00:00:00Z'), save('film', 'no date'));
    expect(idsIn(saved).toSorted()).toEqual(['book', 'film']);
    for (const { savedAt } of (saved.value as { titles: { savedAt: string }[] }).titles)
      expect(Date.parse(savedAt)).toBeLessThanOrEqual(Date.now());
    const titles = shop.db.updateTable('titles').where('store_id', '=', own).where('id', '=', 'book');
    await titles.set({ listed: false }).execute();
    expect(idsIn(await read(customer))).toEqual(['film']);
    await titles.set({ listed: true }).execute();
    expect(idsIn(await read(customer))).toHaveLength(2);
    await shop.db.deleteFrom('titles').where('store_id', '=', own).where('id', '=', 'film').execute();
    expect(idsIn(await read(customer))).toEqual(['book']);
  });

  test('holds five hundred titles, the latest of what comes at once, however many tabs save', async () => {
    const own = await shop.store();
    const customer = await customerOf(shop, own);
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
    const of = (from: number, to: number): Change[] => more.slice(from, to).map(({ id }, at) => save(id, day(from + at)));
    expect(idsIn(await change(customer, ...of(0, 495)))).toHaveLength(495);
    await Promise.all([change(customer, ...of(495, 502)), change(customer, ...of(502, 510))]);
    const ids = idsIn(await read(customer));
    expect(ids).toHaveLength(500);
    expect(ids.slice(0, 5)).toEqual(
      ids.includes('more-501')
        ? [501, 500, 499, 498, 497].map((at) => `more-${at}`)
        : [509, 508, 507, 506, 505].map((at) => `more-${at}`),
    );
    expect(idsIn(await change(customer, save('book')))).not.toContain('book');
    await change(customer, { titleId: 'more-0', isSaved: false });
    expect(idsIn(await change(customer, save('book')))).toContain('book');
  });

  test('needs a customer, and changes that fit', async () => {
    const customer = await customerOf(shop, store);
    const query = { shelfid: store };
    expect((await shop.ask('wishList', '/user/wishlist', { query })).status).toBe(401);
    const body = { changes: [save('book')] };
    expect((await shop.ask('changeWishList', '/user/wishlist', { query, body })).status).toBe(401);
    for (const changes of [[], [{ titleId: 'book' }], [{ titleId: '<b>', isSaved: true }], Array(501).fill(save('book'))])
      expect((await change(customer, ...(changes as Change[]))).status).toBe(400);
  });
});

describe('titles by their ids', () => {
  const ask = (titleids: string) => shop.ask('titlesById', '/titles/byid', { query: { shelfid: store, titleids } });
  const idsOf = ({ value }: { value: unknown }) =>
    (value as { Title?: { TitleId: string }[] }).Title?.map((title) => title.TitleId);

  test('come in the order asked for, without those that are not there', async () => {
    expect(idsOf(await ask('film,nowhere,book,film'))).toEqual(['film', 'book']);
    expect((await ask('nowhere')).value).toMatchObject({ total: 0 });
  });

  test('are asked for fifty at a time at most', async () => {
    expect((await ask(Array(50).fill('book').join(','))).status).toBe(200);
    expect((await ask(Array(51).fill('book').join(','))).status).toBe(400);
    expect((await ask('book,')).status).toBe(400);
  });
});
