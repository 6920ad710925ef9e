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
  shop.call('signUp', '/user/signup', { query: { shelfid, appid: 'web' }, headers: basicAuth(email, password), body });
const signIn = (email: string, password: string, extraQuery = {}) =>
  shop.call('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web', ...extraQuery },
    headers: basicAuth(email, password),
  });
const validate = (accesstoken: string, shelfid = store) =>
  shop.call('validateToken', '/user/validate', { query: { shelfid, accesstoken } });
const newEmail = () => `${randomUUID()}@example.org`;
const getToken = ({ value }: { value: unknown }) => (value as { IdToken: string }).IdToken;

test('a new account is signed in, and can sign in with its address in any case', async () => {
  const email = `Ann.${newEmail()}`;
  const signUpResponse = await signUp(email, PASSWORD);
  expect(signUpResponse).toMatchObject({ status: 200, value: { EmailId: email } });
  const signInResponse = await signIn(email.toUpperCase(), PASSWORD);
  expect(signInResponse).toMatchObject({
    status: 200,
    value: { EmailId: email, UserId: (signUpResponse.value as { UserId: string }).UserId },
  });
  expect(getToken(signInResponse)).not.toBe(getToken(signUpResponse));
  const validation = await validate(getToken(signInResponse));
  expect(validation.value).toEqual({ valid: true, emailId: email, userId: (signUpResponse.value as { UserId: string }).UserId });
});

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test.each(emails)('%s can sign up and sign in', async (email) => {
  const shelfid = await shop.store();
  const signUpResponse = await signUp(email, 'a:b : c pass', signUpXml(escapeXml(email)), shelfid);
  expect(signUpResponse).toMatchObject({ status: 200, value: { EmailId: email } });
  expect(await signIn(email, 'a:b : c pass', { shelfid })).toMatchObject({ status: 200, value: { EmailId: email } });
});

test.each(invalidEmails)('%s cannot sign up', async (email) => {
  const response = await signUp(email, PASSWORD, signUpXml(escapeXml(email)));
  expect(response).toMatchObject({ status: 400, value: { Status: 'BadRequest' } });
});

test('an address has one account, even when two visitors sign up with it at once', async () => {
  const email = newEmail();
  const responses = await Promise.all([signUp(email, PASSWORD), signUp(email.toUpperCase(), PASSWORD, signUpXml(email))]);
  expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(responses.find((response) => response.status === 409)?.value).toMatchObject({ Status: 'Conflict', Code: 'email_taken' });
});

test.each([
  ['a short password', newEmail(), 'short', undefined, 'weak_password'],
  ['an invalid e-mail address', 'nobody', PASSWORD, undefined, 'bad_email'],
  ['two different addresses', newEmail(), PASSWORD, signUpXml('other@example.org'), 'bad_email'],
  [
    'terms that were not accepted',
    'a@example.org',
    PASSWORD,
    signUpXml('a@example.org').replace('true', 'false'),
    'terms_not_agreed',
  ],
])('a sign-up with %s is refused', async (_case, email, password, body, code) => {
  expect(await signUp(email, password, body)).toMatchObject({ status: 400, value: { Status: 'BadRequest', Code: code } });
});

describe('sign-up documents', () => {
  test.each([
    ['that is not well-formed', '<Signup><Email>'],
    ['with another root element', '<Person/>'],
    ['with a document type', '<!DOCTYPE a [<!ENTITY x "y">]><Signup/>'],
    ['without its fields', '<Signup/>'],
    ['that is empty', ''],
    ['that is nested too deeply', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`],
  ])('a sign-up document %s is refused with a reason', async (_case, body) => {
    const email = newEmail();
    const response = await signUp(email, PASSWORD, body);
    expect(response).toMatchObject({ status: 400, value: { StatusCode: 400, Status: 'BadRequest' } });
    expect((response.value as { Message: string }).Message.length).toBeGreaterThan(10);
    expect(response.text).not.toMatch(/\bat .*\.ts|node_modules/);
  });
});

test('sign-ins with an unknown address and with a wrong password get the same response', async () => {
  const { email } = await createCustomer(shop, store);
  const wrongPassword = await signIn(email, 'wrong password');
  const unknownAddress = await signIn(newEmail(), 'wrong password');
  expect(wrongPassword.status).toBe(401);
  expect(unknownAddress.text).toBe(wrongPassword.text);
});

describe('the limit of sign-ups', () => {
  let limitedShop: Shop;
  beforeAll(async () => {
    limitedShop = await openShop({ config: { signUpsPerHour: 3 } });
  });
  afterAll(() => limitedShop.close());
  const signUpAt = (shelfid: string, remoteAddress: string, email = newEmail()) =>
    limitedShop.app.inject({
      method: 'POST',
      url: `/api/user/signup?shelfid=${shelfid}&appid=web`,
      remoteAddress,
      headers: { ...basicAuth(email, PASSWORD), 'content-type': 'text/xml' },
      payload: signUpXml(email),
    });

  test('sign-ups are limited per network and store until the hour is over', async () => {
    const [firstStore, secondStore] = [await limitedShop.store(), await limitedShop.store()];
    const takenEmail = (await createCustomer(limitedShop, secondStore)).email;
    const hash = vi.spyOn(limitedShop.services.passwords, 'hash');
    const responses = await Promise.all(Array.from({ length: 5 }, () => signUpAt(firstStore, '192.0.2.1')));
    expect(responses.map((response) => response.statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429]);
    expect(hash).toHaveBeenCalledTimes(3);
    expect(responses.find((response) => response.statusCode === 429)?.headers['retry-after']).toMatch(/^3(600|5\d\d)$/);
    expect((await signUpAt(firstStore, '192.0.2.2')).statusCode).toBe(200);
    expect((await signUpAt(secondStore, '192.0.2.1')).statusCode).toBe(200);
    await limitedShop.db
      .updateTable('rate_limit_counters')
      .set({ window_ends_at: new Date(Date.now() - 1000) })
      .where('store_id', '=', firstStore)
      .execute();
    expect((await signUpAt(firstStore, '192.0.2.1')).statusCode).toBe(200);
    // A sign-up with a taken address costs as much work, so it counts as well.
    const repeats = [await signUpAt(secondStore, '192.0.2.3', takenEmail), await signUpAt(secondStore, '192.0.2.3', takenEmail)];
    expect(repeats.map((response) => response.statusCode)).toEqual([409, 409]);
    expect((await signUpAt(secondStore, '192.0.2.3')).statusCode).toBe(200);
    expect((await signUpAt(secondStore, '192.0.2.3')).statusCode).toBe(429);
  });

  test('the limit of sign-ups does not affect signing in', async () => {
    const store = await limitedShop.store();
    const { email } = await createCustomer(limitedShop, store);
    for (const _ of [1, 2, 3]) await createCustomer(limitedShop, store).catch(() => undefined);
    const query = { shelfid: store, appid: 'web' };
    expect((await limitedShop.call('signIn', '/user/signin', { query, headers: basicAuth(email, PASSWORD) })).status).toBe(200);
  });
});

test('a wrong application id is refused', async () => {
  expect((await signIn('a@example.org', PASSWORD, { appid: 'other' })).status).toBe(400);
});

describe('an access token', () => {
  test('an access token is stored only as a hash', async () => {
    const { query } = await createCustomer(shop, store);
    const rows = await shop.db.selectFrom('tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(query.accesstoken);
    expect(Buffer.from(query.accesstoken, 'base64url')).toHaveLength(32);
  });

  test.each([
    ['expired', { expires_at: new Date(Date.now() - 1000) }],
    ['revoked', { revoked_at: new Date() }],
  ])('an access token that is %s is not valid', async (_case, change) => {
    const { query, id } = await createCustomer(shop, store);
    expect((await validate(query.accesstoken)).status).toBe(200);
    await shop.db.updateTable('tokens').set(change).where('user_id', '=', id).execute();
    expect(await validate(query.accesstoken)).toMatchObject({ status: 401, value: { code: 'unauthorized' } });
    expect(await shop.call('userPurchases', '/user/purchases', { query })).toMatchObject({
      status: 401,
      value: { Status: 'Unauthorized' },
    });
  });

  test('an access token is valid for thirty days', async () => {
    const { id } = await createCustomer(shop, store);
    const row = await shop.db.selectFrom('tokens').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow();
    expect((row.expires_at.getTime() - row.created_at.getTime()) / 86_400_000).toBeCloseTo(30, 2);
  });

  test('a malformed access token gets 401, not a validation error', async () => {
    for (const token of ['x', 'a b<c>', ''])
      expect(await validate(token)).toMatchObject({ status: 401, value: { code: 'unauthorized' } });
  });

  test('a sign-in with a device id registers the device', async () => {
    const { email, id } = await createCustomer(shop, store);
    await signIn(email, PASSWORD, { deviceid: 'd-1', devicename: 'Firefox on Linux' });
    const rows = await shop.db.selectFrom('devices').select(['id', 'name']).where('user_id', '=', id).execute();
    expect(rows).toEqual([{ id: 'd-1', name: 'Firefox on Linux' }]);
  });
});

test('a new customer has no credits and no subscription', async () => {
  const { query } = await createCustomer(shop, store);
  const credits = await shop.call('creditBalance', '/credits/balance', { query });
  expect(credits.value).toEqual({ CreditBalance: 0, CreditCurrency: 'Credits', EnableBuyWithCredits: false });
  const subscription = await shop.call('subscriptionStatus', '/subscription/status', { query });
  expect(subscription.value).toEqual({ subscribed: false, data: null });
});
