import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator, type CredentialDeviation } from '../support/authenticator.ts';
import { createCustomer } from '../support/customers.ts';
import { openPasskeyShop, xmlRefusal, type PasskeyShop, type Session } from '../support/passkeys.ts';

let passkeyShop: PasskeyShop;
let store: string;
beforeAll(async () => {
  passkeyShop = await openPasskeyShop();
});
// Each test has its own store, since a network's sign-ins are counted per store.
beforeEach(async () => {
  store = await passkeyShop.shop.store();
});
afterAll(() => passkeyShop.close());

describe('signing in with a passkey', () => {
  test('signing in with a passkey needs no account name', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const options = await passkeyShop.fetchRequestOptions(store);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const { status, value } = await passkeyShop.signIn(store, device.get(options), {
      deviceid: 'telephone',
      devicename: 'Telephone',
    });
    expect(status).toBe(200);
    expect(value).toMatchObject({ UserId: customer.id, EmailId: customer.email });
    const query = { shelfid: store, accesstoken: (value as Session).IdToken };
    expect((await passkeyShop.list({ query }))[0]?.lastUsedAt).toMatch(/^\d{4}-/);
    const devices = await passkeyShop.shop.db.selectFrom('devices').select('id').where('user_id', '=', customer.id).execute();
    expect(devices).toEqual([{ id: 'telephone' }]);
    expect((await passkeyShop.readAuditKinds(customer)).at(-1)).toBe('signed_in');
  });

  test('signing in with a passkey works repeatedly, for devices with and without a counter', async () => {
    const device = await passkeyShop.addDevice(await createCustomer(passkeyShop.shop, store));
    for (const counter of [0, 0, 3, 4]) expect((await passkeyShop.signInWith(device, store, { counter })).status).toBe(200);
  });

  test('signing in with a passkey is refused for a clone of the device, whose counter is not higher', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    expect((await passkeyShop.signInWith(device, store, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expect(await passkeyShop.signInWith(device, store, { counter })).toMatchObject(xmlRefusal('passkey_refused'));
    expect((await passkeyShop.readAuditKinds(customer)).slice(-3)).toEqual([
      'passkey_refused',
      'passkey_refused',
      'passkey_refused',
    ]);
    expect((await passkeyShop.signInWith(device, store, { counter: 8 })).status).toBe(200);
  });

  test('signing in with a passkey works once for each challenge, also for concurrent calls', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const credential = device.get(await passkeyShop.fetchRequestOptions(store));
    const responses = await Promise.all([passkeyShop.signIn(store, credential), passkeyShop.signIn(store, credential)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await passkeyShop.signIn(store, credential)).toMatchObject(xmlRefusal('passkey_over'));
  });

  test('signing in with a passkey is refused after the challenge has expired', async () => {
    const device = await passkeyShop.addDevice(await createCustomer(passkeyShop.shop, store));
    const credential = device.get(await passkeyShop.fetchRequestOptions(store));
    await passkeyShop.shop.db
      .updateTable('passkey_challenges')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(await passkeyShop.signIn(store, credential)).toMatchObject(xmlRefusal('passkey_over'));
  });

  test.each<[string, CredentialDeviation]>([
    ['for another page', { origin: 'http://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without user verification', { unverified: true }],
    ['for another customer', { userHandle: Buffer.from('somebody else').toString('base64url') }],
  ])('a passkey response that is signed %s is refused', async (_case, deviation) => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    expect(await passkeyShop.signInWith(device, store, deviation)).toMatchObject(xmlRefusal('passkey_refused'));
    expect((await passkeyShop.readAuditKinds(customer)).at(-1)).toBe('passkey_refused');
  });

  test('signing in with a made-up challenge, or a challenge of another store, is refused', async () => {
    const device = await passkeyShop.addDevice(await createCustomer(passkeyShop.shop, store));
    expect(await passkeyShop.signInWith(device, store, { challenge: 'A'.repeat(43) })).toMatchObject(xmlRefusal('passkey_over'));
    const { challenge } = await passkeyShop.fetchRequestOptions(await passkeyShop.shop.store());
    expect(await passkeyShop.signInWith(device, store, { challenge })).toMatchObject(xmlRefusal('passkey_over'));
  });

  test('a passkey signed with another key and an unknown passkey get the same refusal', async () => {
    const device = await passkeyShop.addDevice(await createCustomer(passkeyShop.shop, store));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forgedResponse = await passkeyShop.signIn(
      store,
      device.get(await passkeyShop.fetchRequestOptions(store), {}, privateKey),
    );
    const unknownResponse = await passkeyShop.signInWith(new Authenticator(), store);
    expect(forgedResponse).toMatchObject(xmlRefusal('passkey_refused'));
    expect(unknownResponse.text).toBe(forgedResponse.text);
  });

  test('signing in with a passkey of another store is refused', async () => {
    const device = await passkeyShop.addDevice(await createCustomer(passkeyShop.shop, store));
    const shelfid = await passkeyShop.shop.store();
    const response = await passkeyShop.signIn(shelfid, device.get(await passkeyShop.fetchRequestOptions(shelfid)));
    expect(response).toMatchObject(xmlRefusal('passkey_refused'));
  });

  test('starts and attempts of passkey sign-ins are limited per network', async () => {
    const shelfid = await passkeyShop.shop.store();
    const statuses = [];
    for (let attempt = 0; attempt < 61; attempt += 1) {
      const { status } = await passkeyShop.startSignIn(shelfid);
      statuses.push(status, (await passkeyShop.signIn(shelfid, new Authenticator().get({ challenge: 'x' }))).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    // Autofill offers are counted separately, so that viewing pages locks no visitor out.
    const startOffer = () =>
      passkeyShop.shop.call('startPasskeySignIn', '/user/passkey/start', {
        query: { shelfid, appid: 'web', autofill: 'true' },
        method: 'POST',
      });
    expect((await startOffer()).status).toBe(200);
    const subject = 'passkey-offer:127.0.0.1';
    const counterQuery = passkeyShop.shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', shelfid);
    expect(await counterQuery.where('subject', '=', subject).executeTakeFirst()).toEqual({ calls: 1 });
    await passkeyShop.shop.db.updateTable('rate_limit_counters').set({ calls: 1200 }).where('subject', '=', subject).execute();
    expect((await startOffer()).status).toBe(429);
  });
});
