import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator, type Slip } from '../support/authenticator.ts';
import { customerOf } from '../support/customers.ts';
import { openPasskeyShop, refusedXml, type PasskeyShop, type Session } from '../support/passkeys.ts';

let at: PasskeyShop;
let store: string;
beforeAll(async () => {
  at = await openPasskeyShop();
});
// What is begun from one network is counted by store.
beforeEach(async () => {
  store = await at.shop.store();
});
afterAll(() => at.close());

describe('signing in by a passkey', () => {
  test('names nobody, and lets its customer in', async () => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer);
    const options = await at.request(store);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const { status, value } = await at.signIn(store, device.get(options), { deviceid: 'telephone', devicename: 'Telephone' });
    expect(status).toBe(200);
    expect(value).toMatchObject({ UserId: customer.id, EmailId: customer.email });
    const query = { shelfid: store, accesstoken: (value as Session).IdToken };
    expect((await at.list({ query }))[0]?.lastUsedAt).toMatch(/^\d{4}-/);
    const devices = await at.shop.db.selectFrom('devices').select('id').where('user_id', '=', customer.id).execute();
    expect(devices).toEqual([{ id: 'telephone' }]);
    expect((await at.logOf(customer)).at(-1)).toBe('signed_in');
  });

  test('works again and again, for devices that count and for those that do not', async () => {
    const device = await at.deviceOf(await customerOf(at.shop, store));
    for (const counter of [0, 0, 3, 4]) expect((await at.signInWith(device, store, { counter })).status).toBe(200);
  });

  test('is refused to a copy of the device, which has counted less', async () => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer);
    expect((await at.signInWith(device, store, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expect(await at.signInWith(device, store, { counter })).toMatchObject(refusedXml('passkey_refused'));
    expect((await at.logOf(customer)).slice(-3)).toEqual(['passkey_refused', 'passkey_refused', 'passkey_refused']);
    expect((await at.signInWith(device, store, { counter: 8 })).status).toBe(200);
  });

  test('is done once for each challenge, also by two at the same time', async () => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer);
    const signed = device.get(await at.request(store));
    const answers = await Promise.all([at.signIn(store, signed), at.signIn(store, signed)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await at.signIn(store, signed)).toMatchObject(refusedXml('passkey_over'));
  });

  test('is over after five minutes', async () => {
    const device = await at.deviceOf(await customerOf(at.shop, store));
    const signed = device.get(await at.request(store));
    await at.shop.db
      .updateTable('passkey_challenges')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(await at.signIn(store, signed)).toMatchObject(refusedXml('passkey_over'));
  });

  test.each<[string, Slip]>([
    ['for another page', { origin: 'http://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['by somebody who has not shown who they are', { unverified: true }],
    ['in another customer’s name', { userHandle: Buffer.from('somebody else').toString('base64url') }],
  ])('signed %s is refused', async (_what, slip) => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer);
    expect(await at.signInWith(device, store, slip)).toMatchObject(refusedXml('passkey_refused'));
    expect((await at.logOf(customer)).at(-1)).toBe('passkey_refused');
  });

  test('by a challenge that somebody made up, or of another store, is refused', async () => {
    const device = await at.deviceOf(await customerOf(at.shop, store));
    expect(await at.signInWith(device, store, { challenge: 'A'.repeat(43) })).toMatchObject(refusedXml('passkey_over'));
    const { challenge } = await at.request(await at.shop.store());
    expect(await at.signInWith(device, store, { challenge })).toMatchObject(refusedXml('passkey_over'));
  });

  test('by another key, and by one that nobody knows, is refused alike', async () => {
    const device = await at.deviceOf(await customerOf(at.shop, store));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = await at.signIn(store, device.get(await at.request(store), {}, privateKey));
    const unknown = await at.signInWith(new Authenticator(), store);
    expect(forged).toMatchObject(refusedXml('passkey_refused'));
    expect(unknown.text).toBe(forged.text);
  });

  test('in another store is refused', async () => {
    const device = await at.deviceOf(await customerOf(at.shop, store));
    const shelfid = await at.shop.store();
    const answer = await at.signIn(shelfid, device.get(await at.request(shelfid)));
    expect(answer).toMatchObject(refusedXml('passkey_refused'));
  });

  test('is counted by network', async () => {
    const shelfid = await at.shop.store();
    const statuses = [];
    for (let times = 0; times < 61; times += 1) {
      const { status } = await at.startSignIn(shelfid);
      statuses.push(status, (await at.signIn(shelfid, new Authenticator().get({ challenge: 'x' }))).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    // What browsers offer by themselves is counted apart, so that pages that are looked at keep nobody out.
    const offer = () =>
      at.shop.ask('startPasskeySignIn', '/user/passkey/start', {
        query: { shelfid, appid: 'web', autofill: 'true' },
        method: 'POST',
      });
    expect((await offer()).status).toBe(200);
    const subject = 'passkey-offer:127.0.0.1';
    const counted = at.shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', shelfid);
    expect(await counted.where('subject', '=', subject).executeTakeFirst()).toEqual({ calls: 1 });
    await at.shop.db.updateTable('rate_limit_counters').set({ calls: 1200 }).where('subject', '=', subject).execute();
    expect((await offer()).status).toBe(429);
  });
});
