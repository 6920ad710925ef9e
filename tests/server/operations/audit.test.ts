import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { note } from '../../../server/kernel/audit.ts';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { basic, customerOf, PASSWORD, type Customer } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const logOf = ({ id }: Pick<Customer, 'id'>) =>
  shop.db.selectFrom('audit_log').selectAll().where('store_id', '=', store).where('user_id', '=', id).orderBy('id').execute();
const kindsOf = async (customer: Customer) => (await logOf(customer)).map(({ kind }) => kind);
const signIn = (email: string, password: string) =>
  shop.ask('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web', deviceid: 'telephone', devicename: 'Telephone' },
    headers: basic(email, password),
  });
const save = ({ query }: Customer, details: string) =>
  shop.ask('saveUserDetails', '/user/details', { query, body: `<UserDetails>${details}</UserDetails>` });

test('what is done with an account is written down, in its order, and nothing that was typed', async () => {
  const customer = await customerOf(shop, store);
  await signIn(customer.email, 'a wrong guess');
  await signIn(customer.email, PASSWORD);
  await shop.ask('deregisterDevice', '/user/devices/deregister', {
    query: customer.query,
    body: '<DeregisterDevice><DeviceId>telephone</DeviceId></DeregisterDevice>',
  });
  await save(customer, `<CurrentPassword>${PASSWORD}</CurrentPassword><NewPassword>battery staple</NewPassword>`);
  await shop.ask('forgotPassword', '/user/forgotpassword', { query: { shelfid: store, appid: 'web', email: customer.email } });
  await sentTo(shop, customer.email);
  const token = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
  await shop.ask('resetPassword', '/user/resetpassword', {
    query: { shelfid: store },
    body: `<ResetPassword><Token>${token}</Token><Password>${PASSWORD}</Password></ResetPassword>`,
  });
  expect(await kindsOf(customer)).toEqual([
    'signed_up',
    'signed_in',
    'wrong_password',
    'signed_in',
    'device_signed_out',
    'password_changed',
    'password_link_sent',
    'password_reset',
  ]);
  const text = JSON.stringify(await logOf(customer));
  for (const typed of [customer.email, PASSWORD, 'a wrong guess', 'battery staple', token]) expect(text).not.toContain(typed);
});

test('a guess at an address that nobody has is nobody’s', async () => {
  const before = await shop.db.selectFrom('audit_log').select('id').where('user_id', 'is', null).execute();
  await signIn(`${randomUUID()}@example.org`, PASSWORD);
  const after = await shop.db.selectFrom('audit_log').select('kind').where('user_id', 'is', null).execute();
  expect(after).toHaveLength(before.length + 1);
});

test('a new address is written down, and a refused one is not', async () => {
  const [customer, other] = [await customerOf(shop, store), await customerOf(shop, store)];
  const move = (email: string) => save(customer, `<Email>${email}</Email><CurrentPassword>${PASSWORD}</CurrentPassword>`);
  expect((await move(other.email)).status).toBe(409);
  expect((await move(`${randomUUID()}@example.org`)).status).toBe(200);
  expect((await kindsOf(customer)).filter((kind) => kind === 'email_changed')).toHaveLength(1);
});

test('a deleted account leaves no network behind, and what is half a year old goes', async () => {
  const customer = await customerOf(shop, store);
  const { accesstoken } = customer.query;
  await shop.ask('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${accesstoken}` },
  });
  const log = await logOf(customer);
  expect(log.map(({ kind }) => kind)).toEqual(['signed_up', 'signed_in', 'account_deleted']);
  expect(new Set(log.map(({ network }) => network))).toEqual(new Set(['']));
  await note(shop.db, 'signed_in', { storeId: store, userId: customer.id, address: '2001:db8:1:2:3:4:5:6' });
  expect((await logOf(customer)).at(-1)?.network).toBe('2001:db8:1:2::/64');
  const longAgo = new Date(Date.now() - 181 * 24 * 60 * 60 * 1000);
  await shop.db.updateTable('audit_log').set({ at: longAgo }).where('user_id', '=', customer.id).execute();
  await cleanUp(shop.db);
  expect(await logOf(customer)).toEqual([]);
});
