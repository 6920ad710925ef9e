import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readMessages } from '../../support/text-messages.ts';
import { createCustomer } from '../support/customers.ts';
import { rememberDevice } from '../support/known-devices.ts';
import { requestPhoneCode, newPhone } from '../support/phone-codes.ts';
import { openShop, type Shop } from '../support/shop.ts';

const providers = [{ kind: 'phone', country: 'GB' }] as const;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test.each([
  ['a premium-rate number', '+449012345678'],
  ['a shared-cost number', '+448431234567'],
  ['a personal number', '+447012345678'],
  ['a freephone number', '+448001111111'],
  ['a satellite telephone (+870)', '+870773111632'],
  ['a satellite telephone (+881)', '+881612345678'],
  ['an international network (+882)', '+88213300655'],
  ['an international network (+883)', '+883510012345'],
])('a code is not sent to %s', async (_case, phone) => {
  const shelfid = await shop.store({ providers: [...providers], properties: {} });
  const { statusCode, body } = await requestPhoneCode(shop, phone, { shelfid });
  expect([statusCode, body]).toEqual([409, expect.stringContaining('<Code>phone_kind</Code>')]);
  expect(await readMessages(join(shop.folder, 'outbox'), phone)).toEqual([]);
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['everywhere without a list', {}, ['+447400123456', '+33612345678', '+4915112345678']],
  [
    'to the countries in which the store sells, without a list of its own',
    { PurchaseCountries: ['de', 'FR'] },
    ['+33612345678', '+4915112345678'],
  ],
  ['to the countries of its own list', { PurchaseCountries: ['DE', 'FR'], SmsCountries: ['GB'] }, ['+447400123456']],
  ['to the countries of a list without brackets', { SmsCountries: 'GB, IE' }, ['+447400123456']],
  ['nowhere with an empty list of its own', { PurchaseCountries: ['GB'], SmsCountries: [] }, []],
])('codes are sent %s', async (_case, properties, expected) => {
  const shelfid = await shop.store({ providers: [...providers], properties });
  const acceptedPhones = [];
  for (const phone of ['+447400123456', '+33612345678', '+4915112345678']) {
    const { statusCode, body } = await requestPhoneCode(shop, phone, { shelfid });
    if (statusCode === 200) acceptedPhones.push(phone);
    else expect([statusCode, body]).toEqual([409, expect.stringContaining('<Code>phone_country</Code>')]);
  }
  expect(acceptedPhones).toEqual(expected);
});

test('codes to one country are limited per store and day, also when concurrent; known devices have their own limit', async () => {
  const limitedShop = await openShop({ config: { smsPerCountryDay: 3 } });
  const log = vi.spyOn(limitedShop.services.log, 'warn');
  try {
    const shelfid = await limitedShop.store({ providers: [...providers], properties: {} });
    const phones = Array.from({ length: 6 }, newPhone);
    const requests = phones.map((phone, index) =>
      requestPhoneCode(limitedShop, phone, { shelfid, remoteAddress: `10.9.5.${index}` }),
    );
    const responses = await Promise.all(requests);
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429]);
    const refusal = responses.find(({ statusCode }) => statusCode === 429);
    expect(refusal?.body).toContain('<Code>phone_country_full</Code>');
    expect(refusal?.headers['retry-after']).toMatch(/^86(400|3\d\d)$/);
    const limitEvents = log.mock.calls.filter(([, event]) => event === 'sms.limit_reached');
    expect(limitEvents).toEqual([
      [{ store: shelfid, country: 'GB', limit: 'sms-country:GB', maxPerCountryDay: 3 }, 'sms.limit_reached'],
    ]);
    expect((await requestPhoneCode(limitedShop, '+33612345678', { shelfid })).statusCode).toBe(200);
    const otherStore = await limitedShop.store({ providers: [...providers], properties: {} });
    expect((await requestPhoneCode(limitedShop, '+447400123456', { shelfid: otherStore })).statusCode).toBe(200);

    const customer = await createCustomer(limitedShop, shelfid);
    const [phone = ''] = phones;
    await limitedShop.db
      .insertInto('identities')
      .values({ store_id: shelfid, issuer: 'phone', subject: phone, user_id: customer.id })
      .execute();
    const { cookie } = await rememberDevice(limitedShop, customer, 'own-laptop');
    expect((await requestPhoneCode(limitedShop, phone, { shelfid, cookie })).statusCode).toBe(200);
    expect((await requestPhoneCode(limitedShop, newPhone(), { shelfid, remoteAddress: '10.9.5.9' })).statusCode).toBe(429);
  } finally {
    await limitedShop.close();
  }
});
