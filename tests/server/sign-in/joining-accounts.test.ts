import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { customerOf, type Customer } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { newEmail, openProviderShop, refusal, type ProviderShop } from '../support/provider-shop.ts';

let at: ProviderShop;
beforeAll(async () => {
  at = await openProviderShop();
});
afterAll(() => at.close());

/** What was done with an account. */
const logOf = async (userId: string): Promise<string[]> => {
  const log = at.shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', userId).orderBy('id');
  return (await log.execute()).map(({ kind }) => kind);
};

describe('an account with the same address', () => {
  const verify = (customer: Customer) =>
    at.shop.db.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', customer.id).execute();

  test('is joined when both have shown that the address is theirs, and keeps its password and sessions', async () => {
    const customer = await customerOf(at.shop, at.store);
    await verify(customer);
    const session = await at.sessionOf(at.person({ email: customer.email.toUpperCase(), email_verified: true }));
    expect(session.UserId).toBe(customer.id);
    expect(await logOf(customer.id)).toEqual(['signed_up', 'signed_in', 'provider_joined', 'signed_in']);
    expect([await at.byPassword(customer.email), await at.isLive(customer.query.accesstoken)]).toEqual([200, true]);
    expect(await sentTo(at.shop, customer.email)).toEqual([]);
  });

  test('that somebody else may have made is joined, and what opened it before opens it no more', async () => {
    const customer = await customerOf(at.shop, at.store);
    const stranger = at.person({ email: customer.email, email_verified: true, name: 'The owner' });
    const link = await issueResetToken(at.shop.db, { storeId: at.store, userId: customer.id, email: customer.email });
    const session = await at.sessionOf(stranger);
    expect(session.UserId).toBe(customer.id);
    expect([await at.byPassword(customer.email), await at.isLive(customer.query.accesstoken)]).toEqual([401, false]);
    const { value } = await at.shop.ask('validateResetToken', `/user/token/${link}`, { query: { shelfid: at.store } });
    expect(value).toEqual({ Valid: false });
    expect(await at.isLive(session.IdToken)).toBe(true);
    const [letter] = await sentTo(at.shop, customer.email);
    expect(letter?.subject).toBe(`You signed in to Books <of> ${at.store} in another way`);
    // From then on it is the owner's.
    expect((await at.sessionOf(stranger)).UserId).toBe(customer.id);
    expect(await sentTo(at.shop, customer.email)).toHaveLength(1);
  });

  test('is never joined by an address that the provider has not seen to be its own', async () => {
    const customer = await customerOf(at.shop, at.store);
    for (const email_verified of [false, undefined]) {
      const subject = at.person({ email: customer.email, ...(email_verified === undefined ? {} : { email_verified }) });
      expect(await at.signInAs(subject)).toMatchObject(refusal(409, 'email_unverified'));
    }
    expect([await at.byPassword(customer.email), await at.isLive(customer.query.accesstoken)]).toEqual([200, true]);
    expect(await at.shop.db.selectFrom('identities').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('made by an unverified address is given back to whoever owns the address', async () => {
    const email = newEmail();
    const thief = at.person({ email, email_verified: false });
    const { UserId, IdToken } = await at.sessionOf(thief);
    expect(await logOf(UserId)).toEqual(['signed_up', 'signed_in']);
    const owner = await at.sessionOf(at.person({ email, email_verified: true }, at.other), 'other');
    expect(owner.UserId).toBe(UserId);
    expect(await at.isLive(IdToken)).toBe(false);
    expect(await at.signInAs(thief)).toMatchObject(refusal(409, 'email_unverified'));
  });

  test('is given back by the link of a letter as well', async () => {
    const email = newEmail();
    const thief = at.person({ email, email_verified: false });
    const { UserId } = await at.sessionOf(thief);
    const token = await issueResetToken(at.shop.db, { storeId: at.store, userId: UserId, email });
    const reset = await at.resetPassword(token, 'battery staple');
    expect(reset.status).toBe(200);
    expect(await at.byPassword(email, 'battery staple')).toBe(200);
    expect((await at.userRow(UserId)).email_verified_at).not.toBeNull();
    expect(await at.signInAs(thief)).toMatchObject(refusal(409, 'email_unverified'));
  });

  test('of another store is another account', async () => {
    const customer = await customerOf(at.shop, await at.shop.store());
    const { UserId } = await at.sessionOf(at.person({ email: customer.email, email_verified: true }));
    expect(UserId).not.toBe(customer.id);
  });
});

describe('an account that came by a provider', () => {
  test('gets a password by the link of a letter, and keeps the provider whose word was good', async () => {
    const email = newEmail();
    const subject = at.person({ email, email_verified: true });
    const { UserId } = await at.sessionOf(subject);
    const token = await issueResetToken(at.shop.db, { storeId: at.store, userId: UserId, email });
    await at.resetPassword(token, 'battery staple');
    expect(await at.byPassword(email, 'battery staple')).toBe(200);
    expect((await at.sessionOf(subject)).UserId).toBe(UserId);
  });

  test('is forgotten with what the provider says of it; who comes again is new', async () => {
    const subject = at.person({});
    const { UserId, IdToken } = await at.sessionOf(subject);
    const { status } = await at.shop.ask('deleteUser', '/user/delete', {
      query: { shelfid: at.store },
      headers: { authorization: `Bearer ${IdToken}` },
    });
    expect(status).toBe(200);
    expect(await at.shop.db.selectFrom('identities').selectAll().where('user_id', '=', UserId).execute()).toEqual([]);
    expect(await at.shop.db.selectFrom('letters').selectAll().where('email', '=', '').execute()).toEqual([]);
    expect((await at.sessionOf(subject)).UserId).not.toBe(UserId);
  });
});
