import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken, issueResetToken } from '../../../server/accounts/tokens.ts';
import { getFirstLink } from '../../../tools/shop/emails.ts';
import { Authenticator } from '../support/authenticator.ts';
import { basicAuth, createCustomer, PASSWORD, type Customer } from '../support/customers.ts';
import { runBeforeQuery } from '../support/interrupt.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { passkeyCalls, type PasskeyCalls } from '../support/passkeys.ts';
import { newEmail, openProviderShop, refusal, type ProviderShop, type Session } from '../support/provider-shop.ts';

let providerShop: ProviderShop;
let passkeys: PasskeyCalls;
beforeAll(async () => {
  providerShop = await openProviderShop();
  passkeys = passkeyCalls(providerShop.shop);
});
afterAll(() => providerShop.close());

const NEW_PASSWORD = 'battery staple';

const resetByLink = async (userId: string) => {
  const { email } = await providerShop.userRow(userId);
  const token = await issueResetToken(providerShop.shop.db, { storeId: providerShop.store, userId, email });
  const { status } = await providerShop.resetPassword(token, NEW_PASSWORD);
  expect(status).toBe(200);
};
const saveDetails = ({ query }: Pick<Customer, 'query'>, details: string) =>
  providerShop.shop.ask('saveUserDetails', '/user/details', { query, body: `<UserDetails>${details}</UserDetails>` });
const changePassword = (customer: Customer, next = NEW_PASSWORD) =>
  saveDetails(customer, `<CurrentPassword>${PASSWORD}</CurrentPassword><NewPassword>${next}</NewPassword>`);
const signIn = (email: string, password = PASSWORD) =>
  providerShop.shop.ask('signIn', '/user/signin', {
    query: { shelfid: providerShop.store, appid: 'web' },
    headers: basicAuth(email, password),
  });
const countSessions = async (userId: string): Promise<number> =>
  (
    await providerShop.shop.db
      .selectFrom('tokens')
      .select('hash')
      .where('user_id', '=', userId)
      .where('kind', '=', 'access')
      .where('revoked_at', 'is', null)
      .execute()
  ).length;
const changeEmail = (userId: string, email: string) =>
  providerShop.shop.db
    .updateTable('users')
    .set({ email, email_key: email, email_verified_at: null })
    .where('id', '=', userId)
    .execute();
const removeProvider = ({ query }: Pick<Customer, 'query'>) =>
  providerShop.shop.ask('removeProvider', '/user/ways/remove', { query, body: { providerId: 'sso' } });

describe('a sign-in in progress', () => {
  test('with the old password is refused when a link sets a new one', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () => resetByLink(customer.id));
    expect((await signIn(customer.email)).status).toBe(401);
    came();
    expect(await countSessions(customer.id)).toBe(0);
    expect(await providerShop.passwordSignInStatus(customer.email, NEW_PASSWORD)).toBe(200);
  });

  test('with the old password is refused when the account gets a new one', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () => changePassword(customer));
    expect((await signIn(customer.email)).status).toBe(401);
    came();
    expect(await countSessions(customer.id)).toBe(1);
  });

  test('leaves no session with the old password, in any order of concurrent calls', async () => {
    for (let run = 0; run < 8; run += 1) {
      const customer = await createCustomer(providerShop.shop, providerShop.store);
      await Promise.all([signIn(customer.email), resetByLink(customer.id), signIn(customer.email)]);
      expect(await countSessions(customer.id)).toBe(0);
    }
  });

  test('with a password is refused when a provider proves that the address is another person’s', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const owner = providerShop.createAccount({ email: customer.email, email_verified: true });
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', async () => {
      expect((await providerShop.signInSession(owner)).UserId).toBe(customer.id);
    });
    expect((await signIn(customer.email)).status).toBe(401);
    came();
    expect(await countSessions(customer.id)).toBe(1);
  });

  test('with a passkey is refused when the passkey is deleted', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const device = await passkeys.addDevice(customer);
    const [{ passkeyId } = { passkeyId: '' }] = await passkeys.list(customer);
    const came = runBeforeQuery(providerShop.shop, 'UpdateQueryNode', 'passkeys', async () => {
      expect((await passkeys.remove(customer, passkeyId)).status).toBe(200);
    });
    expect(await passkeys.signInWith(device, providerShop.store)).toMatchObject(refusal(409, 'passkey_refused'));
    came();
    expect(await countSessions(customer.id)).toBe(1);
  });

  test('with a provider is refused when the provider is removed', async () => {
    const subject = providerShop.createAccount({ email: newEmail(), email_verified: true });
    const { UserId, IdToken } = await providerShop.signInSession(subject);
    await resetByLink(UserId);
    const { value } = await signIn((await providerShop.userRow(UserId)).email, NEW_PASSWORD);
    const owner = { query: { shelfid: providerShop.store, accesstoken: (value as Session).IdToken } };
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'identities', async () => {
      expect((await removeProvider(owner)).status).toBe(200);
    });
    expect(await providerShop.signInAs(subject)).toMatchObject(refusal(409, 'sign_in_over'));
    came();
    expect([await providerShop.isLive(IdToken), await countSessions(UserId)]).toEqual([false, 1]);
  });

  test('with a provider is refused when the address is proved to be another person’s', async () => {
    const email = newEmail();
    const thief = providerShop.createAccount({ email, email_verified: false });
    const { UserId } = await providerShop.signInSession(thief);
    const owner = providerShop.createAccount({ email, email_verified: true }, providerShop.other);
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'identities', async () => {
      expect((await providerShop.signInSession(owner, 'other')).UserId).toBe(UserId);
    });
    expect(await providerShop.signInAs(thief)).toMatchObject(refusal(409, 'sign_in_over'));
    came();
    expect(await countSessions(UserId)).toBe(1);
  });
});

describe('a session that ends during its call', () => {
  test('adds no passkey', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const made = new Authenticator().create(await passkeys.creationFor(customer));
    const came = runBeforeQuery(providerShop.shop, 'DeleteQueryNode', 'passkey_challenges', () => resetByLink(customer.id));
    expect((await passkeys.add(customer, made)).status).toBe(401);
    came();
    expect(await providerShop.shop.db.selectFrom('passkeys').selectAll().where('user_id', '=', customer.id).execute()).toEqual(
      [],
    );
  });

  test('connects no provider', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const { query } = customer;
    const { value } = await providerShop.shop.ask('startJoining', '/user/ways/start', { query, body: { providerId: 'sso' } });
    const { state, code, iss } = await providerShop.returnedFrom((value as { url: string }).url, providerShop.createAccount({}));
    const came = runBeforeQuery(providerShop.shop, 'DeleteQueryNode', 'provider_sign_ins', () => resetByLink(customer.id));
    const body = { state, code, issuer: iss };
    expect((await providerShop.shop.ask('joinProvider', '/user/ways/join', { query, body })).status).toBe(401);
    came();
    expect(await providerShop.shop.db.selectFrom('identities').selectAll().where('user_id', '=', customer.id).execute()).toEqual(
      [],
    );
  });

  test('changes neither address nor password', async () => {
    for (const details of [`<Email>${newEmail()}</Email>`, '<NewPassword>the thief’s own</NewPassword>']) {
      const customer = await createCustomer(providerShop.shop, providerShop.store);
      const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () => resetByLink(customer.id));
      const { status } = await saveDetails(customer, `${details}<CurrentPassword>${PASSWORD}</CurrentPassword>`);
      came();
      expect([status, await providerShop.passwordSignInStatus(customer.email, NEW_PASSWORD)]).toEqual([401, 200]);
    }
  });
});

test('a current password that the same session has just changed is refused as wrong', async () => {
  const customer = await createCustomer(providerShop.shop, providerShop.store);
  const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () => changePassword(customer));
  expect(await changePassword(customer, 'another one')).toMatchObject(refusal(400, 'wrong_password'));
  came();
  expect([
    await providerShop.passwordSignInStatus(customer.email, NEW_PASSWORD),
    await providerShop.passwordSignInStatus(customer.email, 'another one'),
  ]).toEqual([200, 401]);
});

describe('a newly changed address', () => {
  test('is not verified by a provider’s statement about the previous address', async () => {
    const email = newEmail();
    const subject = providerShop.createAccount({ email, email_verified: false });
    const { UserId } = await providerShop.signInSession(subject);
    providerShop.sso.accounts.set(subject, { email, email_verified: true });
    const victim = newEmail();
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'identities', () => changeEmail(UserId, victim));
    expect((await providerShop.signInAs(subject)).status).toBe(200);
    came();
    expect(await providerShop.userRow(UserId)).toMatchObject({ email: victim, email_verified_at: null });
  });

  test('is not verified by a link that is being sent to the previous address', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const { email } = customer;
    const query = { shelfid: providerShop.store, appid: 'web', email };
    await providerShop.shop.ask('forgotPassword', '/user/forgotpassword', { query });
    const victim = newEmail();
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'users', () => changeEmail(customer.id, victim));
    const [message] = await readEmailsTo(providerShop.shop, email);
    came();
    const token = getFirstLink(message).split('/').at(-1) ?? '';
    expect(await providerShop.resetPassword(token, NEW_PASSWORD)).toMatchObject(refusal(409, 'link_over'));
    expect(await providerShop.userRow(customer.id)).toMatchObject({ email: victim, email_verified_at: null });
    expect(await providerShop.passwordSignInStatus(victim, NEW_PASSWORD)).toBe(401);
  });

  test('is not verified by a link that is being used', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const { email, id } = customer;
    const token = await issueResetToken(providerShop.shop.db, { storeId: providerShop.store, userId: id, email });
    const victim = newEmail();
    const came = runBeforeQuery(providerShop.shop, 'SelectQueryNode', 'tokens', () => changeEmail(id, victim));
    expect(await providerShop.resetPassword(token, NEW_PASSWORD)).toMatchObject(refusal(409, 'link_over'));
    came();
    expect(await providerShop.userRow(id)).toMatchObject({ email: victim, email_verified_at: null });
    const kept = await providerShop.shop.db
      .selectFrom('tokens')
      .select('revoked_at')
      .where('hash', '=', hashToken(token))
      .execute();
    expect(kept).toEqual([{ revoked_at: null }]);
  });
});
