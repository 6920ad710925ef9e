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
 * Every way to set a new password.
 * @returns the response, for an account with this address
 */
const passwordCalls: Record<string, (password: string) => Promise<{ status: number; value: unknown }>> = {
  'at sign-up': (password) =>
    shop.ask('signUp', '/user/signup', {
      query: { shelfid: store, appid: 'web' },
      headers: basicAuth(email, password),
      body: signUpXml(email),
    }),
  'by a link': async (password) => {
    const { id, token } = await customerWithResetLink();
    const body = `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`;
    const answer = await shop.ask('resetPassword', '/user/resetpassword', { query: { shelfid: store }, body });
    await shop.db.deleteFrom('tokens').where('user_id', '=', id).execute();
    return answer;
  },
  'in the account': async (password) => {
    const { query } = await customer();
    const body = `<UserDetails><CurrentPassword>${PASSWORD}</CurrentPassword><NewPassword>${password}</NewPassword></UserDetails>`;
    return shop.ask('saveUserDetails', '/user/details', { query, body });
  },
};

/** A customer with the address, which is taken from any earlier customer. */
async function customer() {
  const gone = `${randomUUID()}@example.org`;
  await shop.db.updateTable('users').set({ email: gone, email_key: gone }).where('email', '=', email).execute();
  const made = await createCustomer(shop, store);
  await shop.db.updateTable('users').set({ email, email_key: email.toLowerCase() }).where('id', '=', made.id).execute();
  return made;
}

async function customerWithResetLink() {
  const { id } = await customer();
  return { id, token: await issueResetToken(shop.db, { storeId: store, userId: id, email }) };
}

describe.each(Object.entries(passwordCalls))('a new password %s', (_way, give) => {
  test.each(['password', '12345678', 'PassWord1', ' password ', 'qwertyuiop', 'Password123!', 'contraseña'])(
    'that many people use is refused: “%s”',
    async (password) => {
      expect(await give(password)).toMatchObject({ status: 400, value: { Code: 'common_password' } });
    },
  );

  test('with a simple pattern is refused', async () => {
    expect(await give('00000000')).toMatchObject({ status: 400, value: { Code: 'simple_password' } });
  });

  test.each([email, email.toUpperCase(), 'ann.marlow7', 'AnnMarlow', 'ann-marlow2026!'])(
    'that is the customer’s address, or the part before the @, is refused: “%s”',
    async (password) => {
      expect(await give(password)).toMatchObject({ status: 400, value: { Code: 'password_is_email' } });
    },
  );

  test.each(['Quay Books', 'quaybooks', 'QuayBooks2026', 'quay-books!', 'livres du quai', '2026Quay', 'quayquay'])(
    'that is the shop’s name, in any language, is refused: “%s”',
    async (password) => {
      expect(await give(password)).toMatchObject({ status: 400, value: { Code: 'password_is_shop' } });
    },
  );

  test('with fewer than 8 characters is refused', async () => {
    expect(await give('short')).toMatchObject({ status: 400 });
  });

  test.each(['quay books at night', 'a lamp, a password', 'annabel lee reads'])('is accepted: “%s”', async (password) => {
    await customer();
    await shop.db.updateTable('users').set({ email: 'x', email_key: randomUUID() }).where('email', '=', email).execute();
    expect(await give(password)).toMatchObject({ status: 200 });
  });
});

test('a link is not used up by a refused password', async () => {
  const { token } = await customerWithResetLink();
  const reset = async (password: string) => {
    const body = `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`;
    return (await shop.ask('resetPassword', '/user/resetpassword', { query: { shelfid: store }, body })).status;
  };
  expect([await reset('password'), await reset('a lamp on the quay')]).toEqual([400, 200]);
});
