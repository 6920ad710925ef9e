import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readMessages } from '../../support/text-messages.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const newStore = (properties: Record<string, unknown>) =>
  shop.store({ providers: [{ kind: 'phone', country: 'GB' }], properties });
const requestCode = (phone: string, shelfid: string) =>
  shop.app.inject({
    method: 'POST',
    url: `/api/user/phone/code?${new URLSearchParams({ shelfid, appid: 'web' }).toString()}`,
    headers: { 'content-type': 'text/xml' },
    payload: `<SendPhoneCode><Phone>${phone}</Phone></SendPhoneCode>`,
  });

describe('codes by text message', () => {
  test.each(['GB;IE', '[', '{"0":"GB"}', '["GB","Narnia"]', '["GB",null]', '', 'null'])(
    'codes are not sent with an unreadable stored list of countries, which is logged: %s',
    async (value) => {
      const shelfid = await newStore({ PurchaseCountries: ['GB'] });
      await shop.db.insertInto('properties').values({ store_id: shelfid, name: 'SmsCountries', value }).execute();
      const log = vi.spyOn(shop.services.log, 'warn');
      const { statusCode, body } = await requestCode('+447400123456', shelfid);
      expect([statusCode, body]).toEqual([409, expect.stringContaining('<Code>phone_country</Code>')]);
      const expected = expect.stringMatching(/^a list of country codes/) as string;
      expect(log.mock.calls).toEqual([[{ store: shelfid, property: 'SmsCountries', value, expected }, 'store.property.invalid']]);
      log.mockRestore();
    },
  );

  test('codes are sent to a number with an account in any country, unless the kind of number is refused', async () => {
    const shelfid = await newStore({ PurchaseCountries: ['DE'] });
    const otherStore = await newStore({ PurchaseCountries: ['DE'] });
    const { id } = await createCustomer(shop, shelfid);
    const [ownPhone, premiumPhone] = ['+33612345679', '+449012345678'];
    for (const subject of [ownPhone, premiumPhone])
      await shop.db.insertInto('identities').values({ store_id: shelfid, issuer: 'phone', subject, user_id: id }).execute();
    const statuses = [];
    for (const [phone, storeId] of [
      [ownPhone, shelfid],
      [ownPhone, otherStore],
      ['+33612345670', shelfid],
      [premiumPhone, shelfid],
    ] as const)
      statuses.push((await requestCode(phone, storeId)).statusCode);
    expect(statuses).toEqual([200, 409, 409, 409]);
    expect(await readMessages(join(shop.folder, 'outbox'), premiumPhone)).toEqual([]);
  });
});
