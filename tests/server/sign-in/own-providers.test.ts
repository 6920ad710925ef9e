import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeIn, messagesIn } from '../../support/text-messages.ts';
import { Authenticator } from '../support/authenticator.ts';
import { basic, customerOf, PASSWORD, type Customer } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { newEmail, ofProvider, openProviderShop, type ProviderShop, type ReturnedQuery } from '../support/provider-shop.ts';

type Asking = { query: Customer['query'] };
type Listed = { providerId: string; joined: boolean }[];

let at: ProviderShop;
let store: string;
beforeAll(async () => {
  at = await openProviderShop();
});
// What is begun from one network is counted by store.
beforeEach(async () => {
  store = await at.shop.store({
    providers: [ofProvider('sso', at.sso), ofProvider('other', at.other), { kind: 'phone', country: 'GB' }],
    properties: { ShelfName: 'Books <of> providers' },
  });
});
afterAll(() => at.close());

const refused = (status: number, code: string) => ({ status, value: { code } });

const start = ({ query }: Asking, providerId = 'sso') =>
  at.shop.ask('startJoining', '/user/ways/start', { query, body: { providerId } });
const returned = async (customer: Asking, subject: string, providerId = 'sso') => {
  const { url } = (await start(customer, providerId)).value as { url: string };
  return at.returnedFrom(url, subject);
};
const finish = ({ query }: Asking, { state, code, iss }: ReturnedQuery) =>
  at.shop.ask('joinProvider', '/user/ways/join', { query, body: { state, code, ...(iss === undefined ? {} : { issuer: iss }) } });
const joinAs = async (customer: Asking, subject: string, providerId = 'sso') =>
  finish(customer, await returned(customer, subject, providerId));
const remove = ({ query }: Asking, providerId = 'sso') =>
  at.shop.ask('removeProvider', '/user/ways/remove', { query, body: { providerId } });
const joined = async ({ query }: Asking) => {
  const { value } = await at.shop.ask('ownProviders', '/user/ways/providers', { query });
  return (value as { providers: Listed }).providers.filter((each) => each.joined).map(({ providerId }) => providerId);
};
const identities = async (userId: string) =>
  at.shop.db.selectFrom('identities').select('subject').where('user_id', '=', userId).execute();
const logOf = async (userId: string) =>
  (await at.shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', userId).orderBy('id').execute()).map(
    ({ kind }) => kind,
  );
/** Whoever has come by a provider, as their session asks. */
const byProvider = async (subject: string, providerId = 'sso') => {
  const { Url } = await at.begin(providerId, store);
  const { value } = await at.finish(await at.returnedFrom(Url, subject), { shelfid: store });
  const { IdToken, UserId } = value as { IdToken: string; UserId: string };
  return { id: UserId, query: { shelfid: store, accesstoken: IdToken } };
};
/** As if the customer had signed in an hour ago. */
const age = ({ query }: Asking) => {
  const created_at = new Date(Date.now() - 60 * 60_000);
  return at.shop.db.updateTable('tokens').set({ created_at }).where('store_id', '=', query.shelfid).execute();
};

describe('joining a provider to an account that is signed in', () => {
  test('lists it, signs in by it from then on, and tells the customer', async () => {
    const customer = await customerOf(at.shop, store);
    expect(await joined(customer)).toEqual([]);
    const subject = at.person({ email: newEmail(), email_verified: true });
    const answer = await joinAs(customer, subject);
    expect(answer).toMatchObject({ status: 200, value: { providers: [{ providerId: 'sso', joined: true }, {}, {}] } });
    expect(await joined(customer)).toEqual(['sso']);
    expect((await byProvider(subject)).id).toBe(customer.id);
    expect(await logOf(customer.id)).toContain('provider_joined');
    expect((await sentTo(at.shop, customer.email)).map(({ subject: said }) => said)).toEqual([
      'You can now sign in to Books <of> providers in another way',
    ]);
    // The address of the account is its own, whatever the provider says.
    expect((await at.userRow(customer.id)).email).toBe(customer.email);
  });

  test('twice is once, and says so once', async () => {
    const customer = await customerOf(at.shop, store);
    const subject = at.person({});
    const ways = [await returned(customer, subject), await returned(customer, subject)];
    const answers = await Promise.all(ways.map((way) => finish(customer, way)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await identities(customer.id)).toHaveLength(1);
    expect(await sentTo(at.shop, customer.email)).toHaveLength(1);
  });

  test('shows that the address is the customer’s where the provider knows the same', async () => {
    const customer = await customerOf(at.shop, store);
    await joinAs(customer, at.person({ email: customer.email, email_verified: false }), 'sso');
    expect((await at.userRow(customer.id)).email_verified_at).toBeNull();
    await joinAs(customer, at.person({ email: customer.email, email_verified: true }, at.other), 'other');
    expect((await at.userRow(customer.id)).email_verified_at).not.toBeNull();
  });

  test('is refused where it opens another account, which stays as it is', async () => {
    const subject = at.person({});
    const owner = await byProvider(subject);
    const customer = await customerOf(at.shop, store);
    expect(await joinAs(customer, subject)).toMatchObject(refused(409, 'provider_taken'));
    expect([await joined(customer), await joined(owner)]).toEqual([[], ['sso']]);
    expect((await byProvider(subject)).id).toBe(owner.id);
  });

  test('by two accounts at the same moment joins one of them', async () => {
    const customers = [await customerOf(at.shop, store), await customerOf(at.shop, store)];
    const subject = at.person({});
    const ways = [];
    for (const customer of customers) ways.push({ customer, way: await returned(customer, subject) });
    const answers = await Promise.all(ways.map(({ customer, way }) => finish(customer, way)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('needs a sign-in of a moment ago', async () => {
    const customer = await customerOf(at.shop, store);
    await age(customer);
    for (const id of ['sso', 'phone']) expect(await start(customer, id)).toMatchObject(refused(409, 'sign_in_again'));
    const body = { phone: '+447400000009', code: '123456' };
    const { query } = customer;
    expect(await at.shop.ask('joinPhone', '/user/ways/phone', { query, body })).toMatchObject(refused(409, 'sign_in_again'));
  });

  test('is finished once, by the session that has begun it, and by no other', async () => {
    const [customer, thief] = [await customerOf(at.shop, store), await customerOf(at.shop, store)];
    const way = await returned(customer, at.person({}));
    // An attacker’s answer that is slipped to somebody else, and an answer that an attacker got hold of.
    expect(await finish(thief, way)).toMatchObject(refused(409, 'sign_in_over'));
    // Another session of the same customer, too.
    const otherToken = (
      (
        await at.shop.ask('signIn', '/user/signin', {
          query: { shelfid: store, appid: 'web' },
          headers: basic(customer.email, PASSWORD),
        })
      ).value as { IdToken: string }
    ).IdToken;
    expect(await finish({ query: { shelfid: store, accesstoken: otherToken } }, way)).toMatchObject(refused(409, 'sign_in_over'));
    expect((await finish(customer, way)).status).toBe(200);
    expect(await finish(customer, way)).toMatchObject(refused(409, 'sign_in_over'));
  });

  test('signs nobody in, and what was begun to sign in joins nothing', async () => {
    const customer = await customerOf(at.shop, store);
    const joining = await returned(customer, at.person({}));
    expect(await at.finish(joining, { shelfid: store })).toMatchObject({ status: 409, value: { Code: 'sign_in_over' } });
    const signingIn = await at.returnedFrom((await at.begin('sso', store)).Url, at.person({}));
    expect(await finish(customer, signingIn)).toMatchObject(refused(409, 'sign_in_over'));
    expect(await joined(customer)).toEqual([]);
  });

  test('is over after ten minutes', async () => {
    const customer = await customerOf(at.shop, store);
    const way = await returned(customer, at.person({}));
    const expires_at = new Date(Date.now() - 1);
    await at.shop.db.updateTable('provider_sign_ins').set({ expires_at }).where('store_id', '=', store).execute();
    expect(await finish(customer, way)).toMatchObject(refused(409, 'sign_in_over'));
  });

  test('needs a session, and a provider that the store has', async () => {
    const customer = await customerOf(at.shop, store);
    expect(await start(customer, 'nobody')).toMatchObject(refused(404, 'not_found'));
    for (const path of ['start', 'join', 'phone', 'remove'])
      expect(
        (await at.shop.app.inject({ method: 'POST', url: `/api/user/ways/${path}?shelfid=${store}`, payload: {} })).statusCode,
      ).not.toBe(200);
    const open = await at.shop.app.inject({ url: `/api/user/ways/providers?shelfid=${store}` });
    expect(open.statusCode).toBe(401);
  });
});

describe('joining a telephone', () => {
  const phone = '+447400900123';
  const codeFor = async (number = phone) => {
    const { value } = await at.shop.ask('sendPhoneCode', '/user/phone/code', {
      query: { shelfid: store, appid: 'web' },
      body: `<SendPhoneCode><Phone>${number}</Phone></SendPhoneCode>`,
    });
    const code = codeIn((await messagesIn(join(at.shop.folder, 'outbox'), number)).at(-1));
    return { code, requestId: (value as { RequestId: string }).RequestId };
  };
  const joinBy = ({ query }: Asking, sent: { code: string; requestId?: string }, number = phone) =>
    at.shop.ask('joinPhone', '/user/ways/phone', { query, body: { phone: number, ...sent } });

  test('by its code, which then signs in to the same account', async () => {
    const customer = await customerOf(at.shop, store);
    expect(await start(customer, 'phone')).toMatchObject({ status: 200, value: {} });
    expect((await joinBy(customer, await codeFor())).status).toBe(200);
    expect(await joined(customer)).toEqual(['phone']);
    const { code, requestId } = await codeFor();
    const { value } = await at.shop.ask('signInByPhone', '/user/phone/signin', {
      query: { shelfid: store, appid: 'web' },
      body: `<PhoneSignIn><Phone>${phone}</Phone><Code>${code}</Code><RequestId>${requestId}</RequestId></PhoneSignIn>`,
    });
    expect(value).toMatchObject({ UserId: customer.id });
  });

  test('by no other code, and none that belongs to somebody else', async () => {
    const [customer, other] = [await customerOf(at.shop, store), await customerOf(at.shop, store)];
    const sent = await codeFor();
    const wrong = sent.code === '000000' ? '000001' : '000000';
    expect(await joinBy(customer, { ...sent, code: wrong })).toMatchObject(refused(409, 'code_wrong'));
    expect(await joinBy(customer, { code: sent.code })).toMatchObject(refused(409, 'code_over'));
    expect((await joinBy(customer, sent)).status).toBe(200);
    expect(await joinBy(customer, sent)).toMatchObject(refused(409, 'code_over'));
    expect(await joinBy(other, await codeFor())).toMatchObject(refused(409, 'provider_taken'));
    expect(await joinBy(other, { code: '123456' }, '12')).toMatchObject(refused(400, 'bad_phone'));
  });
});

describe('removing a way in', () => {
  test('parts the provider from the account, and tells the customer', async () => {
    const customer = await customerOf(at.shop, store);
    const subject = at.person({});
    await joinAs(customer, subject);
    expect((await remove(customer)).status).toBe(200);
    expect(await joined(customer)).toEqual([]);
    expect((await byProvider(subject)).id).not.toBe(customer.id);
    expect(await logOf(customer.id)).toContain('provider_removed');
    expect((await sentTo(at.shop, customer.email)).map(({ subject: said }) => said)).toContain(
      'A way to sign in to Books <of> providers has been removed',
    );
    expect(await remove(customer)).toMatchObject(refused(404, 'not_found'));
  });

  test('is refused for the last one, whatever it is', async () => {
    const customer = await byProvider(at.person({}));
    expect(await remove(customer)).toMatchObject(refused(409, 'last_way_in'));
    expect(await joined(customer)).toEqual(['sso']);
    await joinAs(customer, at.person({}, at.other), 'other');
    expect((await remove(customer)).status).toBe(200);
    expect(await remove(customer, 'other')).toMatchObject(refused(409, 'last_way_in'));
  });

  test('of two at the same moment leaves one', async () => {
    const customer = await byProvider(at.person({}));
    await joinAs(customer, at.person({}, at.other), 'other');
    const answers = await Promise.all([remove(customer, 'sso'), remove(customer, 'other')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await joined(customer)).toHaveLength(1);
  });

  test('counts passkeys and providers together', async () => {
    const customer = await byProvider(at.person({}));
    const { query } = customer;
    const device = new Authenticator();
    const { options } = (await at.shop.ask('startPasskey', '/user/passkeys/start', { query, method: 'POST' })).value as {
      options: Parameters<Authenticator['create']>[0];
    };
    const { added } = (
      await at.shop.ask('addPasskey', '/user/passkeys/add', { query, body: { name: 'Key', credential: device.create(options) } })
    ).value as { added: string };
    const removePasskey = () => at.shop.ask('removePasskey', '/user/passkeys/remove', { query, body: { passkeyId: added } });
    const answers = await Promise.all([remove(customer), removePasskey()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    // What the store has no more opens nothing.
    await at.shop.db.deleteFrom('providers').where('store_id', '=', store).execute();
    if (answers[1].status !== 200) expect(await removePasskey()).toMatchObject(refused(409, 'last_way_in'));
  });
});
