import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken, issueResetToken } from '../../../server/accounts/tokens.ts';
import { linkIn } from '../../../tools/shop/letters.ts';
import { Authenticator } from '../support/authenticator.ts';
import { basic, customerOf, PASSWORD, type Customer } from '../support/customers.ts';
import { interrupt } from '../support/interrupt.ts';
import { sentTo } from '../support/outbox.ts';
import { addingPasskeys, type PasskeyCalls } from '../support/passkeys.ts';
import { newEmail, openProviderShop, refusal, type ProviderShop, type Session } from '../support/provider-shop.ts';

let at: ProviderShop;
let passkeys: PasskeyCalls;
beforeAll(async () => {
  at = await openProviderShop();
  passkeys = addingPasskeys(at.shop);
});
afterAll(() => at.close());

const NEW = 'battery staple';

const reset = async (userId: string) => {
  const { email } = await at.userRow(userId);
  const token = await issueResetToken(at.shop.db, { storeId: at.store, userId, email });
  const { status } = await at.resetPassword(token, NEW);
  expect(status).toBe(200);
};
const save = ({ query }: Pick<Customer, 'query'>, details: string) =>
  at.shop.ask('saveUserDetails', '/user/details', { query, body: `<UserDetails>${details}</UserDetails>` });
const change = (customer: Customer, next = NEW) =>
  save(customer, `<CurrentPassword>${PASSWORD}</CurrentPassword><NewPassword>${next}</NewPassword>`);
const signIn = (email: string, password = PASSWORD) =>
  at.shop.ask('signIn', '/user/signin', { query: { shelfid: at.store, appid: 'web' }, headers: basic(email, password) });
const liveSessions = async (userId: string): Promise<number> =>
  (
    await at.shop.db
      .selectFrom('tokens')
      .select('hash')
      .where('user_id', '=', userId)
      .where('kind', '=', 'access')
      .where('revoked_at', 'is', null)
      .execute()
  ).length;
const moveTo = (userId: string, email: string) =>
  at.shop.db.updateTable('users').set({ email, email_key: email, email_verified_at: null }).where('id', '=', userId).execute();
const removeProvider = ({ query }: Pick<Customer, 'query'>) =>
  at.shop.ask('removeProvider', '/user/ways/remove', { query, body: { providerId: 'sso' } });

describe('a sign-in that is under way', () => {
  test('with the old password is refused when a link sets a new one', async () => {
    const customer = await customerOf(at.shop, at.store);
    const came = interrupt(at.shop, 'SelectQueryNode', 'password_hash', () => reset(customer.id));
    expect((await signIn(customer.email)).status).toBe(401);
    came();
    expect(await liveSessions(customer.id)).toBe(0);
    expect(await at.byPassword(customer.email, NEW)).toBe(200);
  });

  test('with the old password is refused when the account gets a new one', async () => {
    const customer = await customerOf(at.shop, at.store);
    const came = interrupt(at.shop, 'SelectQueryNode', 'password_hash', () => change(customer));
    expect((await signIn(customer.email)).status).toBe(401);
    came();
    expect(await liveSessions(customer.id)).toBe(1);
  });

  test('leaves no session behind, in any order of many at the same moment', async () => {
    for (let run = 0; run < 8; run += 1) {
      const customer = await customerOf(at.shop, at.store);
      await Promise.all([signIn(customer.email), reset(customer.id), signIn(customer.email)]);
      expect(await liveSessions(customer.id)).toBe(0);
    }
  });

  test('by a password is refused when a provider shows that the address is another person’s', async () => {
    const customer = await customerOf(at.shop, at.store);
    const owner = at.person({ email: customer.email, email_verified: true });
    const came = interrupt(at.shop, 'SelectQueryNode', 'password_hash', async () => {
      expect((await at.sessionOf(owner)).UserId).toBe(customer.id);
    });
    expect((await signIn(customer.email)).status).toBe(401);
    came();
    expect(await liveSessions(customer.id)).toBe(1);
  });

  test('by a passkey is refused when the passkey is deleted', async () => {
    const customer = await customerOf(at.shop, at.store);
    const device = await passkeys.deviceOf(customer);
    const [{ passkeyId } = { passkeyId: '' }] = await passkeys.list(customer);
    const came = interrupt(at.shop, 'UpdateQueryNode', 'passkeys', async () => {
      expect((await passkeys.remove(customer, passkeyId)).status).toBe(200);
    });
    expect(await passkeys.signInWith(device, at.store)).toMatchObject(refusal(409, 'passkey_refused'));
    came();
    expect(await liveSessions(customer.id)).toBe(1);
  });

  test('by a provider is refused when the provider is removed', async () => {
    const subject = at.person({ email: newEmail(), email_verified: true });
    const { UserId, IdToken } = await at.sessionOf(subject);
    await reset(UserId);
    const { value } = await signIn((await at.userRow(UserId)).email, NEW);
    const owner = { query: { shelfid: at.store, accesstoken: (value as Session).IdToken } };
    const came = interrupt(at.shop, 'SelectQueryNode', 'identities', async () => {
      expect((await removeProvider(owner)).status).toBe(200);
    });
    expect(await at.signInAs(subject)).toMatchObject(refusal(409, 'sign_in_over'));
    came();
    expect([await at.isLive(IdToken), await liveSessions(UserId)]).toEqual([false, 1]);
  });

  test('by a provider is refused when the address is shown to be another person’s', async () => {
    const email = newEmail();
    const thief = at.person({ email, email_verified: false });
    const { UserId } = await at.sessionOf(thief);
    const owner = at.person({ email, email_verified: true }, at.other);
    const came = interrupt(at.shop, 'SelectQueryNode', 'identities', async () => {
      expect((await at.sessionOf(owner, 'other')).UserId).toBe(UserId);
    });
    expect(await at.signInAs(thief)).toMatchObject(refusal(409, 'sign_in_over'));
    came();
    expect(await liveSessions(UserId)).toBe(1);
  });
});

describe('a session that ends during its call', () => {
  test('adds no passkey', async () => {
    const customer = await customerOf(at.shop, at.store);
    const made = new Authenticator().create(await passkeys.creationFor(customer));
    const came = interrupt(at.shop, 'DeleteQueryNode', 'passkey_challenges', () => reset(customer.id));
    expect((await passkeys.add(customer, made)).status).toBe(401);
    came();
    expect(await at.shop.db.selectFrom('passkeys').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('connects no provider', async () => {
    const customer = await customerOf(at.shop, at.store);
    const { query } = customer;
    const { value } = await at.shop.ask('startJoining', '/user/ways/start', { query, body: { providerId: 'sso' } });
    const { state, code, iss } = await at.returnedFrom((value as { url: string }).url, at.person({}));
    const came = interrupt(at.shop, 'DeleteQueryNode', 'provider_sign_ins', () => reset(customer.id));
    const body = { state, code, issuer: iss };
    expect((await at.shop.ask('joinProvider', '/user/ways/join', { query, body })).status).toBe(401);
    came();
    expect(await at.shop.db.selectFrom('identities').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('changes neither address nor password', async () => {
    for (const details of [`<Email>${newEmail()}</Email>`, '<NewPassword>the thief’s own</NewPassword>']) {
      const customer = await customerOf(at.shop, at.store);
      const came = interrupt(at.shop, 'SelectQueryNode', 'password_hash', () => reset(customer.id));
      const { status } = await save(customer, `${details}<CurrentPassword>${PASSWORD}</CurrentPassword>`);
      came();
      expect([status, await at.byPassword(customer.email, NEW)]).toEqual([401, 200]);
    }
  });
});

test('a current password that the same session has just changed changes nothing more', async () => {
  const customer = await customerOf(at.shop, at.store);
  const came = interrupt(at.shop, 'SelectQueryNode', 'password_hash', () => change(customer));
  expect(await change(customer, 'another one')).toMatchObject(refusal(400, 'wrong_password'));
  came();
  expect([await at.byPassword(customer.email, NEW), await at.byPassword(customer.email, 'another one')]).toEqual([200, 401]);
});

describe('an address that an account has just got', () => {
  test('is not verified by a provider’s word about the address before', async () => {
    const email = newEmail();
    const subject = at.person({ email, email_verified: false });
    const { UserId } = await at.sessionOf(subject);
    at.sso.accounts.set(subject, { email, email_verified: true });
    const victim = newEmail();
    const came = interrupt(at.shop, 'SelectQueryNode', 'identities', () => moveTo(UserId, victim));
    expect((await at.signInAs(subject)).status).toBe(200);
    came();
    expect(await at.userRow(UserId)).toMatchObject({ email: victim, email_verified_at: null });
  });

  test('is not verified by a link that is being written to the address before', async () => {
    const customer = await customerOf(at.shop, at.store);
    const { email } = customer;
    const query = { shelfid: at.store, appid: 'web', email };
    await at.shop.ask('forgotPassword', '/user/forgotpassword', { query });
    const victim = newEmail();
    const came = interrupt(at.shop, 'SelectQueryNode', 'users', () => moveTo(customer.id, victim));
    const [letter] = await sentTo(at.shop, email);
    came();
    const token = linkIn(letter).split('/').at(-1) ?? '';
    expect(await at.resetPassword(token, NEW)).toMatchObject(refusal(409, 'link_over'));
    expect(await at.userRow(customer.id)).toMatchObject({ email: victim, email_verified_at: null });
    expect(await at.byPassword(victim, NEW)).toBe(401);
  });

  test('is not verified by a link that is being used', async () => {
    const customer = await customerOf(at.shop, at.store);
    const { email, id } = customer;
    const token = await issueResetToken(at.shop.db, { storeId: at.store, userId: id, email });
    const victim = newEmail();
    const came = interrupt(at.shop, 'SelectQueryNode', 'tokens', () => moveTo(id, victim));
    expect(await at.resetPassword(token, NEW)).toMatchObject(refusal(409, 'link_over'));
    came();
    expect(await at.userRow(id)).toMatchObject({ email: victim, email_verified_at: null });
    const kept = await at.shop.db.selectFrom('tokens').select('revoked_at').where('hash', '=', hashToken(token)).execute();
    expect(kept).toEqual([{ revoked_at: null }]);
  });
});
