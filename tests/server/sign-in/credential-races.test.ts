import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken, issueResetToken } from '../../../server/accounts/tokens.ts';
import { getFirstLink } from '../../../tools/shop/emails.ts';
import { Authenticator } from '../support/authenticator.ts';
import { basicAuth, createCustomer, PASSWORD, type Customer } from '../support/customers.ts';
import { runAfterQuery } from '../support/interrupt.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { createPasskeyCalls, type PasskeyCalls } from '../support/passkeys.ts';
import { newEmail, openProviderShop, refusal, type ProviderShop, type Session } from '../support/provider-shop.ts';

let providerShop: ProviderShop;
let passkeys: PasskeyCalls;
beforeAll(async () => {
  providerShop = await openProviderShop();
  passkeys = createPasskeyCalls(providerShop.shop);
});
afterAll(() => providerShop.close());

const NEW_PASSWORD = 'battery staple';

const resetByLink = async (userId: string) => {
  const { email } = await providerShop.readUserRow(userId);
  const token = await issueResetToken(providerShop.shop.db, { storeId: providerShop.store, userId, email });
  const { status } = await providerShop.resetPassword(token, NEW_PASSWORD);
  expect(status).toBe(200);
};
const saveDetails = ({ query }: Pick<Customer, 'query'>, details: string) =>
  providerShop.shop.call('saveUserDetails', '/user/details', { query, body: `<UserDetails>${details}</UserDetails>` });
const changePassword = (customer: Customer, newPassword = NEW_PASSWORD) =>
  saveDetails(customer, `<CurrentPassword>${PASSWORD}</CurrentPassword><NewPassword>${newPassword}</NewPassword>`);
const signIn = (email: string, password = PASSWORD) =>
  providerShop.shop.call('signIn', '/user/signin', {
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
  providerShop.shop.call('removeProvider', '/user/ways/remove', { query, body: { providerId: 'sso' } });

describe('a sign-in in progress', () => {
  test('a sign-in in progress with the old password is refused when a reset link sets a new password', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () =>
      resetByLink(customer.id),
    );
    expect((await signIn(customer.email)).status).toBe(401);
    expectInterrupted();
    expect(await countSessions(customer.id)).toBe(0);
    expect(await providerShop.readPasswordSignInStatus(customer.email, NEW_PASSWORD)).toBe(200);
  });

  test('a sign-in in progress with the old password is refused when the customer changes the password', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () =>
      changePassword(customer),
    );
    expect((await signIn(customer.email)).status).toBe(401);
    expectInterrupted();
    expect(await countSessions(customer.id)).toBe(1);
  });

  test('no session remains of sign-ins with the old password that are concurrent with a reset', async () => {
    for (let run = 0; run < 8; run += 1) {
      const customer = await createCustomer(providerShop.shop, providerShop.store);
      await Promise.all([signIn(customer.email), resetByLink(customer.id), signIn(customer.email)]);
      expect(await countSessions(customer.id)).toBe(0);
    }
  });

  test('a password sign-in in progress is refused when a provider proves that the address is another person’s', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const owner = providerShop.createAccount({ email: customer.email, email_verified: true });
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', async () => {
      expect((await providerShop.signInSession(owner)).UserId).toBe(customer.id);
    });
    expect((await signIn(customer.email)).status).toBe(401);
    expectInterrupted();
    expect(await countSessions(customer.id)).toBe(1);
  });

  test('a passkey sign-in in progress is refused when the passkey is deleted', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const device = await passkeys.addDevice(customer);
    const [{ passkeyId } = { passkeyId: '' }] = await passkeys.list(customer);
    const expectInterrupted = runAfterQuery(providerShop.shop, 'UpdateQueryNode', 'passkeys', async () => {
      expect((await passkeys.remove(customer, passkeyId)).status).toBe(200);
    });
    expect(await passkeys.signInWith(device, providerShop.store)).toMatchObject(refusal(409, 'passkey_refused'));
    expectInterrupted();
    expect(await countSessions(customer.id)).toBe(1);
  });

  test('a provider sign-in in progress is refused when the provider is removed', async () => {
    const subject = providerShop.createAccount({ email: newEmail(), email_verified: true });
    const { UserId, IdToken } = await providerShop.signInSession(subject);
    await resetByLink(UserId);
    const { value } = await signIn((await providerShop.readUserRow(UserId)).email, NEW_PASSWORD);
    const owner = { query: { shelfid: providerShop.store, accesstoken: (value as Session).IdToken } };
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'identities', async () => {
      expect((await removeProvider(owner)).status).toBe(200);
    });
    expect(await providerShop.signInAs(subject)).toMatchObject(refusal(409, 'sign_in_over'));
    expectInterrupted();
    expect([await providerShop.isTokenValid(IdToken), await countSessions(UserId)]).toEqual([false, 1]);
  });

  test('a provider sign-in in progress is refused when the address is proved to be another person’s', async () => {
    const email = newEmail();
    const thief = providerShop.createAccount({ email, email_verified: false });
    const { UserId } = await providerShop.signInSession(thief);
    const owner = providerShop.createAccount({ email, email_verified: true }, providerShop.other);
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'identities', async () => {
      expect((await providerShop.signInSession(owner, 'other')).UserId).toBe(UserId);
    });
    expect(await providerShop.signInAs(thief)).toMatchObject(refusal(409, 'sign_in_over'));
    expectInterrupted();
    expect(await countSessions(UserId)).toBe(1);
  });
});

describe('a session that ends during its call', () => {
  test('a session that ends during its call adds no passkey', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const credential = new Authenticator().create(await passkeys.fetchCreationOptions(customer));
    const expectInterrupted = runAfterQuery(providerShop.shop, 'DeleteQueryNode', 'passkey_challenges', () =>
      resetByLink(customer.id),
    );
    expect((await passkeys.add(customer, credential)).status).toBe(401);
    expectInterrupted();
    expect(await providerShop.shop.db.selectFrom('passkeys').selectAll().where('user_id', '=', customer.id).execute()).toEqual(
      [],
    );
  });

  test('a session that ends during its call connects no provider', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const { query } = customer;
    const { value } = await providerShop.shop.call('startJoining', '/user/ways/start', { query, body: { providerId: 'sso' } });
    const { state, code, iss } = await providerShop.signInAtUrl((value as { url: string }).url, providerShop.createAccount({}));
    const expectInterrupted = runAfterQuery(providerShop.shop, 'DeleteQueryNode', 'provider_sign_ins', () =>
      resetByLink(customer.id),
    );
    const body = { state, code, issuer: iss };
    expect((await providerShop.shop.call('joinProvider', '/user/ways/join', { query, body })).status).toBe(401);
    expectInterrupted();
    expect(await providerShop.shop.db.selectFrom('identities').selectAll().where('user_id', '=', customer.id).execute()).toEqual(
      [],
    );
  });

  test('a session that ends during its call changes neither address nor password', async () => {
    for (const details of [`<Email>${newEmail()}</Email>`, '<NewPassword>the thief’s password</NewPassword>']) {
      const customer = await createCustomer(providerShop.shop, providerShop.store);
      const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () =>
        resetByLink(customer.id),
      );
      const { status } = await saveDetails(customer, `${details}<CurrentPassword>${PASSWORD}</CurrentPassword>`);
      expectInterrupted();
      expect([status, await providerShop.readPasswordSignInStatus(customer.email, NEW_PASSWORD)]).toEqual([401, 200]);
    }
  });
});

test('a password change is refused as wrong_password if the same session has changed the password in the meantime', async () => {
  const customer = await createCustomer(providerShop.shop, providerShop.store);
  const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'password_hash', () => changePassword(customer));
  expect(await changePassword(customer, 'another one')).toMatchObject(refusal(400, 'wrong_password'));
  expectInterrupted();
  expect([
    await providerShop.readPasswordSignInStatus(customer.email, NEW_PASSWORD),
    await providerShop.readPasswordSignInStatus(customer.email, 'another one'),
  ]).toEqual([200, 401]);
});

describe('a newly changed address', () => {
  test('a newly changed address is not verified by a provider’s statement about the previous address', async () => {
    const email = newEmail();
    const subject = providerShop.createAccount({ email, email_verified: false });
    const { UserId } = await providerShop.signInSession(subject);
    providerShop.sso.accounts.set(subject, { email, email_verified: true });
    const victimEmail = newEmail();
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'identities', () =>
      changeEmail(UserId, victimEmail),
    );
    expect((await providerShop.signInAs(subject)).status).toBe(200);
    expectInterrupted();
    expect(await providerShop.readUserRow(UserId)).toMatchObject({ email: victimEmail, email_verified_at: null });
  });

  test('a newly changed address is not verified by a link that is being sent to the previous address', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const { email } = customer;
    const query = { shelfid: providerShop.store, appid: 'web', email };
    await providerShop.shop.call('forgotPassword', '/user/forgotpassword', { query });
    const victimEmail = newEmail();
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'users', () =>
      changeEmail(customer.id, victimEmail),
    );
    const [message] = await readEmailsTo(providerShop.shop, email);
    expectInterrupted();
    const token = getFirstLink(message).split('/').at(-1) ?? '';
    expect(await providerShop.resetPassword(token, NEW_PASSWORD)).toMatchObject(refusal(409, 'link_over'));
    expect(await providerShop.readUserRow(customer.id)).toMatchObject({ email: victimEmail, email_verified_at: null });
    expect(await providerShop.readPasswordSignInStatus(victimEmail, NEW_PASSWORD)).toBe(401);
  });

  test('a newly changed address is not verified by a link that is being used', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const { email, id } = customer;
    const token = await issueResetToken(providerShop.shop.db, { storeId: providerShop.store, userId: id, email });
    const victimEmail = newEmail();
    const expectInterrupted = runAfterQuery(providerShop.shop, 'SelectQueryNode', 'tokens', () => changeEmail(id, victimEmail));
    expect(await providerShop.resetPassword(token, NEW_PASSWORD)).toMatchObject(refusal(409, 'link_over'));
    expectInterrupted();
    expect(await providerShop.readUserRow(id)).toMatchObject({ email: victimEmail, email_verified_at: null });
    const tokenRows = await providerShop.shop.db
      .selectFrom('tokens')
      .select('revoked_at')
      .where('hash', '=', hashToken(token))
      .execute();
    expect(tokenRows).toEqual([{ revoked_at: null }]);
  });
});
