import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken, issueResetToken, issueToken } from '../../../server/accounts/tokens.ts';
import { basic, customerOf, PASSWORD, type Customer } from '../support/customers.ts';
import { linkIn } from '../../../tools/shop/letters.ts';
import { sentTo } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

/** As the tests' stores call themselves. */
const shopName = (): string => `Books <of> ${store}`;

const NEW = 'battery staple';

const forgot = (email: string, { language = 'en', shelfid = store, remoteAddress = '127.0.0.1', host = 'localhost' } = {}) =>
  shop.app.inject({
    url: `/api/user/forgotpassword?${new URLSearchParams({ shelfid, appid: 'web', email }).toString()}`,
    remoteAddress,
    headers: { 'accept-language': language, host },
  });
const isGood = async (token: string, shelfid = store) => {
  const { value } = await shop.ask('validateResetToken', `/user/token/${token}`, { query: { shelfid } });
  return (value as { Valid: boolean }).Valid;
};
const reset = (token: string, password = NEW, shelfid = store) =>
  shop.ask('resetPassword', '/user/resetpassword', {
    query: { shelfid },
    body: `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`,
  });
const signIn = async (email: string, password: string) =>
  (await shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basic(email, password) })).status;
const tokenFor = ({ id, email }: Customer) => issueResetToken(shop.db, { storeId: store, userId: id, email });

describe('a forgotten password', () => {
  test('is set anew by the link that a letter brings, and the old one is over [S7.user/forgotpassword] [S7.user/resetpassword]', async () => {
    const customer = await customerOf(shop, store);
    expect((await forgot(customer.email.toUpperCase())).statusCode).toBe(200);
    const [letter] = await sentTo(shop, customer.email);
    if (!letter) throw new Error('no letter');
    expect(letter.subject).toBe(`Set a new password for ${shopName()}`);
    expect(letter.from).toEqual({ name: shopName(), address: 'no-reply@localhost' });
    expect(linkIn(letter)).toMatch(/^http:\/\/localhost\/resetpassword\/[\w-]{43}$/);
    expect(letter.html).toContain(`href="${linkIn(letter)}"`);
    expect(letter.html).toContain('Books &lt;of&gt;');
    const token = linkIn(letter).split('/').at(-1) ?? '';
    expect(await isGood(token)).toBe(true);
    expect((await reset(token)).status).toBe(200);
    expect(await signIn(customer.email, PASSWORD)).toBe(401);
    expect(await signIn(customer.email, NEW)).toBe(200);
  });

  test.each([
    ['zh', '设置您在{shop}的新密码'],
    ['es', 'Crea una nueva contraseña para {shop}'],
    ['fr', 'Choisissez un nouveau mot de passe pour {shop}'],
    ['it', 'Imposta una nuova password per {shop}'],
  ])('is written about in %s', async (language, subject) => {
    const { email } = await customerOf(shop, store);
    await forgot(email, { language });
    expect((await sentTo(shop, email)).map((letter) => letter.subject)).toEqual([subject.replace('{shop}', shopName())]);
  });

  test('of an address that nobody has is answered alike, and no letter is written', async () => {
    const { email } = await customerOf(shop, store);
    const stranger = `${randomUUID()}@example.org`;
    const [known, unknown] = [await forgot(email), await forgot(stranger)];
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    expect(await sentTo(shop, stranger)).toEqual([]);
    expect(await shop.db.selectFrom('letters').selectAll().execute()).toEqual([]);
  });

  test('of another store’s customer is nothing here', async () => {
    const { email } = await customerOf(shop, store);
    await forgot(email, { shelfid: await shop.store() });
    expect(await sentTo(shop, email)).toEqual([]);
  });

  test.each(['', 'nobody', 'a@example.org\nBcc: b@example.org', 'a@example.org, b@example.org'])(
    'of “%s” is refused',
    async (email) => {
      expect((await forgot(email)).statusCode).toBe(400);
    },
  );

  test('is no way to send somebody to a host that is not the shop’s', async () => {
    const { email } = await customerOf(shop, store);
    expect((await forgot(email, { host: 'evil.example' })).statusCode).toBe(400);
    expect(await sentTo(shop, email)).toEqual([]);
  });

  test('brings five letters an hour to one address, whether somebody has it or not', async () => {
    const { email } = await customerOf(shop, store);
    for (const address of [email, `${randomUUID()}@example.org`]) {
      const answers = [];
      for (let at = 0; at < 6; at += 1) answers.push(await forgot(address, { remoteAddress: `10.7.0.${at}` }));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(answers.at(-1)?.headers['retry-after']).toMatch(/^3(600|5\d\d)$/);
    }
  });

  test('is asked for thirty times an hour from one network', async () => {
    const ask = () => forgot(`${randomUUID()}@example.org`, { remoteAddress: '10.8.0.1' });
    const answers = [];
    for (let at = 0; at < 31; at += 1) answers.push((await ask()).statusCode);
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a link for a new password', () => {
  test('works once, also when it is used twice at the same time', async () => {
    const customer = await customerOf(shop, store);
    const token = await tokenFor(customer);
    const answers = await Promise.all([reset(token, 'the first one'), reset(token, 'the second')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [first, second] = await Promise.all([signIn(customer.email, 'the first one'), signIn(customer.email, 'the second')]);
    expect([first, second].toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await isGood(token)).toBe(false);
    expect(await reset(token)).toMatchObject({ status: 409, value: { Code: 'link_over' } });
  });

  test('ends every session and every other link of the account, and no other account’s', async () => {
    const [customer, other] = [await customerOf(shop, store), await customerOf(shop, store)];
    const [token, later, others] = [await tokenFor(customer), await tokenFor(customer), await tokenFor(other)];
    expect((await reset(token)).status).toBe(200);
    const isSignedIn = async ({ query }: Customer) =>
      (await shop.ask('subscriptionStatus', '/subscription/status', { query })).status === 200;
    expect([await isSignedIn(customer), await isSignedIn(other)]).toEqual([false, true]);
    expect([await isGood(later), await isGood(others)]).toEqual([false, true]);
  });

  test('is told of by a letter, when it was used', async () => {
    const customer = await customerOf(shop, store);
    await reset(await tokenFor(customer));
    const [letter] = await sentTo(shop, customer.email);
    expect(letter?.subject).toBe(`Your password for ${shopName()} has been changed`);
    expect(letter?.text).toContain('/forgotpassword');
  });

  test('is over after an hour', async () => {
    const token = await tokenFor(await customerOf(shop, store));
    await shop.db
      .updateTable('tokens')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('hash', '=', hashToken(token))
      .execute();
    expect(await isGood(token)).toBe(false);
    expect((await reset(token)).status).toBe(409);
  });

  test('is not another store’s, nor an access token, nor what somebody made up', async () => {
    const customer = await customerOf(shop, store);
    const access = await issueToken(shop.db, { storeId: store, userId: customer.id, deviceId: null });
    expect(await isGood(access)).toBe(false);
    expect((await reset(access)).status).toBe(409);
    expect((await reset(await tokenFor(customer), NEW, await shop.store())).status).toBe(409);
    expect((await reset('A'.repeat(43))).status).toBe(409);
    expect(await signIn(customer.email, PASSWORD)).toBe(200);
  });

  test.each([
    ['a password that is too short', 'short'],
    ['one that is too long', 'x'.repeat(201)],
  ])('is not used up by %s', async (_what, password) => {
    const token = await tokenFor(await customerOf(shop, store));
    expect((await reset(token, password)).status).toBe(400);
    expect(await isGood(token)).toBe(true);
  });

  test('is kept as its hash alone', async () => {
    const customer = await customerOf(shop, store);
    await forgot(customer.email);
    const queued = await shop.db.selectFrom('letters').selectAll().execute();
    const [letter] = await sentTo(shop, customer.email);
    const token = linkIn(letter).split('/').at(-1) ?? '';
    expect(JSON.stringify(queued)).not.toContain(token);
    const kept = await shop.db.selectFrom('tokens').selectAll().where('user_id', '=', customer.id).execute();
    expect(kept.map(({ kind }) => kind).toSorted()).toEqual(['access', 'reset']);
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});
