import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ageSession, basicAuth, createCustomer, PASSWORD, type Customer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

type ListedDevice = { DeviceId: string; Name: string; SignedIn: boolean };

/** Signs in on a device. @returns its id and access token */
const signIn = async ({ email }: Customer, devicename: string, deviceid: string = randomUUID()) => {
  const query = { shelfid: store, appid: 'web', deviceid, devicename };
  const { value } = await shop.call('signIn', '/user/signin', { query, headers: basicAuth(email, PASSWORD) });
  return { deviceid, accesstoken: (value as { IdToken: string }).IdToken };
};
const readDevices = async ({ query }: Pick<Customer, 'query'>) =>
  ((await shop.call('userDevices', '/user/devices', { query })).value as { Device?: ListedDevice[] }).Device ?? [];
const readDeviceNames = async (customer: Customer) => (await readDevices(customer)).map(({ Name }) => Name);
const deregister = ({ query }: Pick<Customer, 'query'>, id: string) =>
  shop.call('deregisterDevice', '/user/devices/deregister', {
    query,
    body: `<DeregisterDevice><DeviceId>${id}</DeviceId></DeregisterDevice>`,
  });
const isTokenValid = async (accesstoken: string) =>
  (await shop.call('userDevices', '/user/devices', { query: { shelfid: store, accesstoken } })).status === 200;

test('the devices are listed, the latest first, each once despite repeated sign-ins [S7.user/devices]', async () => {
  const customer = await createCustomer(shop, store);
  expect(await readDevices(customer)).toEqual([]);
  const phone = await signIn(customer, 'Phone <1>');
  await signIn(customer, 'Laptop');
  await signIn(customer, 'Phone <1>', phone.deviceid);
  expect(await readDeviceNames(customer)).toEqual(['Phone <1>', 'Laptop']);
});

test('a device that is signed out is removed with all its tokens, and returns by signing in [S7.user/devices/deregister]', async () => {
  const customer = await createCustomer(shop, store);
  const [phone, laptop] = [await signIn(customer, 'Phone'), await signIn(customer, 'Laptop')];
  const secondPhoneSession = await signIn(customer, 'Phone', phone.deviceid);
  expect(await deregister(customer, phone.deviceid)).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  expect(await readDeviceNames(customer)).toEqual(['Laptop']);
  expect(await Promise.all([phone, secondPhoneSession, laptop].map((each) => isTokenValid(each.accesstoken)))).toEqual([
    false,
    false,
    true,
  ]);
  expect((await deregister(customer, phone.deviceid)).status).toBe(404);
  await signIn(customer, 'Phone', phone.deviceid);
  expect(await readDeviceNames(customer)).toEqual(['Phone', 'Laptop']);
});

test('a device is signed out only by a session with a recent sign-in', async () => {
  const customer = await createCustomer(shop, store);
  const phone = await signIn(customer, 'Phone');
  await ageSession(shop, customer);
  expect(await deregister(customer, phone.deviceid)).toMatchObject({ status: 409, value: { Code: 'sign_in_again' } });
  expect(await isTokenValid(phone.accesstoken)).toBe(true);
});

test('a signed-out device that the account does not know is not listed', async () => {
  const customer = await createCustomer(shop, store);
  const oldPhone = await signIn(customer, 'An old phone');
  await shop.db.updateTable('tokens').set({ revoked_at: new Date() }).where('device_id', '=', oldPhone.deviceid).execute();
  await shop.db.updateTable('devices').set({ secret_hash: null }).where('id', '=', oldPhone.deviceid).execute();
  const newDevice = await signIn(customer, 'A new one');
  expect(await readDeviceNames({ ...customer, query: { ...customer.query, accesstoken: newDevice.accesstoken } })).toEqual([
    'A new one',
  ]);
});

test('signing out ends only that session; a device that the account knows stays listed', async () => {
  const customer = await createCustomer(shop, store);
  const [phone, laptop] = [await signIn(customer, 'Phone'), await signIn(customer, 'Laptop')];
  const signOut = () =>
    shop.call('signOut', '/user/signout', { query: { shelfid: store, accesstoken: phone.accesstoken }, method: 'POST' });
  expect(await signOut()).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  expect(await Promise.all([phone, laptop].map((each) => isTokenValid(each.accesstoken)))).toEqual([false, true]);
  // The customer can remove a listed device, so that the account no longer knows the device.
  expect((await readDevices(customer)).map(({ Name, SignedIn }) => [Name, SignedIn])).toEqual([
    ['Laptop', true],
    ['Phone', false],
  ]);
  await shop.db.updateTable('tokens').set({ expires_at: new Date() }).where('device_id', '=', laptop.deviceid).execute();
  expect((await readDevices(customer)).map(({ SignedIn }) => SignedIn)).toEqual([false, false]);
  expect((await signOut()).status).toBe(401);
});

test('a customer cannot sign out another customer’s device, even with the same id', async () => {
  const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
  const phone = await signIn(otherCustomer, 'Phone');
  expect((await deregister(customer, phone.deviceid)).status).toBe(404);
  await signIn(customer, 'My phone', phone.deviceid);
  expect((await deregister(customer, phone.deviceid)).status).toBe(200);
  expect(await readDeviceNames(otherCustomer)).toEqual(['Phone']);
  expect(await isTokenValid(phone.accesstoken)).toBe(true);
});

test('a device that is signed out is marked as removed', async () => {
  const customer = await createCustomer(shop, store);
  const phone = await signIn(customer, 'Phone');
  await deregister(customer, phone.deviceid);
  const row = await shop.db.selectFrom('devices').select('removed_at').where('id', '=', phone.deviceid).executeTakeFirst();
  expect(row?.removed_at).not.toBeNull();
});

test('repeated sign-ins on a device leave one device with its five latest sessions', async () => {
  const customer = await createCustomer(shop, store);
  const { deviceid } = await signIn(customer, 'Phone');
  const sessions = await Promise.all(Array.from({ length: 8 }, () => signIn(customer, 'Phone', deviceid)));
  const lastSession = await signIn(customer, 'Phone', deviceid);
  expect(await readDeviceNames(customer)).toEqual(['Phone']);
  expect(await isTokenValid(lastSession.accesstoken)).toBe(true);
  const validFlags = await Promise.all(sessions.map(({ accesstoken }) => isTokenValid(accesstoken)));
  expect(validFlags.filter(Boolean)).toHaveLength(4);
  expect(await isTokenValid(customer.query.accesstoken)).toBe(true);
});

test.each(['', 'x'.repeat(200), '../etc'])('an invalid device id “%s” is refused', async (id) => {
  expect([400, 404]).toContain((await deregister(await createCustomer(shop, store), id)).status);
});
