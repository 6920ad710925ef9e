import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseCode, readMessages } from '../../support/text-messages.ts';
import { Authenticator } from '../support/authenticator.ts';
import { basicAuth, createCustomer, PASSWORD, type Customer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { newEmail, providerConfig, openProviderShop, type ProviderShop, type ReturnedQuery } from '../support/provider-shop.ts';

type Caller = { query: Customer['query'] };
type ListedProviders = { providerId: string; joined: boolean }[];

let providerShop: ProviderShop;
let store: string;
beforeAll(async () => {
  providerShop = await openProviderShop();
});
// Sign-ins started from one network are counted per store.
beforeEach(async () => {
  store = await providerShop.shop.store({
    providers: [
      providerConfig('sso', providerShop.sso),
      providerConfig('other', providerShop.other),
      { kind: 'phone', country: 'GB' },
    ],
    properties: { ShelfName: 'Books <of> providers' },
  });
});
afterAll(() => providerShop.close());

const refusal = (status: number, code: string) => ({ status, value: { code } });

const start = ({ query }: Caller, providerId = 'sso') =>
  providerShop.shop.ask('startJoining', '/user/ways/start', { query, body: { providerId } });
const startAndReturn = async (customer: Caller, subject: string, providerId = 'sso') => {
  const { url } = (await start(customer, providerId)).value as { url: string };
  return providerShop.returnedFrom(url, subject);
};
const finishJoin = ({ query }: Caller, { state, code, iss }: ReturnedQuery) =>
  providerShop.shop.ask('joinProvider', '/user/ways/join', {
    query,
    body: { state, code, ...(iss === undefined ? {} : { issuer: iss }) },
  });
const joinAs = async (customer: Caller, subject: string, providerId = 'sso') =>
  finishJoin(customer, await startAndReturn(customer, subject, providerId));
const remove = ({ query }: Caller, providerId = 'sso') =>
  providerShop.shop.ask('removeProvider', '/user/ways/remove', { query, body: { providerId } });
const readJoined = async ({ query }: Caller) => {
  const { value } = await providerShop.shop.ask('ownProviders', '/user/ways/providers', { query });
  return (value as { providers: ListedProviders }).providers.filter((each) => each.joined).map(({ providerId }) => providerId);
};
const selectSubjects = async (userId: string) =>
  providerShop.shop.db.selectFrom('identities').select('subject').where('user_id', '=', userId).execute();
const auditKinds = async (userId: string) =>
  (await providerShop.shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', userId).orderBy('id').execute()).map(
    ({ kind }) => kind,
  );
/** A customer who signed in with a provider, with the query of their session. */
const signInStatus = async (subject: string, providerId = 'sso') => {
  const { Url } = await providerShop.begin(providerId, store);
  const { value } = await providerShop.finish(await providerShop.returnedFrom(Url, subject), { shelfid: store });
  const { IdToken, UserId } = value as { IdToken: string; UserId: string };
  return { id: UserId, query: { shelfid: store, accesstoken: IdToken } };
};
/** Ages the customer's sign-in to an hour. */
const ageSession = ({ query }: Caller) => {
  const created_at = new Date(Date.now() - 60 * 60_000);
  return providerShop.shop.db.updateTable('tokens').set({ created_at }).where('store_id', '=', query.shelfid).execute();
};

describe('joining a provider to a signed-in account', () => {
  test('lists it, lets it sign in from then on, and notifies the customer', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    expect(await readJoined(customer)).toEqual([]);
    const subject = providerShop.createAccount({ email: newEmail(), email_verified: true });
    const answer = await joinAs(customer, subject);
    expect(answer).toMatchObject({ status: 200, value: { providers: [{ providerId: 'sso', joined: true }, {}, {}] } });
    expect(await readJoined(customer)).toEqual(['sso']);
    expect((await signInStatus(subject)).id).toBe(customer.id);
    expect(await auditKinds(customer.id)).toContain('provider_joined');
    expect((await readEmailsTo(providerShop.shop, customer.email)).map(({ subject: said }) => said)).toEqual([
      'You can now sign in to Books <of> providers in another way',
    ]);
    // The account keeps its own address, regardless of the provider's.
    expect((await providerShop.userRow(customer.id)).email).toBe(customer.email);
  });

  test('is idempotent, and sends one e-mail', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const subject = providerShop.createAccount({});
    const ways = [await startAndReturn(customer, subject), await startAndReturn(customer, subject)];
    const answers = await Promise.all(ways.map((way) => finishJoin(customer, way)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await selectSubjects(customer.id)).toHaveLength(1);
    expect(await readEmailsTo(providerShop.shop, customer.email)).toHaveLength(1);
  });

  test('verifies the address where the provider has verified the same one', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    await joinAs(customer, providerShop.createAccount({ email: customer.email, email_verified: false }), 'sso');
    expect((await providerShop.userRow(customer.id)).email_verified_at).toBeNull();
    await joinAs(
      customer,
      providerShop.createAccount({ email: customer.email, email_verified: true }, providerShop.other),
      'other',
    );
    expect((await providerShop.userRow(customer.id)).email_verified_at).not.toBeNull();
  });

  test('is refused when it opens another account, which does not change', async () => {
    const subject = providerShop.createAccount({});
    const owner = await signInStatus(subject);
    const customer = await createCustomer(providerShop.shop, store);
    expect(await joinAs(customer, subject)).toMatchObject(refusal(409, 'provider_taken'));
    expect([await readJoined(customer), await readJoined(owner)]).toEqual([[], ['sso']]);
    expect((await signInStatus(subject)).id).toBe(owner.id);
  });

  test('by two accounts at the same time joins one of them', async () => {
    const customers = [await createCustomer(providerShop.shop, store), await createCustomer(providerShop.shop, store)];
    const subject = providerShop.createAccount({});
    const ways = [];
    for (const customer of customers) ways.push({ customer, way: await startAndReturn(customer, subject) });
    const answers = await Promise.all(ways.map(({ customer, way }) => finishJoin(customer, way)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('needs a recent sign-in', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    await ageSession(customer);
    for (const id of ['sso', 'phone']) expect(await start(customer, id)).toMatchObject(refusal(409, 'sign_in_again'));
    const body = { phone: '+447400000009', code: '123456' };
    const { query } = customer;
    expect(await providerShop.shop.ask('joinPhone', '/user/ways/phone', { query, body })).toMatchObject(
      refusal(409, 'sign_in_again'),
    );
  });

  test('is finished once, only by the session that started it', async () => {
    const [customer, thief] = [await createCustomer(providerShop.shop, store), await createCustomer(providerShop.shop, store)];
    const way = await startAndReturn(customer, providerShop.createAccount({}));
    // An attacker’s response passed to a victim, and a victim's response stolen by an attacker.
    expect(await finishJoin(thief, way)).toMatchObject(refusal(409, 'sign_in_over'));
    // Nor by another session of the same customer.
    const otherToken = (
      (
        await providerShop.shop.ask('signIn', '/user/signin', {
          query: { shelfid: store, appid: 'web' },
          headers: basicAuth(customer.email, PASSWORD),
        })
      ).value as { IdToken: string }
    ).IdToken;
    expect(await finishJoin({ query: { shelfid: store, accesstoken: otherToken } }, way)).toMatchObject(
      refusal(409, 'sign_in_over'),
    );
    expect((await finishJoin(customer, way)).status).toBe(200);
    expect(await finishJoin(customer, way)).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('does not sign in, and a started sign-in does not join', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const joining = await startAndReturn(customer, providerShop.createAccount({}));
    expect(await providerShop.finish(joining, { shelfid: store })).toMatchObject({
      status: 409,
      value: { Code: 'sign_in_over' },
    });
    const signingIn = await providerShop.returnedFrom(
      (await providerShop.begin('sso', store)).Url,
      providerShop.createAccount({}),
    );
    expect(await finishJoin(customer, signingIn)).toMatchObject(refusal(409, 'sign_in_over'));
    expect(await readJoined(customer)).toEqual([]);
  });

  test('expires after ten minutes', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const way = await startAndReturn(customer, providerShop.createAccount({}));
    const expires_at = new Date(Date.now() - 1);
    await providerShop.shop.db.updateTable('provider_sign_ins').set({ expires_at }).where('store_id', '=', store).execute();
    expect(await finishJoin(customer, way)).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('needs a session, and a provider that the store has', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    expect(await start(customer, 'nobody')).toMatchObject(refusal(404, 'not_found'));
    for (const path of ['start', 'join', 'phone', 'remove'])
      expect(
        (await providerShop.shop.app.inject({ method: 'POST', url: `/api/user/ways/${path}?shelfid=${store}`, payload: {} }))
          .statusCode,
      ).not.toBe(200);
    const open = await providerShop.shop.app.inject({ url: `/api/user/ways/providers?shelfid=${store}` });
    expect(open.statusCode).toBe(401);
  });
});

describe('joining a phone', () => {
  const phone = '+447400900123';
  const codeFor = async (number = phone) => {
    const { value } = await providerShop.shop.ask('sendPhoneCode', '/user/phone/code', {
      query: { shelfid: store, appid: 'web' },
      body: `<SendPhoneCode><Phone>${number}</Phone></SendPhoneCode>`,
    });
    const code = parseCode((await readMessages(join(providerShop.shop.folder, 'outbox'), number)).at(-1));
    return { code, requestId: (value as { RequestId: string }).RequestId };
  };
  const joinBy = ({ query }: Caller, sent: { code: string; requestId?: string }, number = phone) =>
    providerShop.shop.ask('joinPhone', '/user/ways/phone', { query, body: { phone: number, ...sent } });

  test('works with its code, and the phone then signs in to the same account', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    expect(await start(customer, 'phone')).toMatchObject({ status: 200, value: {} });
    expect((await joinBy(customer, await codeFor())).status).toBe(200);
    expect(await readJoined(customer)).toEqual(['phone']);
    const { code, requestId } = await codeFor();
    const { value } = await providerShop.shop.ask('signInByPhone', '/user/phone/signin', {
      query: { shelfid: store, appid: 'web' },
      body: `<PhoneSignIn><Phone>${phone}</Phone><Code>${code}</Code><RequestId>${requestId}</RequestId></PhoneSignIn>`,
    });
    expect(value).toMatchObject({ UserId: customer.id });
  });

  test('fails with any other code, and with a number of another account', async () => {
    const [customer, other] = [await createCustomer(providerShop.shop, store), await createCustomer(providerShop.shop, store)];
    const sent = await codeFor();
    const wrong = sent.code === '000000' ? '000001' : '000000';
    expect(await joinBy(customer, { ...sent, code: wrong })).toMatchObject(refusal(409, 'code_wrong'));
    expect(await joinBy(customer, { code: sent.code })).toMatchObject(refusal(409, 'code_over'));
    expect((await joinBy(customer, sent)).status).toBe(200);
    expect(await joinBy(customer, sent)).toMatchObject(refusal(409, 'code_over'));
    expect(await joinBy(other, await codeFor())).toMatchObject(refusal(409, 'provider_taken'));
    expect(await joinBy(other, { code: '123456' }, '12')).toMatchObject(refusal(400, 'bad_phone'));
  });
});

describe('removing a sign-in method', () => {
  test('disconnects the provider from the account, and notifies the customer', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const subject = providerShop.createAccount({});
    await joinAs(customer, subject);
    expect((await remove(customer)).status).toBe(200);
    expect(await readJoined(customer)).toEqual([]);
    expect((await signInStatus(subject)).id).not.toBe(customer.id);
    expect(await auditKinds(customer.id)).toContain('provider_removed');
    expect((await readEmailsTo(providerShop.shop, customer.email)).map(({ subject: said }) => said)).toContain(
      'A way to sign in to Books <of> providers has been removed',
    );
    expect(await remove(customer)).toMatchObject(refusal(404, 'not_found'));
  });

  test('is refused for the last one of any kind', async () => {
    const customer = await signInStatus(providerShop.createAccount({}));
    expect(await remove(customer)).toMatchObject(refusal(409, 'last_way_in'));
    expect(await readJoined(customer)).toEqual(['sso']);
    await joinAs(customer, providerShop.createAccount({}, providerShop.other), 'other');
    expect((await remove(customer)).status).toBe(200);
    expect(await remove(customer, 'other')).toMatchObject(refusal(409, 'last_way_in'));
  });

  test('twice at the same time leaves one', async () => {
    const customer = await signInStatus(providerShop.createAccount({}));
    await joinAs(customer, providerShop.createAccount({}, providerShop.other), 'other');
    const answers = await Promise.all([remove(customer, 'sso'), remove(customer, 'other')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await readJoined(customer)).toHaveLength(1);
  });

  test('counts passkeys and providers together', async () => {
    const customer = await signInStatus(providerShop.createAccount({}));
    const { query } = customer;
    const device = new Authenticator();
    const { options } = (await providerShop.shop.ask('startPasskey', '/user/passkeys/start', { query, method: 'POST' }))
      .value as {
      options: Parameters<Authenticator['create']>[0];
    };
    const { added } = (
      await providerShop.shop.ask('addPasskey', '/user/passkeys/add', {
        query,
        body: { name: 'Key', credential: device.create(options) },
      })
    ).value as { added: string };
    const removePasskey = () =>
      providerShop.shop.ask('removePasskey', '/user/passkeys/remove', { query, body: { passkeyId: added } });
    const answers = await Promise.all([remove(customer), removePasskey()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    // A provider that the store no longer has does not count.
    await providerShop.shop.db.deleteFrom('providers').where('store_id', '=', store).execute();
    if (answers[1].status !== 200) expect(await removePasskey()).toMatchObject(refusal(409, 'last_way_in'));
  });
});
