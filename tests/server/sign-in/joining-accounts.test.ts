import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { createCustomer, type Customer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { newEmail, openProviderShop, refusal, type ProviderShop } from '../support/provider-shop.ts';

let providerShop: ProviderShop;
beforeAll(async () => {
  providerShop = await openProviderShop();
});
afterAll(() => providerShop.close());

/** The kinds of an account's audit log entries, oldest first. */
const readAuditKinds = async (userId: string): Promise<string[]> => {
  const log = providerShop.shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', userId).orderBy('id');
  return (await log.execute()).map(({ kind }) => kind);
};

describe('an account with the same address', () => {
  const markVerified = (customer: Customer) =>
    providerShop.shop.db.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', customer.id).execute();

  test('an account is joined when it and the provider have verified the same address, and keeps its password and sessions', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    await markVerified(customer);
    const session = await providerShop.signInSession(
      providerShop.createAccount({ email: customer.email.toUpperCase(), email_verified: true }),
    );
    expect(session.UserId).toBe(customer.id);
    expect(await readAuditKinds(customer.id)).toEqual(['signed_up', 'signed_in', 'provider_joined', 'signed_in']);
    expect([
      await providerShop.readPasswordSignInStatus(customer.email),
      await providerShop.isTokenValid(customer.query.accesstoken),
    ]).toEqual([200, true]);
    expect(await readEmailsTo(providerShop.shop, customer.email)).toEqual([]);
  });

  test('an account that another person may have made is joined, and its earlier sign-in methods are revoked', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    const ownerSubject = providerShop.createAccount({ email: customer.email, email_verified: true, name: 'The owner' });
    const resetToken = await issueResetToken(providerShop.shop.db, {
      storeId: providerShop.store,
      userId: customer.id,
      email: customer.email,
    });
    const session = await providerShop.signInSession(ownerSubject);
    expect(session.UserId).toBe(customer.id);
    expect([
      await providerShop.readPasswordSignInStatus(customer.email),
      await providerShop.isTokenValid(customer.query.accesstoken),
    ]).toEqual([401, false]);
    const { value } = await providerShop.shop.call('validateResetToken', `/user/token/${resetToken}`, {
      query: { shelfid: providerShop.store },
    });
    expect(value).toEqual({ Valid: false });
    expect(await providerShop.isTokenValid(session.IdToken)).toBe(true);
    const [message] = await readEmailsTo(providerShop.shop, customer.email);
    expect(message?.subject).toBe(`You signed in to Books <of> ${providerShop.store} in another way`);
    // From now on, the account is the owner's.
    expect((await providerShop.signInSession(ownerSubject)).UserId).toBe(customer.id);
    expect(await readEmailsTo(providerShop.shop, customer.email)).toHaveLength(1);
  });

  test('an account is never joined by an address that the provider has not verified', async () => {
    const customer = await createCustomer(providerShop.shop, providerShop.store);
    for (const email_verified of [false, undefined]) {
      const subject = providerShop.createAccount({
        email: customer.email,
        ...(email_verified === undefined ? {} : { email_verified }),
      });
      expect(await providerShop.signInAs(subject)).toMatchObject(refusal(409, 'email_unverified'));
    }
    expect([
      await providerShop.readPasswordSignInStatus(customer.email),
      await providerShop.isTokenValid(customer.query.accesstoken),
    ]).toEqual([200, true]);
    expect(await providerShop.shop.db.selectFrom('identities').selectAll().where('user_id', '=', customer.id).execute()).toEqual(
      [],
    );
  });

  test('an account made with an unverified address is returned to the owner of the address', async () => {
    const email = newEmail();
    const thief = providerShop.createAccount({ email, email_verified: false });
    const { UserId, IdToken } = await providerShop.signInSession(thief);
    expect(await readAuditKinds(UserId)).toEqual(['signed_up', 'signed_in']);
    const owner = await providerShop.signInSession(
      providerShop.createAccount({ email, email_verified: true }, providerShop.other),
      'other',
    );
    expect(owner.UserId).toBe(UserId);
    expect(await providerShop.isTokenValid(IdToken)).toBe(false);
    expect(await providerShop.signInAs(thief)).toMatchObject(refusal(409, 'email_unverified'));
  });

  test('an account made with an unverified address is returned to the owner by an e-mailed link as well', async () => {
    const email = newEmail();
    const thief = providerShop.createAccount({ email, email_verified: false });
    const { UserId } = await providerShop.signInSession(thief);
    const token = await issueResetToken(providerShop.shop.db, { storeId: providerShop.store, userId: UserId, email });
    const response = await providerShop.resetPassword(token, 'battery staple');
    expect(response.status).toBe(200);
    expect(await providerShop.readPasswordSignInStatus(email, 'battery staple')).toBe(200);
    expect((await providerShop.readUserRow(UserId)).email_verified_at).not.toBeNull();
    expect(await providerShop.signInAs(thief)).toMatchObject(refusal(409, 'email_unverified'));
  });

  test('an account with the same address in another store is not joined', async () => {
    const customer = await createCustomer(providerShop.shop, await providerShop.shop.store());
    const { UserId } = await providerShop.signInSession(
      providerShop.createAccount({ email: customer.email, email_verified: true }),
    );
    expect(UserId).not.toBe(customer.id);
  });
});

describe('an account made by a provider', () => {
  test('an account made by a provider gets a password with an e-mailed link, and keeps a provider that verified the address', async () => {
    const email = newEmail();
    const subject = providerShop.createAccount({ email, email_verified: true });
    const { UserId } = await providerShop.signInSession(subject);
    const token = await issueResetToken(providerShop.shop.db, { storeId: providerShop.store, userId: UserId, email });
    await providerShop.resetPassword(token, 'battery staple');
    expect(await providerShop.readPasswordSignInStatus(email, 'battery staple')).toBe(200);
    expect((await providerShop.signInSession(subject)).UserId).toBe(UserId);
  });

  test('an account made by a provider is deleted with the provider’s data; the same person then gets a new account', async () => {
    const subject = providerShop.createAccount({});
    const { UserId, IdToken } = await providerShop.signInSession(subject);
    const { status } = await providerShop.shop.call('deleteUser', '/user/delete', {
      query: { shelfid: providerShop.store },
      headers: { authorization: `Bearer ${IdToken}` },
    });
    expect(status).toBe(200);
    expect(await providerShop.shop.db.selectFrom('identities').selectAll().where('user_id', '=', UserId).execute()).toEqual([]);
    expect(await providerShop.shop.db.selectFrom('letters').selectAll().where('email', '=', '').execute()).toEqual([]);
    expect((await providerShop.signInSession(subject)).UserId).not.toBe(UserId);
  });
});
