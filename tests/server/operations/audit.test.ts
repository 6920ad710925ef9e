import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAuditLog } from '../../../server/kernel/audit.ts';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { basicAuth, createCustomer, PASSWORD, type Customer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const selectAuditLog = ({ id }: Pick<Customer, 'id'>) =>
  shop.db.selectFrom('audit_log').selectAll().where('store_id', '=', store).where('user_id', '=', id).orderBy('id').execute();
const selectAuditKinds = async (customer: Customer) => (await selectAuditLog(customer)).map(({ kind }) => kind);
const signIn = (email: string, password: string) =>
  shop.call('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web', deviceid: 'telephone', devicename: 'Telephone' },
    headers: basicAuth(email, password),
  });
const saveDetails = ({ query }: Customer, details: string) =>
  shop.call('saveUserDetails', '/user/details', { query, body: `<UserDetails>${details}</UserDetails>` });

test('actions on an account are logged in order, without any typed input', async () => {
  const customer = await createCustomer(shop, store);
  await signIn(customer.email, 'a wrong guess');
  await signIn(customer.email, PASSWORD);
  await shop.call('deregisterDevice', '/user/devices/deregister', {
    query: customer.query,
    body: '<DeregisterDevice><DeviceId>telephone</DeviceId></DeregisterDevice>',
  });
  await saveDetails(customer, `<CurrentPassword>${PASSWORD}</CurrentPassword><NewPassword>battery staple</NewPassword>`);
  await shop.call('forgotPassword', '/user/forgotpassword', { query: { shelfid: store, appid: 'web', email: customer.email } });
  await readEmailsTo(shop, customer.email);
  const token = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
  await shop.call('resetPassword', '/user/resetpassword', {
    query: { shelfid: store },
    body: `<ResetPassword><Token>${token}</Token><Password>${PASSWORD}</Password></ResetPassword>`,
  });
  expect(await selectAuditKinds(customer)).toEqual([
    'signed_up',
    'signed_in',
    'wrong_password',
    'signed_in',
    'device_signed_out',
    'password_changed',
    'password_link_sent',
    'password_reset',
  ]);
  const text = JSON.stringify(await selectAuditLog(customer));
  for (const input of [customer.email, PASSWORD, 'a wrong guess', 'battery staple', token]) expect(text).not.toContain(input);
});

test('a failed sign-in with an unknown e-mail is logged without an account', async () => {
  const entriesBefore = await shop.db.selectFrom('audit_log').select('id').where('user_id', 'is', null).execute();
  await signIn(`${randomUUID()}@example.org`, PASSWORD);
  const entriesAfter = await shop.db.selectFrom('audit_log').select('kind').where('user_id', 'is', null).execute();
  expect(entriesAfter).toHaveLength(entriesBefore.length + 1);
});

test('a changed e-mail is logged, and a refused change is not', async () => {
  const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
  const changeEmail = (email: string) =>
    saveDetails(customer, `<Email>${email}</Email><CurrentPassword>${PASSWORD}</CurrentPassword>`);
  expect((await changeEmail(otherCustomer.email)).status).toBe(409);
  expect((await changeEmail(`${randomUUID()}@example.org`)).status).toBe(200);
  expect((await selectAuditKinds(customer)).filter((kind) => kind === 'email_changed')).toHaveLength(1);
});

test('a deleted account leaves no network in the log, and entries older than half a year are deleted', async () => {
  const customer = await createCustomer(shop, store);
  const { accesstoken } = customer.query;
  await shop.call('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${accesstoken}` },
  });
  const log = await selectAuditLog(customer);
  expect(log.map(({ kind }) => kind)).toEqual(['signed_up', 'signed_in', 'account_deleted']);
  expect(new Set(log.map(({ network }) => network))).toEqual(new Set(['']));
  await writeAuditLog(shop.db, 'signed_in', { storeId: store, userId: customer.id, address: '2001:db8:1:2:3:4:5:6' });
  expect((await selectAuditLog(customer)).at(-1)?.network).toBe('2001:db8:1:2::/64');
  const longAgo = new Date(Date.now() - 181 * 24 * 60 * 60 * 1000);
  await shop.db.updateTable('audit_log').set({ at: longAgo }).where('user_id', '=', customer.id).execute();
  await cleanUp(shop.db);
  expect(await selectAuditLog(customer)).toEqual([]);
});
