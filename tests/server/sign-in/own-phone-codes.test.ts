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

const readSentCodes = async (phone: string) => {
  const codes = (await readTextMessages(shop, phone)).map(parseCode);
  const own = codes.filter((code) => code.length === 6).length;
  return { own, shared: codes.length - own };
};

describe('codes for a customer on known devices', () => {
  const newCustomer = async () => {
    const shelfid = await newStore();
    const customer = await createCustomer(shop, shelfid);
    const phone = newPhone();
    const identity = { store_id: shelfid, issuer: 'phone', subject: phone, user_id: customer.id };
    await shop.db.insertInto('identities').values(identity).execute();
    const devices = [];
    for (const id of ['laptop', 'telephone']) devices.push(await rememberDevice(shop, customer, id));
    return { shelfid, customer, phone, devices };
  };
  const useUp = (shelfid: string, subject: string) =>
    shop.db
      .insertInto('rate_limit_counters')
      .values({ store_id: shelfid, subject, calls: 1000, window_ends_at: new Date(Date.now() + 600_000) })
      .execute();

  test('are limited to five an hour for all devices together, then count as a stranger’s', async () => {
    const { shelfid, customer, phone, devices } = await newCustomer();
    await markUserTrusted(shop, customer);
    for (let at = 0; at < 12; at += 1) await requestCode(shelfid, phone, devices[at % 2]);
    expect(await readSentCodes(phone)).toEqual({ own: 10, shared: 1 });
  });

  test('are limited to twenty a day for one number', async () => {
    const { shelfid, customer, phone, devices } = await newCustomer();
    await markUserTrusted(shop, customer);
    await useUp(shelfid, `sms-phone:${phone}`);
    for (let at = 0; at < 23; at += 1) {
      await requestCode(shelfid, phone, devices[at % 2]);
      await shop.db
        .deleteFrom('rate_limit_counters')
        .where('store_id', '=', shelfid)
        .where('subject', 'like', 'sms-own:%')
        .execute();
    }
    expect(await readSentCodes(phone)).toEqual({ own: 20, shared: 1 });
  });

  test('count against the network for a new or unverified account', async () => {
    const { shelfid, customer, phone, devices } = await newCustomer();
    await useUp(shelfid, 'sms:127.0.0.1');
    const { statusCode, headers } = await requestCode(shelfid, phone, devices[0]);
    expect(statusCode).toBe(429);
    // The rest of the window, which started earlier.
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
    await markUserTrusted(shop, customer);
    expect((await requestCode(shelfid, phone, devices[0])).statusCode).toBe(200);
  });
});

test('joining a phone with a made-up request counts as one attempt', async () => {
  const shelfid = await newStore();
  const customer = await createCustomer(shop, shelfid);
  await markUserTrusted(shop, customer);
  const body = { phone: newPhone(), code: '123456', requestId: 'made-up' };
  expect((await shop.ask('joinPhone', '/user/ways/phone', { query: customer.query, body })).status).toBe(409);
  const counted = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', shelfid);
  expect(await counted.where('subject', '=', `provider-customer:${customer.id}`).execute()).toEqual([{ calls: 1 }]);
});
