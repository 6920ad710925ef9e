import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCode } from '../../support/text-messages.ts';
import { createCustomer } from '../support/customers.ts';
import { rememberDevice, markUserTrusted } from '../support/known-devices.ts';
import { requestPhoneCode, readTextMessages, newPhone } from '../support/phone-codes.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const newStore = () => shop.store({ providers: [{ kind: 'phone', country: 'GB' }], properties: { SmsCountries: ['GB'] } });
const requestCode = (shelfid: string, phone: string, browser: { cookie: string } | undefined) =>
  requestPhoneCode(shop, phone, { shelfid, cookie: browser?.cookie });

const countSentCodes = async (phone: string) => {
  const codes = (await readTextMessages(shop, phone)).map(parseCode);
  const ownCount = codes.filter((code) => code.length === 6).length;
  return { own: ownCount, shared: codes.length - ownCount };
};

describe('codes for a customer on known devices', () => {
  const createPhoneCustomer = async () => {
    const shelfid = await newStore();
    const customer = await createCustomer(shop, shelfid);
    const phone = newPhone();
    const identity = { store_id: shelfid, issuer: 'phone', subject: phone, user_id: customer.id };
    await shop.db.insertInto('identities').values(identity).execute();
    const devices = [];
    for (const id of ['laptop', 'telephone']) devices.push(await rememberDevice(shop, customer, id));
    return { shelfid, customer, phone, devices };
  };
  const exhaust = (shelfid: string, subject: string) =>
    shop.db
      .insertInto('rate_limit_counters')
      .values({ store_id: shelfid, subject, calls: 1000, window_ends_at: new Date(Date.now() + 600_000) })
      .execute();

  test('codes for a customer on known devices are limited to five an hour for all devices together, then count as a stranger’s', async () => {
    const { shelfid, customer, phone, devices } = await createPhoneCustomer();
    await markUserTrusted(shop, customer);
    for (let index = 0; index < 12; index += 1) await requestCode(shelfid, phone, devices[index % 2]);
    expect(await countSentCodes(phone)).toEqual({ own: 10, shared: 1 });
  });

  test('codes for a customer on known devices are limited to twenty a day for one number', async () => {
    const { shelfid, customer, phone, devices } = await createPhoneCustomer();
    await markUserTrusted(shop, customer);
    await exhaust(shelfid, `sms-phone:${phone}`);
    for (let index = 0; index < 23; index += 1) {
      await requestCode(shelfid, phone, devices[index % 2]);
      await shop.db
        .deleteFrom('rate_limit_counters')
        .where('store_id', '=', shelfid)
        .where('subject', 'like', 'sms-own:%')
        .execute();
    }
    expect(await countSentCodes(phone)).toEqual({ own: 20, shared: 1 });
  });

  test('codes for a customer on known devices count against the network for a new or unverified account', async () => {
    const { shelfid, customer, phone, devices } = await createPhoneCustomer();
    await exhaust(shelfid, 'sms:127.0.0.1');
    const { statusCode, headers } = await requestCode(shelfid, phone, devices[0]);
    expect(statusCode).toBe(429);
    // The wait is the remaining time of the window, which started earlier.
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
    await markUserTrusted(shop, customer);
    expect((await requestCode(shelfid, phone, devices[0])).statusCode).toBe(200);
  });
});

test('joining a phone with a made-up request id counts as one attempt', async () => {
  const shelfid = await newStore();
  const customer = await createCustomer(shop, shelfid);
  await markUserTrusted(shop, customer);
  const body = { phone: newPhone(), code: '123456', requestId: 'made-up' };
  expect((await shop.call('joinPhone', '/user/ways/phone', { query: customer.query, body })).status).toBe(409);
  const counterQuery = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', shelfid);
  expect(await counterQuery.where('subject', '=', `provider-customer:${customer.id}`).execute()).toEqual([{ calls: 1 }]);
});
