import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { reportProperties } from '../../../server/setup/report-properties.ts';
import { openShop, type Shop } from '../support/shop.ts';

const TOKEN = 'a token of the tests, long enough';
const LINK = 'ActionAfterPurchaseConfirmation';
const THANKS = 'https://b.example/thanks';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: TOKEN } });
  store = await shop.store({ properties: {}, titles: [], categories: [], pages: [] });
});
afterEach(() => shop.db.deleteFrom('properties').where('store_id', '=', store).execute());
afterAll(() => shop.close());

/** Sets properties. @returns the operator's error, or the status */
const set = async (payload: Record<string, string | null>): Promise<unknown> => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await shop.app.inject({ method: 'PUT', url: `/admin/stores/${store}/properties`, headers, payload });
  return answer.body === '' ? answer.statusCode : answer.json<{ error: string }>().error;
};
const kept = async () => {
  const rows = await shop.db.selectFrom('properties').select(['name', 'value']).where('store_id', '=', store).execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};
const refusal = (hosts: string, value = THANKS) =>
  `${LINK} is ${value}: expected an address on a host of StoreUrl or StoreUrlAlt (${hosts}).`;

test.each([
  ['StoreUrl', { StoreUrl: 'https://b.example' }],
  ['StoreUrlAlt', { StoreUrl: 'https://a.example', StoreUrlAlt: 'http://B.example/' }],
])('a receipt leads to the host of %s, which may be set by the same change', async (_name, sites) => {
  const properties = { [LINK]: THANKS, ...sites };
  expect(await set(properties)).toBe(204);
  expect(await set({ StoreUrl: null, StoreUrlAlt: null })).toBe(refusal('neither is set'));
  expect(await kept()).toEqual(properties);
  expect(await set({ [LINK]: null, StoreUrl: null, StoreUrlAlt: null })).toBe(204);
  expect(await set({ [LINK]: THANKS })).toBe(refusal('neither is set'));
});

test.each(['https://c.example/thanks', 'https://sub.a.example/', 'https://a.example:8443/', 'https://a.example.c.example/'])(
  'a receipt does not lead to %s, which is another host',
  async (value) => {
    const sites = { StoreUrl: 'https://a.example', StoreUrlAlt: 'https://b.example' };
    expect(await set({ ...sites, [LINK]: value })).toBe(refusal('a.example, b.example', value));
    expect(await kept()).toEqual({});
    expect(await set({ ...sites, [LINK]: 'https://a.example/thanks' })).toBe(204);
  },
);

test('another host is refused for a new store', async () => {
  await expect(shop.store({ properties: { [LINK]: THANKS } })).rejects.toThrow(refusal('neither is set'));
});

test('another host that a store has already is reported, and does not keep other properties from being set', async () => {
  const rows = Object.entries({ [LINK]: THANKS, StoreUrl: 'https://a.example' });
  await shop.db
    .insertInto('properties')
    .values(rows.map(([name, value]) => ({ store_id: store, name, value })))
    .execute();
  const log = vi.spyOn(shop.services.log, 'error');
  await reportProperties(shop.services);
  const expected = 'an address on a host of StoreUrl or StoreUrlAlt (a.example)';
  const said = log.mock.calls.filter(([details]) => (details as { store?: string }).store === store);
  log.mockRestore();
  expect(said).toEqual([[{ store, property: LINK, value: THANKS, expected }, 'invalid store property']]);
  expect(await set({ ShelfColor: '#7a2e4d' })).toBe(204);
});
