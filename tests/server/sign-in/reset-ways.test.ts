import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { enqueueEmail } from '../../../server/mail/queue.ts';
import { getEmailLinks } from '../../../tools/shop/emails.ts';
import { basicAuth, createCustomer, PASSWORD, type Customer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { openPasskeyShop, type PasskeyShop } from '../support/passkeys.ts';

let passkeyShop: PasskeyShop;
let store: string;
beforeAll(async () => {
  passkeyShop = await openPasskeyShop();
});
// Each test has its own store, since a network's attempts at links are counted per store.
beforeEach(async () => {
  store = await passkeyShop.shop.store({
    providers: [
      { kind: 'oidc', id: 'sso', name: 'Lamplight', issuer: 'https://sso.example', clientId: 'shop', clientSecret: 'secret' },
      { kind: 'phone', id: 'phone', name: 'Phone' },
    ],
  });
});
afterAll(() => passkeyShop.close());

const NEW_PASSWORD = 'battery staple';

const signIn = async (email: string, device: string, password = PASSWORD): Promise<string> => {
  const query = { shelfid: store, appid: 'web', deviceid: device, devicename: device };
  const { value } = await passkeyShop.shop.call('signIn', '/user/signin', { query, headers: basicAuth(email, password) });
  return (value as { IdToken: string }).IdToken;
};

/** Creates a customer with a verified address, and a sign-in method of every kind. */
async function createCustomerWithMethods(): Promise<Customer> {
  const customer = await createCustomer(passkeyShop.shop, store);
  await passkeyShop.shop.db.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', customer.id).execute();
  await passkeyShop.addDevice(customer, 'Laptop key');
  const identity = { store_id: store, user_id: customer.id };
  await passkeyShop.shop.db
    .insertInto('identities')
    .values([
      { ...identity, issuer: 'https://sso.example', subject: randomUUID() },
      { ...identity, issuer: 'phone', subject: '+447400900123' },
    ])
    .execute();
  await signIn(customer.email, 'telephone');
  return customer;
}

const newResetToken = ({ id, email }: Customer) => issueResetToken(passkeyShop.shop.db, { storeId: store, userId: id, email });
const readMethods = (token: string, shelfid = store) =>
  passkeyShop.shop.call('resetWays', `/user/token/${token}/ways`, { query: { shelfid } });
const resetPassword = (token: string, removedMethods: { Kind: string; WayId: string }[] = []) => {
  const elements = removedMethods
    .map(({ Kind, WayId }) => `<RemovedWay><Kind>${Kind}</Kind><WayId>${WayId}</WayId></RemovedWay>`)
    .join('');
  const list = removedMethods.length === 0 ? '' : `<RemovedWays>${elements}</RemovedWays>`;
  return passkeyShop.shop.call('resetPassword', '/user/resetpassword', {
    query: { shelfid: store },
    body: `<ResetPassword><Token>${token}</Token><Password>${NEW_PASSWORD}</Password>${list}</ResetPassword>`,
  });
};
const readRemainingMethods = async ({ id }: Customer) => {
  const selectRows = (table: 'passkeys' | 'identities') =>
    passkeyShop.shop.db.selectFrom(table).selectAll().where('user_id', '=', id).where('store_id', '=', store).execute();
  const devices = passkeyShop.shop.db
    .selectFrom('devices')
    .select('id')
    .where('user_id', '=', id)
    .where('removed_at', 'is', null);
  return {
    passkeys: (await selectRows('passkeys')).length,
    issuers: (await selectRows('identities')).map((row) => Reflect.get(row, 'issuer') as string).toSorted(),
    devices: (await devices.execute()).map((row) => row.id),
  };
};

describe('the sign-in methods of an account', () => {
  test('the sign-in methods of an account are returned to the holder of a valid link', async () => {
    const customer = await createCustomerWithMethods();
    const [passkey] = await passkeyShop.list(customer);
    const { status, value } = await readMethods(await newResetToken(customer));
    expect([status, value]).toEqual([
      200,
      {
        ways: [
          { kind: 'passkey', wayId: passkey?.passkeyId, name: 'Laptop key' },
          { kind: 'provider', wayId: 'sso', name: 'Lamplight' },
          { kind: 'phone', wayId: 'phone', name: 'Phone' },
          { kind: 'device', wayId: 'telephone', name: 'telephone', usedAt: expect.any(String) as unknown },
        ],
      },
    ]);
  });

  test('sign-in methods added before the address was verified are marked as always removed, and are removed', async () => {
    const customer = await createCustomerWithMethods();
    await passkeyShop.shop.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', customer.id).execute();
    const token = await newResetToken(customer);
    const { ways } = (await readMethods(token)).value as { ways: { kind: string; always?: boolean }[] };
    expect(ways.map(({ kind, always }) => [kind, always])).toEqual([
      ['passkey', true],
      ['provider', true],
      ['phone', true],
      ['device', true],
    ]);
    await resetPassword(token);
    expect(await readRemainingMethods(customer)).toEqual({ passkeys: 0, issuers: [], devices: [] });
  });

  test('the sign-in methods of an account are not returned for any other link', async () => {
    const customer = await createCustomerWithMethods();
    const usedToken = await newResetToken(customer);
    await resetPassword(usedToken);
    const otherStore = await passkeyShop.shop.store();
    for (const [token, shelfid] of [
      [usedToken, store],
      ['A'.repeat(43), store],
      [customer.query.accesstoken, store],
      [await newResetToken(customer), otherStore],
    ] as const)
      expect(await readMethods(token, shelfid)).toMatchObject({ status: 409, value: { code: 'link_over' } });
  });

  test('sign-in methods can be requested with invalid links sixty times from one network', async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 61; attempt += 1) statuses.push((await readMethods('A'.repeat(43))).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a password reset', () => {
  test('a password reset removes the selected sign-in methods, and no others', async () => {
    const customer = await createCustomerWithMethods();
    const [passkey] = await passkeyShop.list(customer);
    const selectedMethods = [
      { Kind: 'passkey', WayId: passkey?.passkeyId ?? '' },
      { Kind: 'provider', WayId: 'sso' },
    ];
    expect((await resetPassword(await newResetToken(customer), selectedMethods)).status).toBe(200);
    expect(await readRemainingMethods(customer)).toEqual({ passkeys: 0, issuers: ['phone'], devices: ['telephone'] });
    expect((await passkeyShop.readAuditKinds(customer)).slice(-3)).toEqual([
      'passkey_removed',
      'provider_removed',
      'password_reset',
    ]);
  });

  test('a password reset removes phones and devices, too', async () => {
    const customer = await createCustomerWithMethods();
    const selectedMethods = [
      { Kind: 'phone', WayId: 'phone' },
      { Kind: 'device', WayId: 'telephone' },
    ];
    expect((await resetPassword(await newResetToken(customer), selectedMethods)).status).toBe(200);
    expect(await readRemainingMethods(customer)).toEqual({ passkeys: 1, issuers: ['https://sso.example'], devices: [] });
  });

  test('a password reset removes no method that was not selected', async () => {
    const customer = await createCustomerWithMethods();
    expect((await resetPassword(await newResetToken(customer))).status).toBe(200);
    expect(await readRemainingMethods(customer)).toEqual({
      passkeys: 1,
      issuers: ['https://sso.example', 'phone'],
      devices: ['telephone'],
    });
  });

  test('a password reset ignores a method that no longer exists, and leaves other customers’ methods', async () => {
    const [customer, otherCustomer] = [await createCustomerWithMethods(), await createCustomer(passkeyShop.shop, store)];
    await passkeyShop.addDevice(otherCustomer);
    const [otherPasskey] = await passkeyShop.list(otherCustomer);
    const selectedMethods = [
      { Kind: 'passkey', WayId: otherPasskey?.passkeyId ?? '' },
      { Kind: 'provider', WayId: 'gone' },
    ];
    expect((await resetPassword(await newResetToken(customer), selectedMethods)).status).toBe(200);
    expect((await readRemainingMethods(otherCustomer)).passkeys).toBe(1);
  });

  test('a password reset with an unknown kind of method is refused, and the link stays valid', async () => {
    const customer = await createCustomerWithMethods();
    const token = await newResetToken(customer);
    expect((await resetPassword(token, [{ Kind: 'telepathy', WayId: 'x' }])).status).toBe(400);
    expect((await resetPassword(token)).status).toBe(200);
  });
});

test('after sign-ins on 205 devices, a reset link lists the last fifty and can remove all known devices', async () => {
  const customer = await createCustomerWithMethods();
  for (let device = 0; device < 205; device += 1) await signIn(customer.email, `device-${device}`);
  const token = await newResetToken(customer);
  const { ways } = (await readMethods(token)).value as { ways: { kind: string; wayId: string }[] };
  const devices = ways.filter(({ kind }) => kind === 'device').map(({ wayId }) => wayId);
  expect(devices.toSorted()).toEqual(Array.from({ length: 50 }, (_, device) => `device-${155 + device}`));
  const knownDevices = passkeyShop.shop.db
    .selectFrom('devices')
    .select('id')
    .where('user_id', '=', customer.id)
    .where('secret_hash', 'is not', null);
  expect((await knownDevices.orderBy('last_seen_at').execute()).map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, device) => `device-${185 + device}`),
  );
  const selectedMethods = ways.map(({ kind, wayId }) => ({ Kind: kind, WayId: wayId }));
  expect((await resetPassword(token, selectedMethods)).status).toBe(200);
  expect(await readRemainingMethods(customer)).toEqual({ passkeys: 0, issuers: [], devices: [] });
});

describe('a customer who did not change the account', () => {
  const requestReset = (email: string, extraQuery: object) =>
    passkeyShop.shop.call('forgotPassword', '/user/forgotpassword', {
      query: { shelfid: store, appid: 'web', email, ...extraQuery },
    });

  test('a request for a link by a customer who did not change the account sets a flag in the link', async () => {
    const { email } = await createCustomer(passkeyShop.shop, store);
    await requestReset(email, { notme: true });
    await requestReset(email, {});
    const emails = await readEmailsTo(passkeyShop.shop, email);
    expect(emails.map((message) => getEmailLinks(message).map((link) => new URL(link).search))).toEqual([['?notme=1'], ['']]);
  });

  test.each([
    ['password-changed', ['/forgotpassword?notme=1']],
    ['provider-joined', ['/forgotpassword', '/forgotpassword?notme=1']],
    ['provider-added', ['/account', '/forgotpassword?notme=1']],
    ['provider-removed', ['/account', '/forgotpassword?notme=1']],
    ['passkey-added', ['/account', '/forgotpassword?notme=1']],
    ['passkey-removed', ['/account', '/forgotpassword?notme=1']],
  ] as const)('the e-mail %s has a link with the flag of a customer who did not change the account', async (kind, paths) => {
    for (const language of ['en', 'zh', 'es', 'fr', 'it'] as const) {
      const email = `${randomUUID()}@example.org`;
      await enqueueEmail(passkeyShop.shop.db, { storeId: store, kind, email, language, origin: 'http://localhost' });
      const [message] = await readEmailsTo(passkeyShop.shop, email);
      expect(getEmailLinks(message)).toEqual(paths.map((path) => `http://localhost${path}`));
      for (const path of paths) expect(message?.html).toContain(`href="http://localhost${path}"`);
    }
  });
});

describe('a session with an old sign-in', () => {
  test('a session with an old sign-in removes neither a passkey nor a provider', async () => {
    const customer = await createCustomerWithMethods();
    const [passkey] = await passkeyShop.list(customer);
    await passkeyShop.shop.db
      .updateTable('tokens')
      .set({ created_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', customer.id)
      .execute();
    const expectedRefusal = { status: 409, value: { code: 'sign_in_again' } };
    expect(await passkeyShop.remove(customer, passkey?.passkeyId ?? '')).toMatchObject(expectedRefusal);
    const { query } = customer;
    const body = { providerId: 'sso' };
    expect(await passkeyShop.shop.call('removeProvider', '/user/ways/remove', { query, body })).toMatchObject(expectedRefusal);
    expect(await readRemainingMethods(customer)).toMatchObject({ passkeys: 1, issuers: ['https://sso.example', 'phone'] });
  });
});
