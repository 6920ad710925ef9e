import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { Authenticator, type CredentialDeviation } from '../support/authenticator.ts';
import { createCustomer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import {
  openPasskeyShop,
  jsonRefusal,
  xmlRefusal,
  type ListedPasskey,
  type PasskeyShop,
  type Session,
} from '../support/passkeys.ts';

let passkeyShop: PasskeyShop;
let store: string;
beforeAll(async () => {
  passkeyShop = await openPasskeyShop();
});
// Each test has its own store, since a network's passkey calls are counted per store.
beforeEach(async () => {
  store = await passkeyShop.shop.store();
});
afterAll(() => passkeyShop.close());

describe('adding a passkey', () => {
  test('adding a passkey requests a credential for this account', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const options = await passkeyShop.fetchCreationOptions(customer);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: `Books <of> ${store}` },
      user: { name: customer.email },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    const challengeRows = await passkeyShop.shop.db.selectFrom('passkey_challenges').selectAll().execute();
    expect(JSON.stringify(challengeRows)).not.toContain(options.challenge);
  });

  test('adding a passkey lists the passkey, and notifies the customer by e-mail and in the audit log', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    expect(await passkeyShop.list(customer)).toEqual([]);
    await passkeyShop.addDevice(customer, 'Laptop <1>');
    const device = new Authenticator();
    const response = await passkeyShop.add(
      customer,
      device.create(await passkeyShop.fetchCreationOptions(customer)),
      ' Telephone ',
    );
    const { added, passkeys } = response.value as { added: string; passkeys: ListedPasskey[] };
    expect(passkeys.map(({ name }) => name)).toEqual(['Telephone', 'Laptop <1>']);
    expect(passkeys[0]).toMatchObject({ passkeyId: added });
    expect(passkeys[0]).not.toHaveProperty('lastUsedAt');
    expect(await passkeyShop.list(customer)).toEqual(passkeys);
    expect(response.text).not.toContain(device.id);
    expect((await passkeyShop.readAuditKinds(customer)).slice(2)).toEqual(['passkey_added', 'passkey_added']);
    const emails = await readEmailsTo(passkeyShop.shop, customer.email);
    expect(emails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => `You can now sign in to Books <of> ${store} with a new passkey`),
    );
    expect(emails[0]?.text).toContain('/account');
  });

  test('adding a passkey excludes existing passkeys, so that the device makes no second one', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const options = await passkeyShop.fetchCreationOptions(customer);
    expect(options.excludeCredentials).toMatchObject([{ id: device.id }]);
    expect(await passkeyShop.add(customer, device.create(options))).toMatchObject(jsonRefusal('passkey_known'));
    expect(await passkeyShop.list(customer)).toHaveLength(1);
  });

  test('adding a passkey needs a recent sign-in: a person at an open browser cannot take over the account', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    await passkeyShop.shop.db
      .updateTable('tokens')
      .set({ created_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', customer.id)
      .execute();
    expect(await passkeyShop.start(customer)).toMatchObject(jsonRefusal('sign_in_again'));
  });

  test('adding a passkey works once for each start, also for concurrent calls', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const options = await passkeyShop.fetchCreationOptions(customer);
    const responses = await Promise.all(
      [new Authenticator(), new Authenticator()].map((authenticator) => passkeyShop.add(customer, authenticator.create(options))),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await passkeyShop.add(customer, new Authenticator().create(options))).toMatchObject(jsonRefusal('passkey_over'));
    expect(await passkeyShop.list(customer)).toHaveLength(1);
  });

  test('adding a passkey expires after five minutes; the clean-up then deletes the challenge', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const options = await passkeyShop.fetchCreationOptions(customer);
    const challengeQuery = passkeyShop.shop.db
      .selectFrom('passkey_challenges')
      .select('expires_at')
      .where('user_id', '=', customer.id);
    const { expires_at: expiresAt } = await challengeQuery.executeTakeFirstOrThrow();
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(4 * 60_000);
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    const expiry = { expires_at: new Date(Date.now() - 1) };
    await passkeyShop.shop.db.updateTable('passkey_challenges').set(expiry).where('user_id', '=', customer.id).execute();
    expect(await passkeyShop.add(customer, new Authenticator().create(options))).toMatchObject(jsonRefusal('passkey_over'));
    await passkeyShop.fetchCreationOptions(customer);
    await passkeyShop.shop.db.updateTable('passkey_challenges').set(expiry).where('user_id', '=', customer.id).execute();
    await cleanUp(passkeyShop.shop.db);
    expect(await challengeQuery.execute()).toEqual([]);
  });

  test('adding a passkey cannot be finished by another customer, nor used as a sign-in', async () => {
    const [customer, otherCustomer] = [
      await createCustomer(passkeyShop.shop, store),
      await createCustomer(passkeyShop.shop, store),
    ];
    expect(
      await passkeyShop.add(otherCustomer, new Authenticator().create(await passkeyShop.fetchCreationOptions(customer))),
    ).toMatchObject(jsonRefusal('passkey_over'));
    const { challenge } = await passkeyShop.fetchRequestOptions(store);
    const credential = new Authenticator().create(await passkeyShop.fetchCreationOptions(customer), { challenge });
    expect(await passkeyShop.add(customer, credential)).toMatchObject(jsonRefusal('passkey_over'));
    const device = await passkeyShop.addDevice(customer);
    const { challenge: creationChallenge } = await passkeyShop.fetchCreationOptions(customer);
    expect(await passkeyShop.signInWith(device, store, { challenge: creationChallenge })).toMatchObject(
      xmlRefusal('passkey_over'),
    );
  });

  test.each<[string, CredentialDeviation]>([
    ['for another page', { origin: 'http://evil.example' }],
    ['for the shop’s host with another scheme', { origin: 'https://localhost' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without user verification', { unverified: true }],
  ])('a passkey that is made %s is refused', async (_case, deviation) => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const credential = new Authenticator().create(await passkeyShop.fetchCreationOptions(customer), deviation);
    expect(await passkeyShop.add(customer, credential)).toMatchObject(jsonRefusal('passkey_refused'));
    expect(await passkeyShop.list(customer)).toEqual([]);
  });

  test('adding a passkey with malformed data is refused', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const credential = new Authenticator().create(await passkeyShop.fetchCreationOptions(customer));
    const nonsense = Buffer.from('nonsense').toString('base64url');
    for (const changedFields of [{ clientDataJSON: nonsense }, { clientDataJSON: Buffer.from('null').toString('base64url') }]) {
      const response = await passkeyShop.add(customer, { ...credential, response: { ...credential.response, ...changedFields } });
      expect(response).toMatchObject(jsonRefusal('passkey_refused'));
    }
    const malformedCredential = { ...credential, response: { ...credential.response, attestationObject: nonsense } };
    expect(await passkeyShop.add(customer, malformedCredential)).toMatchObject(jsonRefusal('passkey_refused'));
    expect((await passkeyShop.add(customer, { ...credential, id: 'no id!' })).status).toBe(400);
    expect((await passkeyShop.add(customer, {})).status).toBe(400);
  });

  test('a customer can have at most twenty passkeys', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const options = await passkeyShop.fetchCreationOptions(customer);
    const row = { store_id: store, user_id: customer.id, public_key: '', counter: 0, name: 'A device' };
    const rows = Array.from({ length: 20 }, () => ({ ...row, id: randomUUID(), credential_id: randomUUID() }));
    await passkeyShop.shop.db.insertInto('passkeys').values(rows).execute();
    expect(await passkeyShop.start(customer)).toMatchObject(jsonRefusal('passkeys_full'));
    expect(await passkeyShop.add(customer, new Authenticator().create(options))).toMatchObject(jsonRefusal('passkeys_full'));
  });
});

describe('a deleted passkey', () => {
  test('a deleted passkey no longer signs in, and the customer is notified', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const [device, otherDevice] = [
      await passkeyShop.addDevice(customer, 'Laptop'),
      await passkeyShop.addDevice(customer, 'Telephone'),
    ];
    const laptop = (await passkeyShop.list(customer)).find(({ name }) => name === 'Laptop');
    const { status, value } = await passkeyShop.remove(customer, laptop?.passkeyId ?? '');
    expect(status).toBe(200);
    expect((value as { passkeys: ListedPasskey[] }).passkeys.map(({ name }) => name)).toEqual(['Telephone']);
    expect(await passkeyShop.signInWith(device, store)).toMatchObject(xmlRefusal('passkey_refused'));
    expect((await passkeyShop.signInWith(otherDevice, store)).status).toBe(200);
    expect(await passkeyShop.readAuditKinds(customer)).toContain('passkey_removed');
    expect((await readEmailsTo(passkeyShop.shop, customer.email)).at(-1)?.subject).toBe(
      `A passkey for Books <of> ${store} has been deleted`,
    );
    expect((await passkeyShop.remove(customer, laptop?.passkeyId ?? '')).status).toBe(404);
  });

  test('a passkey of another customer cannot be deleted', async () => {
    const [customer, otherCustomer] = [
      await createCustomer(passkeyShop.shop, store),
      await createCustomer(passkeyShop.shop, store),
    ];
    const device = await passkeyShop.addDevice(otherCustomer);
    const [otherPasskey] = await passkeyShop.list(otherCustomer);
    expect((await passkeyShop.remove(customer, otherPasskey?.passkeyId ?? '')).status).toBe(404);
    expect(await passkeyShop.list(customer)).toEqual([]);
    expect((await passkeyShop.signInWith(device, store)).status).toBe(200);
  });
});

describe('the last sign-in method', () => {
  test('the last sign-in method is not deleted, not even by concurrent calls', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    for (const name of ['One', 'Two']) await passkeyShop.addDevice(customer, name);
    await passkeyShop.shop.db.updateTable('users').set({ password_hash: null }).where('id', '=', customer.id).execute();
    const ids = (await passkeyShop.list(customer)).map(({ passkeyId }) => passkeyId);
    const responses = await Promise.all(ids.map((id) => passkeyShop.remove(customer, id)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)).toMatchObject(jsonRefusal('last_way_in'));
    expect(await passkeyShop.list(customer)).toHaveLength(1);
    expect((await passkeyShop.readAuditKinds(customer)).filter((kind) => kind === 'passkey_removed')).toHaveLength(1);
  });
});

describe('a new name', () => {
  test('a customer can rename only their own passkeys', async () => {
    const [customer, otherCustomer] = [
      await createCustomer(passkeyShop.shop, store),
      await createCustomer(passkeyShop.shop, store),
    ];
    const device = await passkeyShop.addDevice(customer, 'Chrome, Linux');
    const [passkey] = await passkeyShop.list(customer);
    const id = passkey?.passkeyId ?? '';
    expect(await passkeyShop.rename(otherCustomer, id, 'Mine')).toMatchObject({ status: 404, value: { code: 'not_found' } });
    expect(await passkeyShop.rename(customer, id, '  ')).toMatchObject({ status: 400, value: { code: 'bad_name' } });
    expect((await passkeyShop.rename(customer, id, 'x'.repeat(101))).status).toBe(400);
    expect(await passkeyShop.rename(customer, id, ' The <blue> key ')).toMatchObject({
      status: 200,
      value: { passkeys: [{ passkeyId: id, name: 'The <blue> key' }] },
    });
    expect((await passkeyShop.signInWith(device, store)).status).toBe(200);
    expect(await passkeyShop.list(customer)).toMatchObject([{ name: 'The <blue> key' }]);
  });
});

describe('passkeys and their account', () => {
  test('passkeys are deleted with their account', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const options = await passkeyShop.fetchCreationOptions(customer);
    const headers = { authorization: `Bearer ${customer.query.accesstoken}` };
    expect((await passkeyShop.shop.call('deleteUser', '/user/delete', { query: { shelfid: store }, headers })).status).toBe(200);
    for (const table of ['passkeys', 'passkey_challenges'] as const)
      expect(await passkeyShop.shop.db.selectFrom(table).selectAll().where('user_id', '=', customer.id).execute(), table).toEqual(
        [],
      );
    expect(await passkeyShop.signInWith(device, store)).toMatchObject(xmlRefusal('passkey_refused'));
    expect((await passkeyShop.add(customer, new Authenticator().create(options))).status).toBe(401);
  });

  test('passkeys are in the customer’s data export, without their keys', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer, 'Laptop');
    const { value, text } = await passkeyShop.shop.call('userData', '/user/data', { query: customer.query });
    expect(value).toMatchObject({ passkeys: [{ name: 'Laptop', lastUsedAt: null }] });
    expect(text).not.toContain(device.id);
  });

  test('passkeys that another person may have made are revoked when the owner of the address resets the password', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const resetPassword = async () =>
      passkeyShop.shop.call('resetPassword', '/user/resetpassword', {
        query: { shelfid: store },
        body: `<ResetPassword><Token>${await issueResetToken(passkeyShop.shop.db, { storeId: store, userId: customer.id, email: customer.email })}</Token><Password>battery staple</Password></ResetPassword>`,
      });
    expect((await resetPassword()).status).toBe(200);
    expect(await passkeyShop.signInWith(device, store)).toMatchObject(xmlRefusal('passkey_refused'));
    // From now on, the address is verified, and new passkeys are the owner's.
    const { value } = await passkeyShop.shop.call('signIn', '/user/signin', {
      query: { shelfid: store, appid: 'web' },
      headers: { authorization: `Basic ${Buffer.from(`${customer.email}:battery staple`).toString('base64')}` },
    });
    const ownerDevice = await passkeyShop.addDevice({ query: { shelfid: store, accesstoken: (value as Session).IdToken } });
    expect((await resetPassword()).status).toBe(200);
    expect((await passkeyShop.signInWith(ownerDevice, store)).status).toBe(200);
  });
});

test('a customer without an e-mail address can add passkeys, and gets no e-mails', async () => {
  const customer = await createCustomer(passkeyShop.shop, store);
  await passkeyShop.shop.db.updateTable('users').set({ email: '', email_key: '' }).where('id', '=', customer.id).execute();
  const options = await passkeyShop.fetchCreationOptions(customer);
  expect(options.user.name).toBe('Ann & Co');
  expect((await passkeyShop.add(customer, new Authenticator().create(options))).status).toBe(200);
  expect(await passkeyShop.shop.db.selectFrom('letters').selectAll().where('email', '=', '').execute()).toEqual([]);
});
