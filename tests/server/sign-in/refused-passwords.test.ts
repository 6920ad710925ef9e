import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { basicAuth, createCustomer, PASSWORD, signUpXml } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  const properties = shop.db.updateTable('properties').where('store_id', '=', store).where('name', '=', 'ShelfName');
  await properties.set({ value: 'Quay Books', translations: JSON.stringify({ fr: { value: 'Livres du Quai' } }) }).execute();
});
afterAll(() => shop.close());

const email = 'Ann.Marlow7@example.org';

/**
 * All calls that set a new password, each for an account with the address `email`.
 * @returns the response
 */
const passwordCalls: Record<string, (password: string) => Promise<{ status: number; value: unknown }>> = {
  'at sign-up': (password) =>
    shop.call('signUp', '/user/signup', {
      query: { shelfid: store, appid: 'web' },
      headers: basicAuth(email, password),
      body: signUpXml(email),
    }),
  'by a link': async (password) => {
    const { id, token } = await createCustomerWithResetLink();
    const body = `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`;
    const response = await shop.call('resetPassword', '/user/resetpassword', { query: { shelfid: store }, body });
    await shop.db.deleteFrom('tokens').where('user_id', '=', id).execute();
    return response;
  },
  'in the account': async (password) => {
    const { query } = await createCustomerWithEmail();
    const body = `<UserDetails><CurrentPassword>${PASSWORD}</CurrentPassword><NewPassword>${password}</NewPassword></UserDetails>`;
    return shop.call('saveUserDetails', '/user/details', { query, body });
  },
};

/** Creates a customer with the address `email`, which any earlier customer loses. */
async function createCustomerWithEmail() {
  const unusedEmail = `${randomUUID()}@example.org`;
  await shop.db.updateTable('users').set({ email: unusedEmail, email_key: unusedEmail }).where('email', '=', email).execute();
  const customer = await createCustomer(shop, store);
  await shop.db.updateTable('users').set({ email, email_key: email.toLowerCase() }).where('id', '=', customer.id).execute();
  return customer;
}

async function createCustomerWithResetLink() {
  const { id } = await createCustomerWithEmail();
  return { id, token: await issueResetToken(shop.db, { storeId: store, userId: id, email }) };
}

describe.each(Object.entries(passwordCalls))('setting a password %s', (_case, setPassword) => {
  test.each(['password', '12345678', 'PassWord1', ' password ', 'qwertyuiop', 'Password123!', 'contraseña'])(
    'a new password that many people use is refused: “%s”',
    async (password) => {
      expect(await setPassword(password)).toMatchObject({ status: 400, value: { Code: 'common_password' } });
    },
  );

  test('a new password with a simple pattern is refused', async () => {
    expect(await setPassword('00000000')).toMatchObject({ status: 400, value: { Code: 'simple_password' } });
  });

  test.each([email, email.toUpperCase(), 'ann.marlow7', 'AnnMarlow', 'ann-marlow2026!'])(
    'a new password that is the customer’s address, or the part before the @, is refused: “%s”',
    async (password) => {
      expect(await setPassword(password)).toMatchObject({ status: 400, value: { Code: 'password_is_email' } });
    },
  );

  test.each(['Quay Books', 'quaybooks', 'QuayBooks2026', 'quay-books!', 'livres du quai', '2026Quay', 'quayquay'])(
    'a new password that is the shop’s name, in any language, is refused: “%s”',
    async (password) => {
      expect(await setPassword(password)).toMatchObject({ status: 400, value: { Code: 'password_is_shop' } });
    },
  );

  test('a new password with fewer than 8 characters is refused', async () => {
    expect(await setPassword('short')).toMatchObject({ status: 400 });
  });

  test.each(['quay books at night', 'a lamp, a password', 'annabel lee reads'])(
    'a new password that is hard to guess is accepted: “%s”',
    async (password) => {
      await createCustomerWithEmail();
      await shop.db.updateTable('users').set({ email: 'x', email_key: randomUUID() }).where('email', '=', email).execute();
      expect(await setPassword(password)).toMatchObject({ status: 200 });
    },
  );
});

test('a reset link is not used up by a refused password', async () => {
  const { token } = await createCustomerWithResetLink();
  const resetPassword = async (password: string) => {
    const body = `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`;
    return (await shop.call('resetPassword', '/user/resetpassword', { query: { shelfid: store }, body })).status;
  };
  expect([await resetPassword('password'), await resetPassword('a lamp on the quay')]).toEqual([400, 200]);
});
