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

/** The name of the tests' stores. */
const shopName = (): string => `Books <of> ${store}`;

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
  const { value } = await shop.ask('validateResetToken', `/user/token/${token}`, { query: { shelfid } });
  return (value as { Valid: boolean }).Valid;
};
const resetPassword = (token: string, password = NEW_PASSWORD, shelfid = store) =>
  shop.ask('resetPassword', '/user/resetpassword', {
    query: { shelfid },
    body: `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`,
  });
const signIn = async (email: string, password: string) =>
  (await shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basicAuth(email, password) }))
    .status;
const newResetToken = ({ id, email }: Customer) => issueResetToken(shop.db, { storeId: store, userId: id, email });

describe('a forgotten password', () => {
  test('is replaced through the e-mailed link, and the old one stops working [S7.user/forgotpassword] [S7.user/resetpassword]', async () => {
    const customer = await createCustomer(shop, store);
    expect((await requestReset(customer.email.toUpperCase())).statusCode).toBe(200);
    const [message] = await readEmailsTo(shop, customer.email);
    if (!message) throw new Error('No e-mail was sent.');
    expect(message.subject).toBe(`Set a new password for ${shopName()}`);
    expect(message.from).toEqual({ name: shopName(), address: 'no-reply@localhost' });
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
  ])('gets an e-mail in %s', async (language, subject) => {
    const { email } = await createCustomer(shop, store);
    await requestReset(email, { language });
    expect((await readEmailsTo(shop, email)).map((message) => message.subject)).toEqual([subject.replace('{shop}', shopName())]);
  });

  test('for an unknown address gets the same response, and no e-mail is sent', async () => {
    const { email } = await createCustomer(shop, store);
    const stranger = `${randomUUID()}@example.org`;
    const [known, unknown] = [await requestReset(email), await requestReset(stranger)];
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    expect(await readEmailsTo(shop, stranger)).toEqual([]);
    expect(await shop.db.selectFrom('letters').selectAll().execute()).toEqual([]);
  });

  test('of another store’s customer gets no e-mail', async () => {
    const { email } = await createCustomer(shop, store);
    await requestReset(email, { shelfid: await shop.store() });
    expect(await readEmailsTo(shop, email)).toEqual([]);
  });

  test.each(['', 'nobody', 'a@example.org\nBcc: b@example.org', 'a@example.org, b@example.org'])(
    'for the invalid address “%s” is refused',
    async (email) => {
      expect((await requestReset(email)).statusCode).toBe(400);
    },
  );

  test('cannot be used to send a link to a foreign host', async () => {
    const { email } = await createCustomer(shop, store);
    expect((await requestReset(email, { host: 'evil.example' })).statusCode).toBe(400);
    expect(await readEmailsTo(shop, email)).toEqual([]);
  });

  test('sends five e-mails an hour to one address, known or unknown', async () => {
    const { email } = await createCustomer(shop, store);
    for (const address of [email, `${randomUUID()}@example.org`]) {
      const answers = [];
      for (let at = 0; at < 6; at += 1) answers.push(await requestReset(address, { remoteAddress: `10.7.0.${at}` }));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(answers.at(-1)?.headers['retry-after']).toMatch(/^3(600|5\d\d)$/);
    }
  });

  test('is limited to thirty requests an hour from one network', async () => {
    const ask = () => requestReset(`${randomUUID()}@example.org`, { remoteAddress: '10.8.0.1' });
    const answers = [];
    for (let at = 0; at < 31; at += 1) answers.push((await ask()).statusCode);
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a link to reset the password', () => {
  test('works once, also when it is used twice at the same time', async () => {
    const customer = await createCustomer(shop, store);
    const token = await newResetToken(customer);
    const answers = await Promise.all([resetPassword(token, 'the first one'), resetPassword(token, 'the second')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [first, second] = await Promise.all([signIn(customer.email, 'the first one'), signIn(customer.email, 'the second')]);
    expect([first, second].toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await isValidToken(token)).toBe(false);
    expect(await resetPassword(token)).toMatchObject({ status: 409, value: { Code: 'link_over' } });
  });

  test('ends every session and every other link of its account, and of no other', async () => {
    const [customer, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const [token, later, others] = [await newResetToken(customer), await newResetToken(customer), await newResetToken(other)];
    expect((await resetPassword(token)).status).toBe(200);
    const isSignedIn = async ({ query }: Customer) =>
      (await shop.ask('subscriptionStatus', '/subscription/status', { query })).status === 200;
    expect([await isSignedIn(customer), await isSignedIn(other)]).toEqual([false, true]);
    expect([await isValidToken(later), await isValidToken(others)]).toEqual([false, true]);
  });

  test('is followed by a confirmation e-mail when it was used', async () => {
    const customer = await createCustomer(shop, store);
    await resetPassword(await newResetToken(customer));
    const [message] = await readEmailsTo(shop, customer.email);
    expect(message?.subject).toBe(`Your password for ${shopName()} has been changed`);
    expect(message?.text).toContain('/forgotpassword');
  });

  test('expires after an hour', async () => {
    const token = await newResetToken(await createCustomer(shop, store));
    await shop.db
      .updateTable('tokens')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('hash', '=', hashToken(token))
      .execute();
    expect(await isValidToken(token)).toBe(false);
    expect((await resetPassword(token)).status).toBe(409);
  });

  test('is not valid in another store, nor is an access token or a made-up one', async () => {
    const customer = await createCustomer(shop, store);
    const access = await issueToken(shop.db, { storeId: store, userId: customer.id, deviceId: null });
    expect(await isValidToken(access)).toBe(false);
    expect((await resetPassword(access)).status).toBe(409);
    expect((await resetPassword(await newResetToken(customer), NEW_PASSWORD, await shop.store())).status).toBe(409);
    expect((await resetPassword('A'.repeat(43))).status).toBe(409);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test.each([
    ['a password that is too short', 'short'],
    ['one that is too long', 'x'.repeat(201)],
  ])('is not used up by %s', async (_what, password) => {
    const token = await newResetToken(await createCustomer(shop, store));
    expect((await resetPassword(token, password)).status).toBe(400);
    expect(await isValidToken(token)).toBe(true);
  });

  test('is stored only as its hash', async () => {
    const customer = await createCustomer(shop, store);
    await requestReset(customer.email);
    const queued = await shop.db.selectFrom('letters').selectAll().execute();
    const [message] = await readEmailsTo(shop, customer.email);
    const token = getFirstLink(message).split('/').at(-1) ?? '';
    expect(JSON.stringify(queued)).not.toContain(token);
    const kept = await shop.db.selectFrom('tokens').selectAll().where('user_id', '=', customer.id).execute();
    expect(kept.map(({ kind }) => kind).toSorted()).toEqual(['access', 'reset']);
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});
