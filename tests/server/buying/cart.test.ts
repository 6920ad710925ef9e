import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTitle, callCart, fillCart, listTitleIds } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const readCart = (customer: Customer, query = {}) => callCart(shop, customer, 'cartTitles', query);
const removeFromCart = (customer: Customer, titleId: string) => callCart(shop, customer, 'removeFromCart', { titleId });

describe('a customer’s cart', () => {
  test('a cart holds each added title once, the latest first, with the total [S7.cart/add] [S7.cart/titles]', async () => {
    const customer = await createCustomer(shop, store);
    expect((await readCart(customer)).value).toEqual({ Count: 0, Titles: [], Lines: [] });
    await fillCart(shop, customer, ['book', 'sound']);
    const { value } = await addTitle(shop, customer, 'book');
    expect(value).toMatchObject({ Count: 2, Total: 21.9, Currency: 'EUR', CurrencySymbol: '€' });
    expect(value.Lines).toEqual([
      { TitleId: 'sound', Name: 'Éclair of Winter', AddedAt: '2026-01-01T00:01:00.000Z', Owned: false },
      { TitleId: 'book', Name: 'The Salt <Road> & Other "Ways"', AddedAt: '2026-01-01T00:00:00.000Z', Owned: false },
    ]);
    expect(value.Titles?.map(({ TitleId }) => TitleId)).toEqual(['sound', 'book']);
    expect((await readCart(customer)).value).toEqual(value);
  });

  test('a title is removed from the cart, and removing it again has no effect [S7.cart/remove]', async () => {
    const customer = await createCustomer(shop, store);
    await fillCart(shop, customer, ['book', 'sound']);
    expect(listTitleIds((await removeFromCart(customer, 'book')).value)).toEqual(['sound']);
    expect(listTitleIds((await removeFromCart(customer, 'book')).value)).toEqual(['sound']);
    expect((await readCart(customer)).value).toMatchObject({ Count: 1, Total: 12 });
  });

  test('a cart is neither visible to other customers nor changed by them', async () => {
    const [cartOwner, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    await addTitle(shop, cartOwner, 'book');
    expect((await readCart(otherCustomer)).value.Count).toBe(0);
    await removeFromCart(otherCustomer, 'book');
    expect((await readCart(cartOwner)).value.Count).toBe(1);
  });

  test('a cart may hold titles that are not paid for: free, not for sale, owned or unlisted', async () => {
    const ownStore = await shop.store();
    const customer = await createCustomer(shop, ownStore);
    await fillCart(shop, customer, ['gratis', 'not-for-sale', 'book', 'film', 'sound']);
    const copy = { store_id: ownStore, user_id: customer.id, title_id: 'sound', instance_id: `gift-${customer.id}` };
    await shop.db
      .insertInto('entitlements')
      .values({ ...copy, source: 'gift', purchase_id: null, expires_at: null })
      .execute();
    await shop.db
      .updateTable('titles')
      .set({ listed: false })
      .where('store_id', '=', ownStore)
      .where('id', '=', 'film')
      .execute();
    const { value } = await readCart(customer);
    expect(value).toMatchObject({ Count: 5, Total: 9.9 });
    expect(value.Lines?.filter(({ Owned }) => Owned).map(({ TitleId }) => TitleId)).toEqual(['sound']);
    expect(value.Titles?.map(({ TitleId }) => TitleId)).toEqual(['sound', 'book', 'not-for-sale', 'gratis']);
  });

  test('a cart has a total in the requested currency, or none if no title has a price in it', async () => {
    const customer = await createCustomer(shop, store);
    await fillCart(shop, customer, ['book', 'sound']);
    expect((await readCart(customer, { currency: 'JPY' })).value).toMatchObject({ Count: 2, Total: 1500, Currency: 'JPY' });
    const cartWithoutPrices = (await readCart(customer, { currency: 'CHF' })).value;
    expect([cartWithoutPrices.Count, cartWithoutPrices.Total, cartWithoutPrices.Currency]).toEqual([2, undefined, undefined]);
  });

  test('a cart refuses unlisted titles and unknown codes, and replaces a date in the future', async () => {
    const customer = await createCustomer(shop, store);
    for (const titleId of ['nowhere', 'hidden']) expect((await addTitle(shop, customer, titleId)).status).toBe(404);
    expect((await addTitle(shop, customer, '<b>')).status).toBe(400);
    expect((await addTitle(shop, customer, 'book', { code: 'SPRING' })).value).toMatchObject({ Code: 'code_unknown' });
    const [line] = (await addTitle(shop, customer, 'book', { addedAt: '2999-01-01T00:00:00Z' })).value.Lines ?? [];
    expect(Date.parse(line?.AddedAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('the calls for the cart refuse visitors who are not signed in', async () => {
    for (const [call, path] of [
      ['addToCart', '/cart/add'],
      ['removeFromCart', '/cart/remove'],
      ['cartTitles', '/cart/titles'],
    ] as const)
      expect((await shop.call(call, path, { query: { shelfid: store, titleId: 'book' } })).status).toBe(401);
  });

  test('a cart holds at most fifty titles, however many requests add to it at once', async () => {
    const ownStore = await shop.store();
    const customer = await createCustomer(shop, ownStore);
    const { type, media } = await shop.db
      .selectFrom('titles')
      .select(['type', 'media'])
      .where('store_id', '=', ownStore)
      .where('id', '=', 'book')
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: 54 }, (_each, index) => `more-${index}`);
    const rows = ids.map((id) => ({ store_id: ownStore, id, type, media, name: id, sort_name: id }));
    await shop.db.insertInto('titles').values(rows).execute();
    await fillCart(shop, customer, ids.slice(0, 48));
    const responses = await Promise.all(ids.slice(48).map((id) => addTitle(shop, customer, id)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.value.Code).toBe('cart_full');
    expect((await readCart(customer)).value.Count).toBe(50);
    expect((await addTitle(shop, customer, 'more-0')).status).toBe(200);
  });

  test('titles that a campaign added are removed from the cart one by one or all at once [S7.cart/removeCampaign]', async () => {
    const customer = await createCustomer(shop, store);
    const campaign = { store_id: store, id: 'spring', name: 'Spring', reward_count: 1, starts_at: null, ends_at: null };
    await shop.db.insertInto('campaigns').values(campaign).execute();
    const line = { store_id: store, campaign_id: 'spring', amount_minor: null, currency: null };
    const lines = ['book', 'film'].map((title_id) => ({ ...line, title_id }));
    await shop.db.insertInto('campaign_titles').values(lines).execute();
    expect((await addTitle(shop, customer, 'sound', { campaignId: 'spring' })).status).toBe(404);
    await addTitle(shop, customer, 'sound');
    for (const titleId of ['book', 'film']) await addTitle(shop, customer, titleId, { campaignId: 'spring' });
    const removeCampaign = (query: { titleId?: string; campaignId: string }) => callCart(shop, customer, 'removeCampaign', query);
    expect(listTitleIds((await removeCampaign({ titleId: 'sound', campaignId: 'spring' })).value)).toHaveLength(3);
    expect(listTitleIds((await removeCampaign({ titleId: 'film', campaignId: 'spring' })).value)).toEqual(['book', 'sound']);
    expect(listTitleIds((await removeCampaign({ campaignId: 'spring' })).value)).toEqual(['sound']);
  });
});
