import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { reportProperties } from '../../../server/setup/report-properties.ts';
import { openShop, type Shop } from '../support/shop.ts';

const TOKEN = 'a token of the tests, long enough';
const LINK_PROPERTY = 'ActionAfterPurchaseConfirmation';
const THANKS_URL = 'https://b.example/thanks';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: TOKEN } });
  store = await shop.store({ properties: {}, titles: [], categories: [], pages: [] });
});
afterEach(() => shop.db.deleteFrom('properties').where('store_id', '=', store).execute());
afterAll(() => shop.close());

/** Sets properties. @returns the error message for the operator, or the status without a body */
const saveProperties = async (payload: Record<string, string | null>): Promise<unknown> => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await shop.app.inject({ method: 'PUT', url: `/admin/stores/${store}/properties`, headers, payload });
  return response.body === '' ? response.statusCode : response.json<{ error: string }>().error;
};
const readStoredProperties = async () => {
  const rows = await shop.db.selectFrom('properties').select(['name', 'value']).where('store_id', '=', store).execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};
const expectedError = (hosts: string, value = THANKS_URL) =>
  `${LINK_PROPERTY} is ${value}: expected an address on a host of StoreUrl or StoreUrlAlt (${hosts}).`;

test.each([
  ['StoreUrl', { StoreUrl: 'https://b.example' }],
  ['StoreUrlAlt', { StoreUrl: 'https://a.example', StoreUrlAlt: 'http://B.example/' }],
])('a receipt link may lead to the host of %s, which may be set in the same change', async (_name, storeUrls) => {
  const properties = { [LINK_PROPERTY]: THANKS_URL, ...storeUrls };
  expect(await saveProperties(properties)).toBe(204);
  expect(await saveProperties({ StoreUrl: null, StoreUrlAlt: null })).toBe(expectedError('neither is set'));
  expect(await readStoredProperties()).toEqual(properties);
  expect(await saveProperties({ [LINK_PROPERTY]: null, StoreUrl: null, StoreUrlAlt: null })).toBe(204);
  expect(await saveProperties({ [LINK_PROPERTY]: THANKS_URL })).toBe(expectedError('neither is set'));
});

test.each(['https://c.example/thanks', 'https://sub.a.example/', 'https://a.example:8443/', 'https://a.example.c.example/'])(
  'a receipt link to another host, %s, is refused',
  async (value) => {
    const storeUrls = { StoreUrl: 'https://a.example', StoreUrlAlt: 'https://b.example' };
    expect(await saveProperties({ ...storeUrls, [LINK_PROPERTY]: value })).toBe(expectedError('a.example, b.example', value));
    expect(await readStoredProperties()).toEqual({});
    expect(await saveProperties({ ...storeUrls, [LINK_PROPERTY]: 'https://a.example/thanks' })).toBe(204);
  },
);

test('a receipt link to another host is refused for a new store', async () => {
  await expect(shop.store({ properties: { [LINK_PROPERTY]: THANKS_URL } })).rejects.toThrow(expectedError('neither is set'));
});

test('an existing receipt link to another host is reported, and does not block changes of other properties', async () => {
  const rows = Object.entries({ [LINK_PROPERTY]: THANKS_URL, StoreUrl: 'https://a.example' });
  await shop.db
    .insertInto('properties')
    .values(rows.map(([name, value]) => ({ store_id: store, name, value })))
    .execute();
  const log = vi.spyOn(shop.services.log, 'warn');
  await reportProperties(shop.services);
  const expected = 'an address on a host of StoreUrl or StoreUrlAlt (a.example)';
  const warnings = log.mock.calls.filter(([details]) => (details as { store?: string }).store === store);
  log.mockRestore();
  expect(warnings).toEqual([[{ store, property: LINK_PROPERTY, value: THANKS_URL, expected }, 'store.property.invalid']]);
  expect(await saveProperties({ ShelfColor: '#7a2e4d' })).toBe(204);
});
