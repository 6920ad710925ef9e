import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { queueLetter } from '../../../server/mail/queue.ts';
import { linksIn } from '../../../tools/shop/letters.ts';
import { basic, customerOf, PASSWORD, type Customer } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { openPasskeyShop, type PasskeyShop } from '../support/passkeys.ts';

let at: PasskeyShop;
let store: string;
beforeAll(async () => {
  at = await openPasskeyShop();
});
// Links that one network tries are counted by store.
beforeEach(async () => {
  store = await at.shop.store({
    providers: [
      { kind: 'oidc', id: 'sso', name: 'Lamplight', issuer: 'https://sso.example', clientId: 'shop', clientSecret: 'secret' },
      { kind: 'phone', id: 'phone', name: 'Phone' },
    ],
  });
});
afterAll(() => at.close());

const NEW = 'battery staple';

const signIn = async (email: string, device: string, password = PASSWORD): Promise<string> => {
  const query = { shelfid: store, appid: 'web', deviceid: device, devicename: device };
  const { value } = await at.shop.ask('signIn', '/user/signin', { query, headers: basic(email, password) });
  return (value as { IdToken: string }).IdToken;
};

/** A customer whose address is verified, with a way into the account of every kind. */
async function customerWithWays(): Promise<Customer> {
  const customer = await customerOf(at.shop, store);
  await at.shop.db.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', customer.id).execute();
  await at.deviceOf(customer, 'Laptop key');
  const identity = { store_id: store, user_id: customer.id };
  await at.shop.db
    .insertInto('identities')
    .values([
      { ...identity, issuer: 'https://sso.example', subject: randomUUID() },
      { ...identity, issuer: 'phone', subject: '+447400900123' },
    ])
    .execute();
  await signIn(customer.email, 'telephone');
  return customer;
}

const tokenFor = ({ id, email }: Customer) => issueResetToken(at.shop.db, { storeId: store, userId: id, email });
const waysOf = (token: string, shelfid = store) => at.shop.ask('resetWays', `/user/token/${token}/ways`, { query: { shelfid } });
const reset = (token: string, removed: { Kind: string; WayId: string }[] = []) => {
  const ways = removed.map(({ Kind, WayId }) => `<RemovedWay><Kind>${Kind}</Kind><WayId>${WayId}</WayId></RemovedWay>`).join('');
  const list = removed.length === 0 ? '' : `<RemovedWays>${ways}</RemovedWays>`;
  return at.shop.ask('resetPassword', '/user/resetpassword', {
    query: { shelfid: store },
    body: `<ResetPassword><Token>${token}</Token><Password>${NEW}</Password>${list}</ResetPassword>`,
  });
};
const left = async ({ id }: Customer) => {
  const rows = (table: 'passkeys' | 'identities') =>
    at.shop.db.selectFrom(table).selectAll().where('user_id', '=', id).where('store_id', '=', store).execute();
  const devices = at.shop.db.selectFrom('devices').select('id').where('user_id', '=', id).where('removed_at', 'is', null);
  return {
    passkeys: (await rows('passkeys')).length,
    issuers: (await rows('identities')).map((row) => Reflect.get(row, 'issuer') as string).toSorted(),
    devices: (await devices.execute()).map((row) => row.id),
  };
};

describe('the ways into an account', () => {
  test('are sent to the holder of a link that is good', async () => {
    const customer = await customerWithWays();
    const [passkey] = await at.list(customer);
    const { status, value } = await waysOf(await tokenFor(customer));
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

  test('that opened it before its address was confirmed are said to go in any case, and go', async () => {
    const customer = await customerWithWays();
    await at.shop.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', customer.id).execute();
    const token = await tokenFor(customer);
    const { ways } = (await waysOf(token)).value as { ways: { kind: string; always?: boolean }[] };
    expect(ways.map(({ kind, always }) => [kind, always])).toEqual([
      ['passkey', true],
      ['provider', true],
      ['phone', true],
      ['device', true],
    ]);
    await reset(token);
    expect(await left(customer)).toEqual({ passkeys: 0, issuers: [], devices: [] });
  });

  test('are sent to the holder of no other link', async () => {
    const customer = await customerWithWays();
    const used = await tokenFor(customer);
    await reset(used);
    const other = await at.shop.store();
    for (const [token, shelfid] of [
      [used, store],
      ['A'.repeat(43), store],
      [customer.query.accesstoken, store],
      [await tokenFor(customer), other],
    ] as const)
      expect(await waysOf(token, shelfid)).toMatchObject({ status: 409, value: { code: 'link_over' } });
  });

  test('of bad links are looked at sixty times in a quarter of an hour from one network', async () => {
    const statuses = [];
    for (let time = 0; time < 61; time += 1) statuses.push((await waysOf('A'.repeat(43))).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a password reset', () => {
  test('removes the ways that were chosen with it, and no others', async () => {
    const customer = await customerWithWays();
    const [passkey] = await at.list(customer);
    const chosen = [
      { Kind: 'passkey', WayId: passkey?.passkeyId ?? '' },
      { Kind: 'provider', WayId: 'sso' },
    ];
    expect((await reset(await tokenFor(customer), chosen)).status).toBe(200);
    expect(await left(customer)).toEqual({ passkeys: 0, issuers: ['phone'], devices: ['telephone'] });
    expect((await at.logOf(customer)).slice(-3)).toEqual(['passkey_removed', 'provider_removed', 'password_reset']);
  });

  test('removes telephones and devices, too', async () => {
    const customer = await customerWithWays();
    const chosen = [
      { Kind: 'phone', WayId: 'phone' },
      { Kind: 'device', WayId: 'telephone' },
    ];
    expect((await reset(await tokenFor(customer), chosen)).status).toBe(200);
    expect(await left(customer)).toEqual({ passkeys: 1, issuers: ['https://sso.example'], devices: [] });
  });

  test('removes none that was not chosen', async () => {
    const customer = await customerWithWays();
    expect((await reset(await tokenFor(customer))).status).toBe(200);
    expect(await left(customer)).toEqual({
      passkeys: 1,
      issuers: ['https://sso.example', 'phone'],
      devices: ['telephone'],
    });
  });

  test('passes over a way that is gone, and touches no other customer’s', async () => {
    const [customer, other] = [await customerWithWays(), await customerOf(at.shop, store)];
    await at.deviceOf(other);
    const [theirs] = await at.list(other);
    const chosen = [
      { Kind: 'passkey', WayId: theirs?.passkeyId ?? '' },
      { Kind: 'provider', WayId: 'gone' },
    ];
    expect((await reset(await tokenFor(customer), chosen)).status).toBe(200);
    expect((await left(other)).passkeys).toBe(1);
  });

  test('with a way of a kind that is unknown is refused, and the link stays good', async () => {
    const customer = await customerWithWays();
    const token = await tokenFor(customer);
    expect((await reset(token, [{ Kind: 'telepathy', WayId: 'x' }])).status).toBe(400);
    expect((await reset(token)).status).toBe(200);
  });
});

test('after 205 sign-ins on different devices, a reset sends back and removes all that are listed', async () => {
  const customer = await customerWithWays();
  for (let device = 0; device < 205; device += 1) await signIn(customer.email, `device-${device}`);
  const token = await tokenFor(customer);
  const { ways } = (await waysOf(token)).value as { ways: { kind: string; wayId: string }[] };
  const devices = ways.filter(({ kind }) => kind === 'device').map(({ wayId }) => wayId);
  expect(devices.toSorted()).toEqual(Array.from({ length: 50 }, (_, device) => `device-${155 + device}`));
  const known = at.shop.db
    .selectFrom('devices')
    .select('id')
    .where('user_id', '=', customer.id)
    .where('secret_hash', 'is not', null);
  expect((await known.orderBy('last_seen_at').execute()).map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, device) => `device-${185 + device}`),
  );
  const chosen = ways.map(({ kind, wayId }) => ({ Kind: kind, WayId: wayId }));
  expect((await reset(token, chosen)).status).toBe(200);
  expect(await left(customer)).toEqual({ passkeys: 0, issuers: [], devices: [] });
});

describe('a customer who did not change the account', () => {
  const forgot = (email: string, more: object) =>
    at.shop.ask('forgotPassword', '/user/forgotpassword', { query: { shelfid: store, appid: 'web', email, ...more } });

  test('says so in the request for a link, and the link says it again', async () => {
    const { email } = await customerOf(at.shop, store);
    await forgot(email, { notme: true });
    await forgot(email, {});
    const letters = await sentTo(at.shop, email);
    expect(letters.map((letter) => linksIn(letter).map((link) => new URL(link).search))).toEqual([['?notme=1'], ['']]);
  });

  test.each([
    ['password-changed', ['/forgotpassword?notme=1']],
    ['provider-joined', ['/forgotpassword', '/forgotpassword?notme=1']],
    ['provider-added', ['/account', '/forgotpassword?notme=1']],
    ['provider-removed', ['/account', '/forgotpassword?notme=1']],
    ['passkey-added', ['/account', '/forgotpassword?notme=1']],
    ['passkey-removed', ['/account', '/forgotpassword?notme=1']],
  ] as const)('is led from the e-mail %s to a link that says so', async (kind, paths) => {
    for (const language of ['en', 'zh', 'es', 'fr', 'it'] as const) {
      const email = `${randomUUID()}@example.org`;
      await queueLetter(at.shop.db, { storeId: store, kind, email, language, origin: 'http://localhost' });
      const [letter] = await sentTo(at.shop, email);
      expect(linksIn(letter)).toEqual(paths.map((path) => `http://localhost${path}`));
      for (const path of paths) expect(letter?.html).toContain(`href="http://localhost${path}"`);
    }
  });
});

describe('a session of longer ago', () => {
  test('removes neither a passkey nor a provider', async () => {
    const customer = await customerWithWays();
    const [passkey] = await at.list(customer);
    await at.shop.db
      .updateTable('tokens')
      .set({ created_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', customer.id)
      .execute();
    const again = { status: 409, value: { code: 'sign_in_again' } };
    expect(await at.remove(customer, passkey?.passkeyId ?? '')).toMatchObject(again);
    const { query } = customer;
    const body = { providerId: 'sso' };
    expect(await at.shop.ask('removeProvider', '/user/ways/remove', { query, body })).toMatchObject(again);
    expect(await left(customer)).toMatchObject({ passkeys: 1, issuers: ['https://sso.example', 'phone'] });
  });
});
