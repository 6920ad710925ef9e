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
  const { value } = await shop.ask('signIn', '/user/signin', { query, headers: basicAuth(email, PASSWORD) });
  return { deviceid, accesstoken: (value as { IdToken: string }).IdToken };
};
const readDevices = async ({ query }: Pick<Customer, 'query'>) =>
  ((await shop.ask('userDevices', '/user/devices', { query })).value as { Device?: ListedDevice[] }).Device ?? [];
const readDeviceNames = async (customer: Customer) => (await readDevices(customer)).map(({ Name }) => Name);
const deregister = ({ query }: Pick<Customer, 'query'>, id: string) =>
  shop.ask('deregisterDevice', '/user/devices/deregister', {
    query,
    body: `<DeregisterDevice><DeviceId>${id}</DeviceId></DeregisterDevice>`,
  });
const isLive = async (accesstoken: string) =>
  (await shop.ask('userDevices', '/user/devices', { query: { shelfid: store, accesstoken } })).status === 200;

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
  const again = await signIn(customer, 'Phone', phone.deviceid);
  expect(await deregister(customer, phone.deviceid)).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  expect(await readDeviceNames(customer)).toEqual(['Laptop']);
  expect(await Promise.all([phone, again, laptop].map((each) => isLive(each.accesstoken)))).toEqual([false, false, true]);
  expect((await deregister(customer, phone.deviceid)).status).toBe(404);
  await signIn(customer, 'Phone', phone.deviceid);
  expect(await readDeviceNames(customer)).toEqual(['Phone', 'Laptop']);
});

test('a device is signed out only by a session with a recent sign-in', async () => {
  const customer = await createCustomer(shop, store);
  const phone = await signIn(customer, 'Phone');
  await ageSession(shop, customer);
  expect(await deregister(customer, phone.deviceid)).toMatchObject({ status: 409, value: { Code: 'sign_in_again' } });
  expect(await isLive(phone.accesstoken)).toBe(true);
});

test('a signed-out device that the account does not know is not listed', async () => {
  const customer = await createCustomer(shop, store);
  const old = await signIn(customer, 'An old phone');
  await shop.db.updateTable('tokens').set({ revoked_at: new Date() }).where('device_id', '=', old.deviceid).execute();
  await shop.db.updateTable('devices').set({ secret_hash: null }).where('id', '=', old.deviceid).execute();
  const here = await signIn(customer, 'A new one');
  expect(await readDeviceNames({ ...customer, query: { ...customer.query, accesstoken: here.accesstoken } })).toEqual([
    'A new one',
  ]);
});

test('signing out ends only its own session; a device that the account knows stays listed', async () => {
  const customer = await createCustomer(shop, store);
  const [phone, laptop] = [await signIn(customer, 'Phone'), await signIn(customer, 'Laptop')];
  const out = () =>
    shop.ask('signOut', '/user/signout', { query: { shelfid: store, accesstoken: phone.accesstoken }, method: 'POST' });
  expect(await out()).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  expect(await Promise.all([phone, laptop].map((each) => isLive(each.accesstoken)))).toEqual([false, true]);
  // Its customer can remove it from the list, so that the account no longer knows it.
  expect((await readDevices(customer)).map(({ Name, SignedIn }) => [Name, SignedIn])).toEqual([
    ['Laptop', true],
    ['Phone', false],
  ]);
  await shop.db.updateTable('tokens').set({ expires_at: new Date() }).where('device_id', '=', laptop.deviceid).execute();
  expect((await readDevices(customer)).map(({ SignedIn }) => SignedIn)).toEqual([false, false]);
  expect((await out()).status).toBe(401);
});

test('a customer cannot sign out another customer’s device, even with the same id', async () => {
  const [one, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
  const phone = await signIn(other, 'Phone');
  expect((await deregister(one, phone.deviceid)).status).toBe(404);
  await signIn(one, 'My phone', phone.deviceid);
  expect((await deregister(one, phone.deviceid)).status).toBe(200);
  expect(await readDeviceNames(other)).toEqual(['Phone']);
  expect(await isLive(phone.accesstoken)).toBe(true);
});

test('a device that is signed out is no longer known: its attempts count as a stranger’s', async () => {
  const customer = await createCustomer(shop, store);
  const phone = await signIn(customer, 'Phone');
  await deregister(customer, phone.deviceid);
  const row = await shop.db.selectFrom('devices').select('removed_at').where('id', '=', phone.deviceid).executeTakeFirst();
  expect(row?.removed_at).not.toBeNull();
});

test('a repeated sign-in leaves one device and its five latest sessions', async () => {
  const customer = await createCustomer(shop, store);
  const { deviceid } = await signIn(customer, 'Phone');
  const sent = await Promise.all(Array.from({ length: 8 }, () => signIn(customer, 'Phone', deviceid)));
  const last = await signIn(customer, 'Phone', deviceid);
  expect(await readDeviceNames(customer)).toEqual(['Phone']);
  expect(await isLive(last.accesstoken)).toBe(true);
  const live = await Promise.all(sent.map(({ accesstoken }) => isLive(accesstoken)));
  expect(live.filter(Boolean)).toHaveLength(4);
  expect(await isLive(customer.query.accesstoken)).toBe(true);
});

test.each(['', 'x'.repeat(200), '../etc'])('an invalid device id “%s” is refused', async (id) => {
  expect([400, 404]).toContain((await deregister(await createCustomer(shop, store), id)).status);
});
