import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { Authenticator, type Slip } from '../support/authenticator.ts';
import { customerOf } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { openPasskeyShop, refusedJson, refusedXml, type Listed, type PasskeyShop, type Session } from '../support/passkeys.ts';

let at: PasskeyShop;
let store: string;
beforeAll(async () => {
  at = await openPasskeyShop();
});
// What is begun from one network is counted by store.
beforeEach(async () => {
  store = await at.shop.store();
});
afterAll(() => at.close());

describe('adding a passkey', () => {
  test('asks the device for one that names the account and nobody else', async () => {
    const customer = await customerOf(at.shop, store);
    const options = await at.creationFor(customer);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: `Books <of> ${store}` },
      user: { name: customer.email },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    const kept = await at.shop.db.selectFrom('passkey_challenges').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(options.challenge);
  });

  test('lists it, and tells the customer by a letter and in the log', async () => {
    const customer = await customerOf(at.shop, store);
    expect(await at.list(customer)).toEqual([]);
    await at.deviceOf(customer, 'Laptop <1>');
    const device = new Authenticator();
    const answer = await at.add(customer, device.create(await at.creationFor(customer)), ' Telephone ');
    const { added, passkeys } = answer.value as { added: string; passkeys: Listed[] };
    expect(passkeys.map(({ name }) => name)).toEqual(['Telephone', 'Laptop <1>']);
    expect(passkeys[0]).toMatchObject({ passkeyId: added });
    expect(passkeys[0]).not.toHaveProperty('lastUsedAt');
    expect(await at.list(customer)).toEqual(passkeys);
    expect(answer.text).not.toContain(device.id);
    expect((await at.logOf(customer)).slice(2)).toEqual(['passkey_added', 'passkey_added']);
    const letters = await sentTo(at.shop, customer.email);
    expect(letters.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => `You can now sign in to Books <of> ${store} with a new passkey`),
    );
    expect(letters[0]?.text).toContain('/account');
  });

  test('tells the device of those that are there, so that none is made twice', async () => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer);
    const options = await at.creationFor(customer);
    expect(options.excludeCredentials).toMatchObject([{ id: device.id }]);
    expect(await at.add(customer, device.create(options))).toMatchObject(refusedJson('passkey_known'));
    expect(await at.list(customer)).toHaveLength(1);
  });

  test('needs a sign-in of a moment ago: whoever finds a browser open cannot take the account over', async () => {
    const customer = await customerOf(at.shop, store);
    await at.shop.db
      .updateTable('tokens')
      .set({ created_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', customer.id)
      .execute();
    expect(await at.start(customer)).toMatchObject(refusedJson('sign_in_again'));
  });

  test('is done once for each beginning, also by two at the same time', async () => {
    const customer = await customerOf(at.shop, store);
    const options = await at.creationFor(customer);
    const answers = await Promise.all(
      [new Authenticator(), new Authenticator()].map((each) => at.add(customer, each.create(options))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await at.add(customer, new Authenticator().create(options))).toMatchObject(refusedJson('passkey_over'));
    expect(await at.list(customer)).toHaveLength(1);
  });

  test('is over after five minutes, and then cleaned away', async () => {
    const customer = await customerOf(at.shop, store);
    const options = await at.creationFor(customer);
    const ofCustomer = at.shop.db.selectFrom('passkey_challenges').select('expires_at').where('user_id', '=', customer.id);
    const { expires_at: ends } = await ofCustomer.executeTakeFirstOrThrow();
    expect(ends.getTime() - Date.now()).toBeGreaterThan(4 * 60_000);
    expect(ends.getTime() - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    const past = { expires_at: new Date(Date.now() - 1) };
    await at.shop.db.updateTable('passkey_challenges').set(past).where('user_id', '=', customer.id).execute();
    expect(await at.add(customer, new Authenticator().create(options))).toMatchObject(refusedJson('passkey_over'));
    await at.creationFor(customer);
    await at.shop.db.updateTable('passkey_challenges').set(past).where('user_id', '=', customer.id).execute();
    await cleanUp(at.shop.db);
    expect(await ofCustomer.execute()).toEqual([]);
  });

  test('is nobody else’s to finish, and no sign-in', async () => {
    const [one, other] = [await customerOf(at.shop, store), await customerOf(at.shop, store)];
    expect(await at.add(other, new Authenticator().create(await at.creationFor(one)))).toMatchObject(refusedJson('passkey_over'));
    const { challenge } = await at.request(store);
    const answer = new Authenticator().create(await at.creationFor(one), { challenge });
    expect(await at.add(one, answer)).toMatchObject(refusedJson('passkey_over'));
    const device = await at.deviceOf(one);
    const { challenge: ofAdding } = await at.creationFor(one);
    expect(await at.signInWith(device, store, { challenge: ofAdding })).toMatchObject(refusedXml('passkey_over'));
  });

  test.each<[string, Slip]>([
    ['for another page', { origin: 'http://evil.example' }],
    ['for the shop’s host by another way', { origin: 'https://localhost' }],
    ['for another host', { rpId: 'evil.example' }],
    ['by somebody who has not shown who they are', { unverified: true }],
  ])('made %s is refused', async (_what, slip) => {
    const customer = await customerOf(at.shop, store);
    const answer = new Authenticator().create(await at.creationFor(customer), slip);
    expect(await at.add(customer, answer)).toMatchObject(refusedJson('passkey_refused'));
    expect(await at.list(customer)).toEqual([]);
  });

  test('of what no device has made is refused', async () => {
    const customer = await customerOf(at.shop, store);
    const good = new Authenticator().create(await at.creationFor(customer));
    const nonsense = Buffer.from('nonsense').toString('base64url');
    for (const part of [{ clientDataJSON: nonsense }, { clientDataJSON: Buffer.from('null').toString('base64url') }]) {
      const answer = await at.add(customer, { ...good, response: { ...good.response, ...part } });
      expect(answer).toMatchObject(refusedJson('passkey_refused'));
    }
    const torn = { ...good, response: { ...good.response, attestationObject: nonsense } };
    expect(await at.add(customer, torn)).toMatchObject(refusedJson('passkey_refused'));
    expect((await at.add(customer, { ...good, id: 'no id!' })).status).toBe(400);
    expect((await at.add(customer, {})).status).toBe(400);
  });

  test('ends at twenty', async () => {
    const customer = await customerOf(at.shop, store);
    const late = await at.creationFor(customer);
    const row = { store_id: store, user_id: customer.id, public_key: '', counter: 0, name: 'A device' };
    const rows = Array.from({ length: 20 }, () => ({ ...row, id: randomUUID(), credential_id: randomUUID() }));
    await at.shop.db.insertInto('passkeys').values(rows).execute();
    expect(await at.start(customer)).toMatchObject(refusedJson('passkeys_full'));
    expect(await at.add(customer, new Authenticator().create(late))).toMatchObject(refusedJson('passkeys_full'));
  });
});

describe('a passkey that was deleted', () => {
  test('signs in no more, and the customer is told', async () => {
    const customer = await customerOf(at.shop, store);
    const [device, other] = [await at.deviceOf(customer, 'Laptop'), await at.deviceOf(customer, 'Telephone')];
    const laptop = (await at.list(customer)).find(({ name }) => name === 'Laptop');
    const { status, value } = await at.remove(customer, laptop?.passkeyId ?? '');
    expect(status).toBe(200);
    expect((value as { passkeys: Listed[] }).passkeys.map(({ name }) => name)).toEqual(['Telephone']);
    expect(await at.signInWith(device, store)).toMatchObject(refusedXml('passkey_refused'));
    expect((await at.signInWith(other, store)).status).toBe(200);
    expect(await at.logOf(customer)).toContain('passkey_removed');
    expect((await sentTo(at.shop, customer.email)).at(-1)?.subject).toBe(`A passkey for Books <of> ${store} has been deleted`);
    expect((await at.remove(customer, laptop?.passkeyId ?? '')).status).toBe(404);
  });

  test('was the customer’s own: another customer’s is not found', async () => {
    const [one, other] = [await customerOf(at.shop, store), await customerOf(at.shop, store)];
    const device = await at.deviceOf(other);
    const [theirs] = await at.list(other);
    expect((await at.remove(one, theirs?.passkeyId ?? '')).status).toBe(404);
    expect(await at.list(one)).toEqual([]);
    expect((await at.signInWith(device, store)).status).toBe(200);
  });
});

describe('the last way in', () => {
  test('is not deleted, also when two are at the same time', async () => {
    const customer = await customerOf(at.shop, store);
    for (const name of ['One', 'Two']) await at.deviceOf(customer, name);
    await at.shop.db.updateTable('users').set({ password_hash: null }).where('id', '=', customer.id).execute();
    const ids = (await at.list(customer)).map(({ passkeyId }) => passkeyId);
    const answers = await Promise.all(ids.map((id) => at.remove(customer, id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refusedJson('last_way_in'));
    expect(await at.list(customer)).toHaveLength(1);
    expect((await at.logOf(customer)).filter((kind) => kind === 'passkey_removed')).toHaveLength(1);
  });
});

describe('another name', () => {
  test('is kept, for the customer’s own passkeys alone', async () => {
    const [customer, other] = [await customerOf(at.shop, store), await customerOf(at.shop, store)];
    const device = await at.deviceOf(customer, 'Chrome, Linux');
    const [passkey] = await at.list(customer);
    const id = passkey?.passkeyId ?? '';
    expect(await at.rename(other, id, 'Mine')).toMatchObject({ status: 404, value: { code: 'not_found' } });
    expect(await at.rename(customer, id, '  ')).toMatchObject({ status: 400, value: { code: 'bad_name' } });
    expect((await at.rename(customer, id, 'x'.repeat(101))).status).toBe(400);
    expect(await at.rename(customer, id, ' The <blue> key ')).toMatchObject({
      status: 200,
      value: { passkeys: [{ passkeyId: id, name: 'The <blue> key' }] },
    });
    expect((await at.signInWith(device, store)).status).toBe(200);
    expect(await at.list(customer)).toMatchObject([{ name: 'The <blue> key' }]);
  });
});

describe('with the account', () => {
  test('passkeys go', async () => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer);
    const begun = await at.creationFor(customer);
    const headers = { authorization: `Bearer ${customer.query.accesstoken}` };
    expect((await at.shop.ask('deleteUser', '/user/delete', { query: { shelfid: store }, headers })).status).toBe(200);
    for (const table of ['passkeys', 'passkey_challenges'] as const)
      expect(await at.shop.db.selectFrom(table).selectAll().where('user_id', '=', customer.id).execute(), table).toEqual([]);
    expect(await at.signInWith(device, store)).toMatchObject(refusedXml('passkey_refused'));
    expect((await at.add(customer, new Authenticator().create(begun))).status).toBe(401);
  });

  test('passkeys are part of what customers take along, without their keys', async () => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer, 'Laptop');
    const { value, text } = await at.shop.ask('userData', '/user/data', { query: customer.query });
    expect(value).toMatchObject({ passkeys: [{ name: 'Laptop', lastUsedAt: null }] });
    expect(text).not.toContain(device.id);
  });

  test('that somebody else may have made, passkeys end when its owner sets a password by a letter', async () => {
    const customer = await customerOf(at.shop, store);
    const device = await at.deviceOf(customer);
    const reset = async () =>
      at.shop.ask('resetPassword', '/user/resetpassword', {
        query: { shelfid: store },
        body: `<ResetPassword><Token>${await issueResetToken(at.shop.db, { storeId: store, userId: customer.id, email: customer.email })}</Token><Password>battery staple</Password></ResetPassword>`,
      });
    expect((await reset()).status).toBe(200);
    expect(await at.signInWith(device, store)).toMatchObject(refusedXml('passkey_refused'));
    // From then on the address is known to be its owner’s, and so are passkeys.
    const { value } = await at.shop.ask('signIn', '/user/signin', {
      query: { shelfid: store, appid: 'web' },
      headers: { authorization: `Basic ${Buffer.from(`${customer.email}:battery staple`).toString('base64')}` },
    });
    const owners = await at.deviceOf({ query: { shelfid: store, accesstoken: (value as Session).IdToken } });
    expect((await reset()).status).toBe(200);
    expect((await at.signInWith(owners, store)).status).toBe(200);
  });
});

test('a customer without an address gets passkeys, and no letters', async () => {
  const customer = await customerOf(at.shop, store);
  await at.shop.db.updateTable('users').set({ email: '', email_key: '' }).where('id', '=', customer.id).execute();
  const options = await at.creationFor(customer);
  expect(options.user.name).toBe('Ann & Co');
  expect((await at.add(customer, new Authenticator().create(options))).status).toBe(200);
  expect(await at.shop.db.selectFrom('letters').selectAll().where('email', '=', '').execute()).toEqual([]);
});
