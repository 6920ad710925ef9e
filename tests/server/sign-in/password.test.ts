import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken, issueResetToken, issueToken } from '../../../server/accounts/tokens.ts';
import { basicAuth, createCustomer, PASSWORD, type Customer } from '../support/customers.ts';
import { getFirstLink } from '../../../tools/shop/emails.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const getShopName = (): string => `Books <of> ${store}`;

const NEW_PASSWORD = 'battery staple';

const requestReset = (
  email: string,
  { language = 'en', shelfid = store, remoteAddress = '127.0.0.1', host = 'localhost' } = {},
) =>
  shop.app.inject({
    url: `/api/user/forgotpassword?${new URLSearchParams({ shelfid, appid: 'web', email }).toString()}`,
    remoteAddress,
    headers: { 'accept-language': language, host },
  });
const isValidToken = async (token: string, shelfid = store) => {
  const { value } = await shop.call('validateResetToken', `/user/token/${token}`, { query: { shelfid } });
  return (value as { Valid: boolean }).Valid;
};
const resetPassword = (token: string, password = NEW_PASSWORD, shelfid = store) =>
  shop.call('resetPassword', '/user/resetpassword', {
    query: { shelfid },
    body: `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`,
  });
const signIn = async (email: string, password: string) =>
  (await shop.call('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basicAuth(email, password) }))
    .status;
const newResetToken = ({ id, email }: Customer) => issueResetToken(shop.db, { storeId: store, userId: id, email });

describe('a forgotten password', () => {
  test('a forgotten password is replaced through the e-mailed link, and the old one stops working [S7.user/forgotpassword] [S7.user/resetpassword]', async () => {
    const customer = await createCustomer(shop, store);
    expect((await requestReset(customer.email.toUpperCase())).statusCode).toBe(200);
    const [message] = await readEmailsTo(shop, customer.email);
    if (!message) throw new Error(`No e-mail was sent to ${customer.email}.`);
    expect(message.subject).toBe(`Set a new password for ${getShopName()}`);
    expect(message.from).toEqual({ name: getShopName(), address: 'no-reply@localhost' });
    expect(getFirstLink(message)).toMatch(/^http:\/\/localhost\/resetpassword\/[\w-]{43}$/);
    expect(message.html).toContain(`href="${getFirstLink(message)}"`);
    expect(message.html).toContain('Books &lt;of&gt;');
    const token = getFirstLink(message).split('/').at(-1) ?? '';
    expect(await isValidToken(token)).toBe(true);
    expect((await resetPassword(token)).status).toBe(200);
    expect(await signIn(customer.email, PASSWORD)).toBe(401);
    expect(await signIn(customer.email, NEW_PASSWORD)).toBe(200);
  });

  test.each([
    ['zh', '设置您在{shop}的新密码'],
    ['es', 'Crea una nueva contraseña para {shop}'],
    ['fr', 'Choisissez un nouveau mot de passe pour {shop}'],
    ['it', 'Imposta una nuova password per {shop}'],
  ])('a forgotten password gets an e-mail in %s', async (language, subject) => {
    const { email } = await createCustomer(shop, store);
    await requestReset(email, { language });
    expect((await readEmailsTo(shop, email)).map((message) => message.subject)).toEqual([
      subject.replace('{shop}', getShopName()),
    ]);
  });

  test('a request for a reset link for an unknown address gets the same response, and sends no e-mail', async () => {
    const { email } = await createCustomer(shop, store);
    const unknownEmail = `${randomUUID()}@example.org`;
    const [knownResponse, unknownResponse] = [await requestReset(email), await requestReset(unknownEmail)];
    expect([unknownResponse.statusCode, unknownResponse.body]).toEqual([knownResponse.statusCode, knownResponse.body]);
    expect(await readEmailsTo(shop, unknownEmail)).toEqual([]);
    expect(await shop.db.selectFrom('letters').selectAll().execute()).toEqual([]);
  });

  test('a request for a reset link in another store sends the customer no e-mail', async () => {
    const { email } = await createCustomer(shop, store);
    await requestReset(email, { shelfid: await shop.store() });
    expect(await readEmailsTo(shop, email)).toEqual([]);
  });

  test.each(['', 'nobody', 'a@example.org\nBcc: b@example.org', 'a@example.org, b@example.org'])(
    'a request for a reset link for the invalid address “%s” is refused',
    async (email) => {
      expect((await requestReset(email)).statusCode).toBe(400);
    },
  );

  test('a request for a reset link with a foreign host is refused', async () => {
    const { email } = await createCustomer(shop, store);
    expect((await requestReset(email, { host: 'evil.example' })).statusCode).toBe(400);
    expect(await readEmailsTo(shop, email)).toEqual([]);
  });

  test('an address, known or unknown, is limited to five reset links an hour', async () => {
    const { email } = await createCustomer(shop, store);
    for (const address of [email, `${randomUUID()}@example.org`]) {
      const responses = [];
      for (let index = 0; index < 6; index += 1)
        responses.push(await requestReset(address, { remoteAddress: `10.7.0.${index}` }));
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(responses.at(-1)?.headers['retry-after']).toMatch(/^3(600|5\d\d)$/);
    }
  });

  test('a network is limited to thirty requests for reset links an hour', async () => {
    const request = () => requestReset(`${randomUUID()}@example.org`, { remoteAddress: '10.8.0.1' });
    const statuses = [];
    for (let index = 0; index < 31; index += 1) statuses.push((await request()).statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a link to reset the password', () => {
  test('a link to reset the password works once, also when it is used twice at the same time', async () => {
    const customer = await createCustomer(shop, store);
    const token = await newResetToken(customer);
    const responses = await Promise.all([resetPassword(token, 'the first one'), resetPassword(token, 'the second')]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [firstStatus, secondStatus] = await Promise.all([
      signIn(customer.email, 'the first one'),
      signIn(customer.email, 'the second'),
    ]);
    expect([firstStatus, secondStatus].toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await isValidToken(token)).toBe(false);
    expect(await resetPassword(token)).toMatchObject({ status: 409, value: { Code: 'link_over' } });
  });

  test('a link to reset the password ends every session and every other link of its account, and of no other account', async () => {
    const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const [token, otherToken, otherCustomersToken] = [
      await newResetToken(customer),
      await newResetToken(customer),
      await newResetToken(otherCustomer),
    ];
    expect((await resetPassword(token)).status).toBe(200);
    const isSignedIn = async ({ query }: Customer) =>
      (await shop.call('subscriptionStatus', '/subscription/status', { query })).status === 200;
    expect([await isSignedIn(customer), await isSignedIn(otherCustomer)]).toEqual([false, true]);
    expect([await isValidToken(otherToken), await isValidToken(otherCustomersToken)]).toEqual([false, true]);
  });

  test('a password reset is followed by a confirmation e-mail', async () => {
    const customer = await createCustomer(shop, store);
    await resetPassword(await newResetToken(customer));
    const [message] = await readEmailsTo(shop, customer.email);
    expect(message?.subject).toBe(`Your password for ${getShopName()} has been changed`);
    expect(message?.text).toContain('/forgotpassword');
  });

  test('an expired link to reset the password is refused', async () => {
    const token = await newResetToken(await createCustomer(shop, store));
    await shop.db
      .updateTable('tokens')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('hash', '=', hashToken(token))
      .execute();
    expect(await isValidToken(token)).toBe(false);
    expect((await resetPassword(token)).status).toBe(409);
  });

  test('a link to reset the password is not valid in another store; access tokens and made-up tokens are not valid as links', async () => {
    const customer = await createCustomer(shop, store);
    const accessToken = await issueToken(shop.db, { storeId: store, userId: customer.id, deviceId: null });
    expect(await isValidToken(accessToken)).toBe(false);
    expect((await resetPassword(accessToken)).status).toBe(409);
    expect((await resetPassword(await newResetToken(customer), NEW_PASSWORD, await shop.store())).status).toBe(409);
    expect((await resetPassword('A'.repeat(43))).status).toBe(409);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test.each([
    ['a password that is too short', 'short'],
    ['a password that is too long', 'x'.repeat(201)],
  ])('a link to reset the password is not used up by %s', async (_case, password) => {
    const token = await newResetToken(await createCustomer(shop, store));
    expect((await resetPassword(token, password)).status).toBe(400);
    expect(await isValidToken(token)).toBe(true);
  });

  test('a link to reset the password is stored only as a hash', async () => {
    const customer = await createCustomer(shop, store);
    await requestReset(customer.email);
    const queuedEmails = await shop.db.selectFrom('letters').selectAll().execute();
    const [message] = await readEmailsTo(shop, customer.email);
    const token = getFirstLink(message).split('/').at(-1) ?? '';
    expect(JSON.stringify(queuedEmails)).not.toContain(token);
    const tokenRows = await shop.db.selectFrom('tokens').selectAll().where('user_id', '=', customer.id).execute();
    expect(tokenRows.map(({ kind }) => kind).toSorted()).toEqual(['access', 'reset']);
    expect(JSON.stringify(tokenRows)).not.toContain(token);
  });
});
