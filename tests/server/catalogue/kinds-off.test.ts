import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { saveProperties } from '../../../server/admin/save-properties.ts';
import { reportHiddenTitles } from '../../../server/setup/offered-kinds.ts';
import { saveTitles } from '../../../server/setup/save-title.ts';
import { addTitle, startCartSession, cartCall, fillCart, titleIdsIn } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { makeGift, startGiftSession } from '../support/gifts.ts';
import { startPayment, confirmPayment, submitCardForm } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  store = await shop.store({ properties: { EnableGiftingTitle: true } });
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const saveKinds = (properties: Record<string, unknown>) =>
  shop.db.transaction().execute((trx) => saveProperties(trx, store, properties));

const readTitleIds = async (query: Record<string, string | number> = {}): Promise<string[]> => {
  const { value } = await shop.ask('titles', '/titles', { query: { shelfid: store, ...query } });
  return ((value as { Title?: { TitleId: string }[] }).Title ?? []).map(({ TitleId }) => TitleId);
};
const readTitle = async (titleId: string) =>
  (await shop.ask('titleById', `/titles/${titleId}`, { query: { shelfid: store } })).value as {
    ForSale?: boolean;
    Prices?: object[];
  };
const getRefusal = ({ status, value }: { status: number; value: unknown }) => {
  const { code, Code } = (value ?? {}) as { code?: string; Code?: string };
  return [status, code ?? Code];
};
const buyTitle = async (titleId: string): Promise<void> => {
  const { transId, url } = await startPayment(shop, customer, titleId);
  await submitCardForm(url, '4242 4242 4242 4242');
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
};

test('the shop logs at startup how many titles are hidden, and by which property', async () => {
  await saveKinds({ EnableAudioTitle: false });
  const log = vi.spyOn(shop.services.log, 'warn');
  await reportHiddenTitles(shop.services);
  const said = log.mock.calls.filter(([details]) => (details as { store?: string }).store === store);
  log.mockRestore();
  expect(said).toEqual([[{ store, property: 'EnableAudioTitle', titles: 1 }, 'store.titles.hidden']]);
});

describe.each([
  ['EnableEbook', 'book', 1],
  ['EnableAudioTitle', 'sound', 2],
  ['EnableVideoTitle', 'film', 4],
])('with %s off', (flag, titleId, type) => {
  test('its titles are in no list and no search, and not for sale; turned on again, everything is as before [S9.off]', async () => {
    const before = await readTitleIds();
    expect(before).toContain(titleId);
    await saveKinds({ [flag]: false });
    expect(await readTitleIds()).not.toContain(titleId);
    expect(await readTitleIds({ titletype: type })).toEqual([]);
    expect(await readTitleIds({ search: titleId === 'book' ? 'salt' : titleId === 'sound' ? 'winter' : '映画' })).not.toContain(
      titleId,
    );
    const off = await readTitle(titleId);
    expect([off.ForSale, off.Prices ?? []]).toEqual([false, []]);
    expect(getRefusal(await addTitle(shop, customer, titleId))).toEqual([404, undefined]);
    await saveKinds({ [flag]: true });
    expect(await readTitleIds()).toEqual(before);
    expect(await readTitle(titleId)).toMatchObject({ ForSale: true });
  });

  test('its owner can still open one', async () => {
    await buyTitle(titleId);
    await saveKinds({ [flag]: false });
    const { value } = await shop.ask('userPurchases', '/user/purchases', { query: customer.query });
    const [copy] = (value as { Purchase: { InstanceId: string; TitleId: string }[] }).Purchase;
    expect(copy?.TitleId).toBe(titleId);
    const query = { ...customer.query, instanceid: copy?.InstanceId ?? '' };
    expect((await shop.ask('viewerComponents', '/viewer/components', { query })).status).toBe(200);
  });
});

test('a title added while its kind is off is in no list until the kind is on', async () => {
  await saveKinds({ EnableAudioTitle: null });
  await saveTitles(shop.db, store, [
    { id: 'later', medium: 'audio', name: 'A Later Sound', prices: [{ amount: 2, currency: 'EUR' }] },
  ]);
  expect(await readTitleIds()).not.toContain('later');
  await saveKinds({ EnableAudioTitle: true });
  expect(await readTitleIds()).toContain('later');
});

test('a title in the cart is not charged once its kind is off', async () => {
  await fillCart(shop, customer, ['book', 'sound']);
  await saveKinds({ EnableAudioTitle: false });
  const { value } = await cartCall(shop, customer, 'cartTitles');
  expect(titleIdsIn(value)).toEqual(['sound', 'book']);
  expect(value.Total).toBe(9.9);
});

describe('with ShowBuyTitle off', () => {
  test('the server refuses titles, carts and gifts, and grants free titles [S9.on]', async () => {
    await fillCart(shop, customer, ['book']);
    await saveKinds({ ShowBuyTitle: false });
    const refused = [409, 'not_for_sale'];
    const ask = (titleId: string) => shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId } });
    expect(getRefusal(await ask('book'))).toEqual(refused);
    expect(getRefusal(await startCartSession(shop, customer))).toEqual(refused);
    expect(getRefusal(await addTitle(shop, customer, 'sound'))).toEqual(refused);
    expect(getRefusal(await startGiftSession(shop, customer, makeGift()))).toEqual(refused);
    const free = await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
    expect(free.status).toBe(200);
  });
});
