import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { emails, invalidEmails } from '../../model/emails.ts';
import { basicAuth, createCustomer, PASSWORD, signUpXml } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const signUp = (email: string, password: string, body = signUpXml(email), shelfid = store) =>
  shop.ask('signUp', '/user/signup', { query: { shelfid, appid: 'web' }, headers: basicAuth(email, password), body });
const signIn = (email: string, password: string, more = {}) =>
  shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web', ...more }, headers: basicAuth(email, password) });
const validate = (accesstoken: string, shelfid = store) =>
  shop.ask('validateToken', '/user/validate', { query: { shelfid, accesstoken } });
const newEmail = () => `${randomUUID()}@example.org`;
const getToken = ({ value }: { value: unknown }) => (value as { IdToken: string }).IdToken;

test('an account is made, signed in, and signs in again with its address in any case', async () => {
  const email = `Ann.${newEmail()}`;
  const made = await signUp(email, PASSWORD);
  expect(made).toMatchObject({ status: 200, value: { EmailId: email } });
  const again = await signIn(email.toUpperCase(), PASSWORD);
  expect(again).toMatchObject({ status: 200, value: { EmailId: email, UserId: (made.value as { UserId: string }).UserId } });
  expect(getToken(again)).not.toBe(getToken(made));
  const live = await validate(getToken(again));
  expect(live.value).toEqual({ valid: true, emailId: email, userId: (made.value as { UserId: string }).UserId });
});

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test.each(emails)('%s can sign up and sign in', async (address) => {
  const shelfid = await shop.store();
  const made = await signUp(address, 'a:b : c pass', signUpXml(escapeXml(address)), shelfid);
  expect(made).toMatchObject({ status: 200, value: { EmailId: address } });
  expect(await signIn(address, 'a:b : c pass', { shelfid })).toMatchObject({ status: 200, value: { EmailId: address } });
});

test.each(invalidEmails)('%s cannot sign up', async (address) => {
  const answer = await signUp(address, PASSWORD, signUpXml(escapeXml(address)));
  expect(answer).toMatchObject({ status: 400, value: { Status: 'BadRequest' } });
});

test('an address has one account, even when two visitors sign up with it at once', async () => {
  const email = newEmail();
  const answers = await Promise.all([signUp(email, PASSWORD), signUp(email.toUpperCase(), PASSWORD, signUpXml(email))]);
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find((answer) => answer.status === 409)?.value).toMatchObject({ Status: 'Conflict', Code: 'email_taken' });
});

test.each([
  ['a short password', newEmail(), 'short', undefined, 'weak_password'],
  ['an invalid e-mail address', 'nobody', PASSWORD, undefined, 'bad_email'],
  ['two addresses', newEmail(), PASSWORD, signUpXml('other@example.org'), 'bad_email'],
  [
    'terms that were not accepted',
    'a@example.org',
    PASSWORD,
    signUpXml('a@example.org').replace('true', 'false'),
    'terms_not_agreed',
  ],
])('%s is refused', async (_what, email, password, body, code) => {
  expect(await signUp(email, password, body)).toMatchObject({ status: 400, value: { Status: 'BadRequest', Code: code } });
});

describe('a document', () => {
  test.each([
    ['that is not well-formed', '<Signup><Email>'],
    ['with another root element', '<Person/>'],
    ['with a document type', '<!DOCTYPE a [<!ENTITY x "y">]><Signup/>'],
    ['without its fields', '<Signup/>'],
    ['that is empty', ''],
    ['that is nested too deeply', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`],
  ])('%s is refused with a reason', async (_what, body) => {
    const email = newEmail();
    const answer = await signUp(email, PASSWORD, body);
    expect(answer).toMatchObject({ status: 400, value: { StatusCode: 400, Status: 'BadRequest' } });
    expect((answer.value as { Message: string }).Message.length).toBeGreaterThan(10);
    expect(answer.text).not.toMatch(/\bat .*\.ts|node_modules/);
  });
});

test('an unknown address and a wrong password get the same response', async () => {
  const { email } = await createCustomer(shop, store);
  const wrong = await signIn(email, 'wrong password');
  const unknown = await signIn(newEmail(), 'wrong password');
  expect(wrong.status).toBe(401);
  expect(unknown.text).toBe(wrong.text);
});

describe('signing up without limit', () => {
  let few: Shop;
  beforeAll(async () => {
    few = await openShop({ config: { signUpsPerHour: 3 } });
  });
  afterAll(() => few.close());
  const signUpAt = (shelfid: string, remoteAddress: string, email = newEmail()) =>
    few.app.inject({
      method: 'POST',
      url: `/api/user/signup?shelfid=${shelfid}&appid=web`,
      remoteAddress,
      headers: { ...basicAuth(email, PASSWORD), 'content-type': 'text/xml' },
      payload: signUpXml(email),
    });

  test('is stopped for one network and one store, until the hour is over', async () => {
    const [one, other] = [await few.store(), await few.store()];
    const taken = (await createCustomer(few, other)).email;
    const hash = vi.spyOn(few.services.passwords, 'hash');
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUpAt(one, '192.0.2.1')));
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429]);
    expect(hash).toHaveBeenCalledTimes(3);
    expect(answers.find((answer) => answer.statusCode === 429)?.headers['retry-after']).toMatch(/^3(600|5\d\d)$/);
    expect((await signUpAt(one, '192.0.2.2')).statusCode).toBe(200);
    expect((await signUpAt(other, '192.0.2.1')).statusCode).toBe(200);
    await few.db
      .updateTable('rate_limit_counters')
      .set({ window_ends_at: new Date(Date.now() - 1000) })
      .where('store_id', '=', one)
      .execute();
    expect((await signUpAt(one, '192.0.2.1')).statusCode).toBe(200);
    // A refused duplicate address costs as much work, so it counts as well.
    const again = [await signUpAt(other, '192.0.2.3', taken), await signUpAt(other, '192.0.2.3', taken)];
    expect(again.map((answer) => answer.statusCode)).toEqual([409, 409]);
    expect((await signUpAt(other, '192.0.2.3')).statusCode).toBe(200);
    expect((await signUpAt(other, '192.0.2.3')).statusCode).toBe(429);
  });

  test('does not affect signing in', async () => {
    const store = await few.store();
    const { email } = await createCustomer(few, store);
    for (const _ of [1, 2, 3]) await createCustomer(few, store).catch(() => undefined);
    const query = { shelfid: store, appid: 'web' };
    expect((await few.ask('signIn', '/user/signin', { query, headers: basicAuth(email, PASSWORD) })).status).toBe(200);
  });
});

test('a wrong application id is refused', async () => {
  expect((await signIn('a@example.org', PASSWORD, { appid: 'other' })).status).toBe(400);
});

describe('an access token', () => {
  test('is stored only as a hash', async () => {
    const { query } = await createCustomer(shop, store);
    const rows = await shop.db.selectFrom('tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(query.accesstoken);
    expect(Buffer.from(query.accesstoken, 'base64url')).toHaveLength(32);
  });

  test.each([
    ['expired', { expires_at: new Date(Date.now() - 1000) }],
    ['revoked', { revoked_at: new Date() }],
  ])('that is %s is not valid', async (_how, change) => {
    const { query, id } = await createCustomer(shop, store);
    expect((await validate(query.accesstoken)).status).toBe(200);
    await shop.db.updateTable('tokens').set(change).where('user_id', '=', id).execute();
    expect(await validate(query.accesstoken)).toMatchObject({ status: 401, value: { code: 'unauthorized' } });
    expect(await shop.ask('userPurchases', '/user/purchases', { query })).toMatchObject({
      status: 401,
      value: { Status: 'Unauthorized' },
    });
  });

  test('is valid for thirty days', async () => {
    const { id } = await createCustomer(shop, store);
    const row = await shop.db.selectFrom('tokens').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow();
    expect((row.expires_at.getTime() - row.created_at.getTime()) / 86_400_000).toBeCloseTo(30, 2);
  });

  test('that is malformed is answered 401, not with a validation error', async () => {
    for (const token of ['x', 'a b<c>', ''])
      expect(await validate(token)).toMatchObject({ status: 401, value: { code: 'unauthorized' } });
  });

  test('registers the device that it was issued to', async () => {
    const { email, id } = await createCustomer(shop, store);
    await signIn(email, PASSWORD, { deviceid: 'd-1', devicename: 'Firefox on Linux' });
    const rows = await shop.db.selectFrom('devices').select(['id', 'name']).where('user_id', '=', id).execute();
    expect(rows).toEqual([{ id: 'd-1', name: 'Firefox on Linux' }]);
  });
});

test('a new customer has no credits and no subscription', async () => {
  const { query } = await createCustomer(shop, store);
  const credits = await shop.ask('creditBalance', '/credits/balance', { query });
  expect(credits.value).toEqual({ CreditBalance: 0, CreditCurrency: 'Credits', EnableBuyWithCredits: false });
  const subscription = await shop.ask('subscriptionStatus', '/subscription/status', { query });
  expect(subscription.value).toEqual({ subscribed: false, data: null });
});
