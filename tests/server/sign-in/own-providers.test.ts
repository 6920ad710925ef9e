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
// Each test has its own store, since a network's sign-ins are counted per store.
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

const startJoin = ({ query }: Caller, providerId = 'sso') =>
  providerShop.shop.call('startJoining', '/user/ways/start', { query, body: { providerId } });
const startAndReturn = async (customer: Caller, subject: string, providerId = 'sso') => {
  const { url } = (await startJoin(customer, providerId)).value as { url: string };
  return providerShop.signInAtUrl(url, subject);
};
const finishJoin = ({ query }: Caller, { state, code, iss }: ReturnedQuery) =>
  providerShop.shop.call('joinProvider', '/user/ways/join', {
    query,
    body: { state, code, ...(iss === undefined ? {} : { issuer: iss }) },
  });
const joinAs = async (customer: Caller, subject: string, providerId = 'sso') =>
  finishJoin(customer, await startAndReturn(customer, subject, providerId));
const removeProvider = ({ query }: Caller, providerId = 'sso') =>
  providerShop.shop.call('removeProvider', '/user/ways/remove', { query, body: { providerId } });
const readJoinedProviders = async ({ query }: Caller) => {
  const { value } = await providerShop.shop.call('ownProviders', '/user/ways/providers', { query });
  return (value as { providers: ListedProviders }).providers.filter((each) => each.joined).map(({ providerId }) => providerId);
};
const selectSubjects = async (userId: string) =>
  providerShop.shop.db.selectFrom('identities').select('subject').where('user_id', '=', userId).execute();
const readAuditKinds = async (userId: string) =>
  (await providerShop.shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', userId).orderBy('id').execute()).map(
    ({ kind }) => kind,
  );
/** Signs in with a provider. @returns the account's id, and the query of its session */
const signInByProvider = async (subject: string, providerId = 'sso') => {
  const { Url } = await providerShop.begin(providerId, store);
  const { value } = await providerShop.finish(await providerShop.signInAtUrl(Url, subject), { shelfid: store });
  const { IdToken, UserId } = value as { IdToken: string; UserId: string };
  return { id: UserId, query: { shelfid: store, accesstoken: IdToken } };
};
/** Ages the customer's sign-ins to an hour. */
const ageSessions = ({ id }: Pick<Customer, 'id'>) => {
  const created_at = new Date(Date.now() - 60 * 60_000);
  return providerShop.shop.db.updateTable('tokens').set({ created_at }).where('user_id', '=', id).execute();
};

describe('joining a provider to a signed-in account', () => {
  test('a joined provider is listed and can sign in, and the customer is notified', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    expect(await readJoinedProviders(customer)).toEqual([]);
    const subject = providerShop.createAccount({ email: newEmail(), email_verified: true });
    const response = await joinAs(customer, subject);
    expect(response).toMatchObject({ status: 200, value: { providers: [{ providerId: 'sso', joined: true }, {}, {}] } });
    expect(await readJoinedProviders(customer)).toEqual(['sso']);
    expect((await signInByProvider(subject)).id).toBe(customer.id);
    expect(await readAuditKinds(customer.id)).toContain('provider_joined');
    expect((await readEmailsTo(providerShop.shop, customer.email)).map(({ subject: emailSubject }) => emailSubject)).toEqual([
      'You can now sign in to Books <of> providers in another way',
    ]);
    // The account keeps its own address, regardless of the provider's.
    expect((await providerShop.readUserRow(customer.id)).email).toBe(customer.email);
  });

  test('joining a provider twice at the same time is idempotent, and sends one e-mail', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const subject = providerShop.createAccount({});
    const returnedQueries = [await startAndReturn(customer, subject), await startAndReturn(customer, subject)];
    const responses = await Promise.all(returnedQueries.map((returnedQuery) => finishJoin(customer, returnedQuery)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await selectSubjects(customer.id)).toHaveLength(1);
    expect(await readEmailsTo(providerShop.shop, customer.email)).toHaveLength(1);
  });

  test('joining a provider verifies the account’s address where the provider has verified the same address', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    await joinAs(customer, providerShop.createAccount({ email: customer.email, email_verified: false }), 'sso');
    expect((await providerShop.readUserRow(customer.id)).email_verified_at).toBeNull();
    await joinAs(
      customer,
      providerShop.createAccount({ email: customer.email, email_verified: true }, providerShop.other),
      'other',
    );
    expect((await providerShop.readUserRow(customer.id)).email_verified_at).not.toBeNull();
  });

  test('joining a provider that opens another account is refused, and changes neither account', async () => {
    const subject = providerShop.createAccount({});
    const owner = await signInByProvider(subject);
    const customer = await createCustomer(providerShop.shop, store);
    expect(await joinAs(customer, subject)).toMatchObject(refusal(409, 'provider_taken'));
    expect([await readJoinedProviders(customer), await readJoinedProviders(owner)]).toEqual([[], ['sso']]);
    expect((await signInByProvider(subject)).id).toBe(owner.id);
  });

  test('joining a provider to two accounts at the same time succeeds for one of them', async () => {
    const customers = [await createCustomer(providerShop.shop, store), await createCustomer(providerShop.shop, store)];
    const subject = providerShop.createAccount({});
    const joins = [];
    for (const customer of customers) joins.push({ customer, returnedQuery: await startAndReturn(customer, subject) });
    const responses = await Promise.all(joins.map(({ customer, returnedQuery }) => finishJoin(customer, returnedQuery)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('joining a sign-in method needs a recent sign-in', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    await ageSessions(customer);
    for (const id of ['sso', 'phone']) expect(await startJoin(customer, id)).toMatchObject(refusal(409, 'sign_in_again'));
    const body = { phone: '+447400000009', code: '123456' };
    const { query } = customer;
    expect(await providerShop.shop.call('joinPhone', '/user/ways/phone', { query, body })).toMatchObject(
      refusal(409, 'sign_in_again'),
    );
  });

  test('joining a provider can be finished once, only by the session that started it', async () => {
    const [customer, thief] = [await createCustomer(providerShop.shop, store), await createCustomer(providerShop.shop, store)];
    const returnedQuery = await startAndReturn(customer, providerShop.createAccount({}));
    // Neither an attacker’s response passed to a victim nor a victim’s stolen response can be used.
    expect(await finishJoin(thief, returnedQuery)).toMatchObject(refusal(409, 'sign_in_over'));
    // Another session of the same customer cannot finish the join either.
    const otherToken = (
      (
        await providerShop.shop.call('signIn', '/user/signin', {
          query: { shelfid: store, appid: 'web' },
          headers: basicAuth(customer.email, PASSWORD),
        })
      ).value as { IdToken: string }
    ).IdToken;
    expect(await finishJoin({ query: { shelfid: store, accesstoken: otherToken } }, returnedQuery)).toMatchObject(
      refusal(409, 'sign_in_over'),
    );
    expect((await finishJoin(customer, returnedQuery)).status).toBe(200);
    expect(await finishJoin(customer, returnedQuery)).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('a started join cannot sign in, and a started sign-in cannot join', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const joinQuery = await startAndReturn(customer, providerShop.createAccount({}));
    expect(await providerShop.finish(joinQuery, { shelfid: store })).toMatchObject({
      status: 409,
      value: { Code: 'sign_in_over' },
    });
    const signInQuery = await providerShop.signInAtUrl(
      (await providerShop.begin('sso', store)).Url,
      providerShop.createAccount({}),
    );
    expect(await finishJoin(customer, signInQuery)).toMatchObject(refusal(409, 'sign_in_over'));
    expect(await readJoinedProviders(customer)).toEqual([]);
  });

  test('joining a provider is refused after its expiry', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const returnedQuery = await startAndReturn(customer, providerShop.createAccount({}));
    const expires_at = new Date(Date.now() - 1);
    await providerShop.shop.db.updateTable('provider_sign_ins').set({ expires_at }).where('store_id', '=', store).execute();
    expect(await finishJoin(customer, returnedQuery)).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('joining a provider needs a session, and a provider of the store', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    expect(await startJoin(customer, 'nobody')).toMatchObject(refusal(404, 'not_found'));
    for (const path of ['start', 'join', 'phone', 'remove'])
      expect(
        (await providerShop.shop.app.inject({ method: 'POST', url: `/api/user/ways/${path}?shelfid=${store}`, payload: {} }))
          .statusCode,
      ).not.toBe(200);
    const response = await providerShop.shop.app.inject({ url: `/api/user/ways/providers?shelfid=${store}` });
    expect(response.statusCode).toBe(401);
  });
});

describe('joining a phone', () => {
  const phone = '+447400900123';
  const sendCode = async (number = phone) => {
    const { value } = await providerShop.shop.call('sendPhoneCode', '/user/phone/code', {
      query: { shelfid: store, appid: 'web' },
      body: `<SendPhoneCode><Phone>${number}</Phone></SendPhoneCode>`,
    });
    const code = parseCode((await readMessages(join(providerShop.shop.folder, 'outbox'), number)).at(-1));
    return { code, requestId: (value as { RequestId: string }).RequestId };
  };
  const joinPhone = ({ query }: Caller, sentCode: { code: string; requestId?: string }, number = phone) =>
    providerShop.shop.call('joinPhone', '/user/ways/phone', { query, body: { phone: number, ...sentCode } });

  test('a phone is joined with its code, and then signs in to the same account', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    expect(await startJoin(customer, 'phone')).toMatchObject({ status: 200, value: {} });
    expect((await joinPhone(customer, await sendCode())).status).toBe(200);
    expect(await readJoinedProviders(customer)).toEqual(['phone']);
    const { code, requestId } = await sendCode();
    const { value } = await providerShop.shop.call('signInByPhone', '/user/phone/signin', {
      query: { shelfid: store, appid: 'web' },
      body: `<PhoneSignIn><Phone>${phone}</Phone><Code>${code}</Code><RequestId>${requestId}</RequestId></PhoneSignIn>`,
    });
    expect(value).toMatchObject({ UserId: customer.id });
  });

  test('joining a phone fails with any other code, and with a number of another account', async () => {
    const [customer, otherCustomer] = [
      await createCustomer(providerShop.shop, store),
      await createCustomer(providerShop.shop, store),
    ];
    const sentCode = await sendCode();
    const wrongCode = sentCode.code === '000000' ? '000001' : '000000';
    expect(await joinPhone(customer, { ...sentCode, code: wrongCode })).toMatchObject(refusal(409, 'code_wrong'));
    expect(await joinPhone(customer, { code: sentCode.code })).toMatchObject(refusal(409, 'code_over'));
    expect((await joinPhone(customer, sentCode)).status).toBe(200);
    expect(await joinPhone(customer, sentCode)).toMatchObject(refusal(409, 'code_over'));
    expect(await joinPhone(otherCustomer, await sendCode())).toMatchObject(refusal(409, 'provider_taken'));
    expect(await joinPhone(otherCustomer, { code: '123456' }, '12')).toMatchObject(refusal(400, 'bad_phone'));
  });
});

describe('removing a sign-in method', () => {
  test('removing a provider disconnects it from the account, and notifies the customer', async () => {
    const customer = await createCustomer(providerShop.shop, store);
    const subject = providerShop.createAccount({});
    await joinAs(customer, subject);
    expect((await removeProvider(customer)).status).toBe(200);
    expect(await readJoinedProviders(customer)).toEqual([]);
    expect((await signInByProvider(subject)).id).not.toBe(customer.id);
    expect(await readAuditKinds(customer.id)).toContain('provider_removed');
    expect((await readEmailsTo(providerShop.shop, customer.email)).map(({ subject: emailSubject }) => emailSubject)).toContain(
      'A way to sign in to Books <of> providers has been removed',
    );
    expect(await removeProvider(customer)).toMatchObject(refusal(404, 'not_found'));
  });

  test('removing the last sign-in method is refused', async () => {
    const customer = await signInByProvider(providerShop.createAccount({}));
    expect(await removeProvider(customer)).toMatchObject(refusal(409, 'last_way_in'));
    expect(await readJoinedProviders(customer)).toEqual(['sso']);
    await joinAs(customer, providerShop.createAccount({}, providerShop.other), 'other');
    expect((await removeProvider(customer)).status).toBe(200);
    expect(await removeProvider(customer, 'other')).toMatchObject(refusal(409, 'last_way_in'));
  });

  test('removing both sign-in methods at the same time leaves one', async () => {
    const customer = await signInByProvider(providerShop.createAccount({}));
    await joinAs(customer, providerShop.createAccount({}, providerShop.other), 'other');
    const responses = await Promise.all([removeProvider(customer, 'sso'), removeProvider(customer, 'other')]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await readJoinedProviders(customer)).toHaveLength(1);
  });

  test('removing the last passkey and the last provider at the same time leaves one', async () => {
    const customer = await signInByProvider(providerShop.createAccount({}));
    const { query } = customer;
    const device = new Authenticator();
    const { options } = (await providerShop.shop.call('startPasskey', '/user/passkeys/start', { query, method: 'POST' }))
      .value as {
      options: Parameters<Authenticator['create']>[0];
    };
    const { added } = (
      await providerShop.shop.call('addPasskey', '/user/passkeys/add', {
        query,
        body: { name: 'Key', credential: device.create(options) },
      })
    ).value as { added: string };
    const removePasskey = () =>
      providerShop.shop.call('removePasskey', '/user/passkeys/remove', { query, body: { passkeyId: added } });
    const responses = await Promise.all([removeProvider(customer), removePasskey()]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    // A provider that the store no longer has does not count.
    await providerShop.shop.db.deleteFrom('providers').where('store_id', '=', store).execute();
    if (responses[1].status !== 200) expect(await removePasskey()).toMatchObject(refusal(409, 'last_way_in'));
  });
});
