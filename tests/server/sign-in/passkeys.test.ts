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
// Passkeys started from one network are counted per store.
beforeEach(async () => {
  store = await passkeyShop.shop.store();
});
afterAll(() => passkeyShop.close());

describe('adding a passkey', () => {
  test('requests a credential for this account and no other', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const options = await passkeyShop.creationFor(customer);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: `Books <of> ${store}` },
      user: { name: customer.email },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    const kept = await passkeyShop.shop.db.selectFrom('passkey_challenges').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(options.challenge);
  });

  test('lists it, and notifies the customer by e-mail and in the audit log', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    expect(await passkeyShop.list(customer)).toEqual([]);
    await passkeyShop.addDevice(customer, 'Laptop <1>');
    const device = new Authenticator();
    const answer = await passkeyShop.add(customer, device.create(await passkeyShop.creationFor(customer)), ' Telephone ');
    const { added, passkeys } = answer.value as { added: string; passkeys: ListedPasskey[] };
    expect(passkeys.map(({ name }) => name)).toEqual(['Telephone', 'Laptop <1>']);
    expect(passkeys[0]).toMatchObject({ passkeyId: added });
    expect(passkeys[0]).not.toHaveProperty('lastUsedAt');
    expect(await passkeyShop.list(customer)).toEqual(passkeys);
    expect(answer.text).not.toContain(device.id);
    expect((await passkeyShop.auditKinds(customer)).slice(2)).toEqual(['passkey_added', 'passkey_added']);
    const emails = await readEmailsTo(passkeyShop.shop, customer.email);
    expect(emails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => `You can now sign in to Books <of> ${store} with a new passkey`),
    );
    expect(emails[0]?.text).toContain('/account');
  });

  test('excludes existing passkeys, so that the device makes no second one', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const options = await passkeyShop.creationFor(customer);
    expect(options.excludeCredentials).toMatchObject([{ id: device.id }]);
    expect(await passkeyShop.add(customer, device.create(options))).toMatchObject(jsonRefusal('passkey_known'));
    expect(await passkeyShop.list(customer)).toHaveLength(1);
  });

  test('needs a recent sign-in: a person at an open browser cannot take over the account', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    await passkeyShop.shop.db
      .updateTable('tokens')
      .set({ created_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', customer.id)
      .execute();
    expect(await passkeyShop.start(customer)).toMatchObject(jsonRefusal('sign_in_again'));
  });

  test('works once for each start, also for concurrent calls', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const options = await passkeyShop.creationFor(customer);
    const answers = await Promise.all(
      [new Authenticator(), new Authenticator()].map((each) => passkeyShop.add(customer, each.create(options))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await passkeyShop.add(customer, new Authenticator().create(options))).toMatchObject(jsonRefusal('passkey_over'));
    expect(await passkeyShop.list(customer)).toHaveLength(1);
  });

  test('expires after five minutes, and is then deleted by the clean-up', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const options = await passkeyShop.creationFor(customer);
    const ofCustomer = passkeyShop.shop.db
      .selectFrom('passkey_challenges')
      .select('expires_at')
      .where('user_id', '=', customer.id);
    const { expires_at: ends } = await ofCustomer.executeTakeFirstOrThrow();
    expect(ends.getTime() - Date.now()).toBeGreaterThan(4 * 60_000);
    expect(ends.getTime() - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    const past = { expires_at: new Date(Date.now() - 1) };
    await passkeyShop.shop.db.updateTable('passkey_challenges').set(past).where('user_id', '=', customer.id).execute();
    expect(await passkeyShop.add(customer, new Authenticator().create(options))).toMatchObject(jsonRefusal('passkey_over'));
    await passkeyShop.creationFor(customer);
    await passkeyShop.shop.db.updateTable('passkey_challenges').set(past).where('user_id', '=', customer.id).execute();
    await cleanUp(passkeyShop.shop.db);
    expect(await ofCustomer.execute()).toEqual([]);
  });

  test('cannot be finished by another customer, nor used as a sign-in', async () => {
    const [one, other] = [await createCustomer(passkeyShop.shop, store), await createCustomer(passkeyShop.shop, store)];
    expect(await passkeyShop.add(other, new Authenticator().create(await passkeyShop.creationFor(one)))).toMatchObject(
      jsonRefusal('passkey_over'),
    );
    const { challenge } = await passkeyShop.request(store);
    const answer = new Authenticator().create(await passkeyShop.creationFor(one), { challenge });
    expect(await passkeyShop.add(one, answer)).toMatchObject(jsonRefusal('passkey_over'));
    const device = await passkeyShop.addDevice(one);
    const { challenge: ofAdding } = await passkeyShop.creationFor(one);
    expect(await passkeyShop.signInWith(device, store, { challenge: ofAdding })).toMatchObject(xmlRefusal('passkey_over'));
  });

  test.each<[string, CredentialDeviation]>([
    ['for another page', { origin: 'http://evil.example' }],
    ['for the shop’s host with another scheme', { origin: 'https://localhost' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without user verification', { unverified: true }],
  ])('made %s is refused', async (_what, slip) => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const answer = new Authenticator().create(await passkeyShop.creationFor(customer), slip);
    expect(await passkeyShop.add(customer, answer)).toMatchObject(jsonRefusal('passkey_refused'));
    expect(await passkeyShop.list(customer)).toEqual([]);
  });

  test('with data that no device made is refused', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const good = new Authenticator().create(await passkeyShop.creationFor(customer));
    const nonsense = Buffer.from('nonsense').toString('base64url');
    for (const part of [{ clientDataJSON: nonsense }, { clientDataJSON: Buffer.from('null').toString('base64url') }]) {
      const answer = await passkeyShop.add(customer, { ...good, response: { ...good.response, ...part } });
      expect(answer).toMatchObject(jsonRefusal('passkey_refused'));
    }
    const torn = { ...good, response: { ...good.response, attestationObject: nonsense } };
    expect(await passkeyShop.add(customer, torn)).toMatchObject(jsonRefusal('passkey_refused'));
    expect((await passkeyShop.add(customer, { ...good, id: 'no id!' })).status).toBe(400);
    expect((await passkeyShop.add(customer, {})).status).toBe(400);
  });

  test('is limited to twenty', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const late = await passkeyShop.creationFor(customer);
    const row = { store_id: store, user_id: customer.id, public_key: '', counter: 0, name: 'A device' };
    const rows = Array.from({ length: 20 }, () => ({ ...row, id: randomUUID(), credential_id: randomUUID() }));
    await passkeyShop.shop.db.insertInto('passkeys').values(rows).execute();
    expect(await passkeyShop.start(customer)).toMatchObject(jsonRefusal('passkeys_full'));
    expect(await passkeyShop.add(customer, new Authenticator().create(late))).toMatchObject(jsonRefusal('passkeys_full'));
  });
});

describe('a deleted passkey', () => {
  test('no longer signs in, and the customer is notified', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const [device, other] = [await passkeyShop.addDevice(customer, 'Laptop'), await passkeyShop.addDevice(customer, 'Telephone')];
    const laptop = (await passkeyShop.list(customer)).find(({ name }) => name === 'Laptop');
    const { status, value } = await passkeyShop.remove(customer, laptop?.passkeyId ?? '');
    expect(status).toBe(200);
    expect((value as { passkeys: ListedPasskey[] }).passkeys.map(({ name }) => name)).toEqual(['Telephone']);
    expect(await passkeyShop.signInWith(device, store)).toMatchObject(xmlRefusal('passkey_refused'));
    expect((await passkeyShop.signInWith(other, store)).status).toBe(200);
    expect(await passkeyShop.auditKinds(customer)).toContain('passkey_removed');
    expect((await readEmailsTo(passkeyShop.shop, customer.email)).at(-1)?.subject).toBe(
      `A passkey for Books <of> ${store} has been deleted`,
    );
    expect((await passkeyShop.remove(customer, laptop?.passkeyId ?? '')).status).toBe(404);
  });

  test('of another customer is not found', async () => {
    const [one, other] = [await createCustomer(passkeyShop.shop, store), await createCustomer(passkeyShop.shop, store)];
    const device = await passkeyShop.addDevice(other);
    const [theirs] = await passkeyShop.list(other);
    expect((await passkeyShop.remove(one, theirs?.passkeyId ?? '')).status).toBe(404);
    expect(await passkeyShop.list(one)).toEqual([]);
    expect((await passkeyShop.signInWith(device, store)).status).toBe(200);
  });
});

describe('the last sign-in method', () => {
  test('is not deleted, also by concurrent calls', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    for (const name of ['One', 'Two']) await passkeyShop.addDevice(customer, name);
    await passkeyShop.shop.db.updateTable('users').set({ password_hash: null }).where('id', '=', customer.id).execute();
    const ids = (await passkeyShop.list(customer)).map(({ passkeyId }) => passkeyId);
    const answers = await Promise.all(ids.map((id) => passkeyShop.remove(customer, id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(jsonRefusal('last_way_in'));
    expect(await passkeyShop.list(customer)).toHaveLength(1);
    expect((await passkeyShop.auditKinds(customer)).filter((kind) => kind === 'passkey_removed')).toHaveLength(1);
  });
});

describe('a new name', () => {
  test('is stored, only for the customer’s own passkeys', async () => {
    const [customer, other] = [await createCustomer(passkeyShop.shop, store), await createCustomer(passkeyShop.shop, store)];
    const device = await passkeyShop.addDevice(customer, 'Chrome, Linux');
    const [passkey] = await passkeyShop.list(customer);
    const id = passkey?.passkeyId ?? '';
    expect(await passkeyShop.rename(other, id, 'Mine')).toMatchObject({ status: 404, value: { code: 'not_found' } });
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

describe('with the account', () => {
  test('passkeys are deleted', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const begun = await passkeyShop.creationFor(customer);
    const headers = { authorization: `Bearer ${customer.query.accesstoken}` };
    expect((await passkeyShop.shop.ask('deleteUser', '/user/delete', { query: { shelfid: store }, headers })).status).toBe(200);
    for (const table of ['passkeys', 'passkey_challenges'] as const)
      expect(await passkeyShop.shop.db.selectFrom(table).selectAll().where('user_id', '=', customer.id).execute(), table).toEqual(
        [],
      );
    expect(await passkeyShop.signInWith(device, store)).toMatchObject(xmlRefusal('passkey_refused'));
    expect((await passkeyShop.add(customer, new Authenticator().create(begun))).status).toBe(401);
  });

  test('passkeys are in the customer’s data export, without their keys', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer, 'Laptop');
    const { value, text } = await passkeyShop.shop.ask('userData', '/user/data', { query: customer.query });
    expect(value).toMatchObject({ passkeys: [{ name: 'Laptop', lastUsedAt: null }] });
    expect(text).not.toContain(device.id);
  });

  test('passkeys that another person may have made are revoked when its owner resets the password by e-mail', async () => {
    const customer = await createCustomer(passkeyShop.shop, store);
    const device = await passkeyShop.addDevice(customer);
    const reset = async () =>
      passkeyShop.shop.ask('resetPassword', '/user/resetpassword', {
        query: { shelfid: store },
        body: `<ResetPassword><Token>${await issueResetToken(passkeyShop.shop.db, { storeId: store, userId: customer.id, email: customer.email })}</Token><Password>battery staple</Password></ResetPassword>`,
      });
    expect((await reset()).status).toBe(200);
    expect(await passkeyShop.signInWith(device, store)).toMatchObject(xmlRefusal('passkey_refused'));
    // From then on the address is verified, and later passkeys are the owner's.
    const { value } = await passkeyShop.shop.ask('signIn', '/user/signin', {
      query: { shelfid: store, appid: 'web' },
      headers: { authorization: `Basic ${Buffer.from(`${customer.email}:battery staple`).toString('base64')}` },
    });
    const owners = await passkeyShop.addDevice({ query: { shelfid: store, accesstoken: (value as Session).IdToken } });
    expect((await reset()).status).toBe(200);
    expect((await passkeyShop.signInWith(owners, store)).status).toBe(200);
  });
});

test('a customer without an address gets passkeys, and no e-mails', async () => {
  const customer = await createCustomer(passkeyShop.shop, store);
  await passkeyShop.shop.db.updateTable('users').set({ email: '', email_key: '' }).where('id', '=', customer.id).execute();
  const options = await passkeyShop.creationFor(customer);
  expect(options.user.name).toBe('Ann & Co');
  expect((await passkeyShop.add(customer, new Authenticator().create(options))).status).toBe(200);
  expect(await passkeyShop.shop.db.selectFrom('letters').selectAll().where('email', '=', '').execute()).toEqual([]);
});
