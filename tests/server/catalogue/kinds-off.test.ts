import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { saveProperties } from '../../../server/admin/save-properties.ts';
import { reportHiddenTitles } from '../../../server/setup/offered-kinds.ts';
import { saveTitles } from '../../../server/setup/save-title.ts';
import { addTitle, startCartSession, callCart, fillCart, listTitleIds } from '../support/carts.ts';
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

const setProperties = (properties: Record<string, unknown>) =>
  shop.db.transaction().execute((trx) => saveProperties(trx, store, properties));

const readTitleIds = async (query: Record<string, string | number> = {}): Promise<string[]> => {
  const { value } = await shop.call('titles', '/titles', { query: { shelfid: store, ...query } });
  return ((value as { Title?: { TitleId: string }[] }).Title ?? []).map(({ TitleId }) => TitleId);
};
const readTitle = async (titleId: string) =>
  (await shop.call('titleById', `/titles/${titleId}`, { query: { shelfid: store } })).value as {
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
  await setProperties({ EnableAudioTitle: false });
  const log = vi.spyOn(shop.services.log, 'warn');
  await reportHiddenTitles(shop.services);
  const warnings = log.mock.calls.filter(([details]) => (details as { store?: string }).store === store);
  log.mockRestore();
  expect(warnings).toEqual([[{ store, property: 'EnableAudioTitle', titles: 1 }, 'store.titles.hidden']]);
});

describe.each([
  ['EnableEbook', 'book', 1],
  ['EnableAudioTitle', 'sound', 2],
  ['EnableVideoTitle', 'film', 4],
])('with %s off', (flag, titleId, type) => {
  test('titles of a kind are neither listed nor found nor for sale while the kind is off [S9.off]', async () => {
    const titleIdsBefore = await readTitleIds();
    expect(titleIdsBefore).toContain(titleId);
    await setProperties({ [flag]: false });
    expect(await readTitleIds()).not.toContain(titleId);
    expect(await readTitleIds({ titletype: type })).toEqual([]);
    expect(await readTitleIds({ search: titleId === 'book' ? 'salt' : titleId === 'sound' ? 'winter' : '映画' })).not.toContain(
      titleId,
    );
    const hiddenTitle = await readTitle(titleId);
    expect([hiddenTitle.ForSale, hiddenTitle.Prices ?? []]).toEqual([false, []]);
    expect(getRefusal(await addTitle(shop, customer, titleId))).toEqual([404, undefined]);
    await setProperties({ [flag]: true });
    expect(await readTitleIds()).toEqual(titleIdsBefore);
    expect(await readTitle(titleId)).toMatchObject({ ForSale: true });
  });

  test('a customer can still open a bought title of a kind that is off', async () => {
    await buyTitle(titleId);
    await setProperties({ [flag]: false });
    const { value } = await shop.call('userPurchases', '/user/purchases', { query: customer.query });
    const [copy] = (value as { Purchase: { InstanceId: string; TitleId: string }[] }).Purchase;
    expect(copy?.TitleId).toBe(titleId);
    const query = { ...customer.query, instanceid: copy?.InstanceId ?? '' };
    expect((await shop.call('viewerComponents', '/viewer/components', { query })).status).toBe(200);
  });
});

test('a title added while its kind is off is in no list until the kind is on', async () => {
  await setProperties({ EnableAudioTitle: null });
  await saveTitles(shop.db, store, [
    { id: 'later', medium: 'audio', name: 'A Later Sound', prices: [{ amount: 2, currency: 'EUR' }] },
  ]);
  expect(await readTitleIds()).not.toContain('later');
  await setProperties({ EnableAudioTitle: true });
  expect(await readTitleIds()).toContain('later');
});

test('a title in the cart does not count in the total once its kind is off', async () => {
  await fillCart(shop, customer, ['book', 'sound']);
  await setProperties({ EnableAudioTitle: false });
  const { value } = await callCart(shop, customer, 'cartTitles');
  expect(listTitleIds(value)).toEqual(['sound', 'book']);
  expect(value.Total).toBe(9.9);
});

describe('with ShowBuyTitle off', () => {
  test('the server refuses payments for titles, carts and gifts, and grants free titles [S9.on]', async () => {
    await fillCart(shop, customer, ['book']);
    await setProperties({ ShowBuyTitle: false });
    const notForSale = [409, 'not_for_sale'];
    const startSession = (titleId: string) =>
      shop.call('paymentSession', '/payment/session', { query: { ...customer.query, titleId } });
    expect(getRefusal(await startSession('book'))).toEqual(notForSale);
    expect(getRefusal(await startCartSession(shop, customer))).toEqual(notForSale);
    expect(getRefusal(await addTitle(shop, customer, 'sound'))).toEqual(notForSale);
    expect(getRefusal(await startGiftSession(shop, customer, makeGift()))).toEqual(notForSale);
    const freePurchase = await shop.call('purchaseFreeTitle', '/purchase/free', {
      query: { ...customer.query, titleId: 'gratis' },
    });
    expect(freePurchase.status).toBe(200);
  });
});
