import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { saveProperties } from '../../../server/admin/save-properties.ts';
import { reportHiddenTitles } from '../../../server/setup/offered-kinds.ts';
import { saveTitles } from '../../../server/setup/save-title.ts';
import { add, beginCart, cartCall, fill, idsIn } from '../support/carts.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { giftFor, giftSession } from '../support/gifts.ts';
import { begin, confirm, pay } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  store = await shop.store({ properties: { EnableGiftingTitle: true } });
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const set = (properties: Record<string, unknown>) =>
  shop.db.transaction().execute((trx) => saveProperties(trx, store, properties));

const listed = async (query: Record<string, string | number> = {}): Promise<string[]> => {
  const { value } = await shop.ask('titles', '/titles', { query: { shelfid: store, ...query } });
  return ((value as { Title?: { TitleId: string }[] }).Title ?? []).map(({ TitleId }) => TitleId);
};
const titleOf = async (titleId: string) =>
  (await shop.ask('titleById', `/titles/${titleId}`, { query: { shelfid: store } })).value as {
    ForSale?: boolean;
    Prices?: object[];
  };
const refusalOf = ({ status, value }: { status: number; value: unknown }) => {
  const { code, Code } = (value ?? {}) as { code?: string; Code?: string };
  return [status, code ?? Code];
};
const bought = async (titleId: string): Promise<void> => {
  const { transId, url } = await begin(shop, customer, titleId);
  await pay(url, '4242 4242 4242 4242');
  expect((await confirm(shop, customer, transId)).status).toBe(200);
};

test('the start of the shop says how many titles are hidden, and by which property', async () => {
  await set({ EnableAudioTitle: false });
  const log = vi.spyOn(shop.services.log, 'info');
  await reportHiddenTitles(shop.services);
  const said = log.mock.calls.filter(([details]) => (details as { store?: string }).store === store);
  log.mockRestore();
  expect(said).toEqual([[{ store, property: 'EnableAudioTitle', titles: 1 }, 'titles are hidden by a property that is off']]);
});

describe.each([
  ['EnableEbook', 'book', 1],
  ['EnableAudioTitle', 'sound', 2],
  ['EnableVideoTitle', 'film', 4],
])('with %s off', (flag, titleId, type) => {
  test('no list and no search has its titles, and its address offers none; on again, all is as before [S9.off]', async () => {
    const before = await listed();
    expect(before).toContain(titleId);
    await set({ [flag]: false });
    expect(await listed()).not.toContain(titleId);
    expect(await listed({ titletype: type })).toEqual([]);
    expect(await listed({ search: titleId === 'book' ? 'salt' : titleId === 'sound' ? 'winter' : '映画' })).not.toContain(
      titleId,
    );
    const off = await titleOf(titleId);
    expect([off.ForSale, off.Prices ?? []]).toEqual([false, []]);
    expect(refusalOf(await add(shop, customer, titleId))).toEqual([404, undefined]);
    await set({ [flag]: true });
    expect(await listed()).toEqual(before);
    expect(await titleOf(titleId)).toMatchObject({ ForSale: true });
  });

  test('its owner still opens one', async () => {
    await bought(titleId);
    await set({ [flag]: false });
    const { value } = await shop.ask('userPurchases', '/user/purchases', { query: customer.query });
    const [copy] = (value as { Purchase: { InstanceId: string; TitleId: string }[] }).Purchase;
    expect(copy?.TitleId).toBe(titleId);
    const query = { ...customer.query, instanceid: copy?.InstanceId ?? '' };
    expect((await shop.ask('viewerComponents', '/viewer/components', { query })).status).toBe(200);
  });
});

test('a title that comes into a store with its kind off is in no list until the kind is on', async () => {
  await set({ EnableAudioTitle: null });
  await saveTitles(shop.db, store, [
    { id: 'later', medium: 'audio', name: 'A Later Sound', prices: [{ amount: 2, currency: 'EUR' }] },
  ]);
  expect(await listed()).not.toContain('later');
  await set({ EnableAudioTitle: true });
  expect(await listed()).toContain('later');
});

test('a title in the cart is not paid for once its kind is off', async () => {
  await fill(shop, customer, ['book', 'sound']);
  await set({ EnableAudioTitle: false });
  const { value } = await cartCall(shop, customer, 'cartTitles');
  expect(idsIn(value)).toEqual(['sound', 'book']);
  expect(value.Total).toBe(9.9);
});

describe('with ShowBuyTitle off', () => {
  test('the server refuses titles, carts and gifts, and gives free titles [S9.on]', async () => {
    await fill(shop, customer, ['book']);
    await set({ ShowBuyTitle: false });
    const refused = [409, 'not_for_sale'];
    const ask = (titleId: string) => shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId } });
    expect(refusalOf(await ask('book'))).toEqual(refused);
    expect(refusalOf(await beginCart(shop, customer))).toEqual(refused);
    expect(refusalOf(await add(shop, customer, 'sound'))).toEqual(refused);
    expect(refusalOf(await giftSession(shop, customer, giftFor()))).toEqual(refused);
    const free = await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
    expect(free.status).toBe(200);
  });
});
