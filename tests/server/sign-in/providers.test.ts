import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { signInAtProvider, startProvider } from '../../support/oidc-provider.ts';
import {
  newEmail,
  providerConfig,
  openProviderShop,
  refusal,
  type ProviderShop,
  type Session,
} from '../support/provider-shop.ts';

let providerShop: ProviderShop;
beforeAll(async () => {
  providerShop = await openProviderShop();
});
afterAll(() => providerShop.close());

const verifiedAccount = () => ({ email: newEmail(), email_verified: true });

describe('the list of providers', () => {
  test('the list of providers has their names, in the store’s order, and no secret', async () => {
    const { status, text, value } = await providerShop.shop.call('providers', '/user/providers', {
      query: { shelfid: providerShop.store },
    });
    expect([status, value]).toEqual([
      200,
      {
        Provider: [
          { Id: 'sso', Kind: 'oidc', Name: 'Sign-on <sso>' },
          { Id: 'other', Kind: 'oidc', Name: 'Sign-on <other>' },
        ],
      },
    ]);
    expect(text).not.toContain(providerShop.sso.clientSecret);
    expect(text).not.toContain(providerShop.sso.clientId);
  });

  test('the list of providers is empty in a store without providers, which starts no sign-in either', async () => {
    const shelfid = await providerShop.shop.store();
    expect((await providerShop.shop.call('providers', '/user/providers', { query: { shelfid } })).value).toEqual({
      Provider: [],
    });
    expect((await providerShop.start('sso', shelfid)).status).toBe(404);
  });
});

describe('signing in with OpenID Connect', () => {
  test('signing in with OpenID Connect makes an account without a password, and finds it again [S2.signin/providers]', async () => {
    const email = newEmail();
    const subject = providerShop.createAccount({ email, email_verified: true, name: 'Ann & Co' });
    const session = await providerShop.signInSession(subject);
    expect(session.EmailId).toBe(email);
    expect(await providerShop.isTokenValid(session.IdToken)).toBe(true);
    const row = await providerShop.readUserRow(session.UserId);
    expect(row).toMatchObject({ email, name: 'Ann & Co', password_hash: null });
    expect(row.email_verified_at).not.toBeNull();
    expect(await providerShop.readPasswordSignInStatus(email, '')).toBe(401);
    expect(await providerShop.readPasswordSignInStatus(email)).toBe(401);
    expect((await providerShop.signInSession(subject)).UserId).toBe(session.UserId);
  });

  test('signing in with OpenID Connect sends PKCE, a state and a nonce to the provider, and returns to the store’s own address', async () => {
    const { Url, State } = await providerShop.begin();
    const url = new URL(Url);
    expect(url.origin).toBe(providerShop.sso.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: providerShop.sso.clientId,
      redirect_uri: 'http://localhost/auth0loginCallback',
      state: State,
      code_challenge_method: 'S256',
    });
    expect(url.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    const signInRows = await providerShop.shop.db.selectFrom('provider_sign_ins').selectAll().execute();
    expect(JSON.stringify(signInRows)).not.toContain(State);
  });

  test('signing in with OpenID Connect registers the device, which the account then knows', async () => {
    const device = randomUUID();
    const { Url } = await providerShop.begin();
    const subject = providerShop.createAccount(verifiedAccount());
    const { value } = await providerShop.finish(await providerShop.signInAtUrl(Url, subject), { device });
    const rows = await providerShop.shop.db
      .selectFrom('devices')
      .select('id')
      .where('user_id', '=', (value as Session).UserId)
      .execute();
    expect(rows).toEqual([{ id: device }]);
  });

  test('signing in with OpenID Connect works for any number of people without an address', async () => {
    const [firstSession, secondSession] = [
      await providerShop.signInSession(providerShop.createAccount({ name: 'A' })),
      await providerShop.signInSession(providerShop.createAccount({ name: 'B' })),
    ];
    expect(firstSession.EmailId).toBe('');
    expect(secondSession.UserId).not.toBe(firstSession.UserId);
  });

  test('signing in with OpenID Connect twice at the same time makes one account', async () => {
    const subject = providerShop.createAccount(verifiedAccount());
    const signInStarts = [await providerShop.begin(), await providerShop.begin()];
    const returnedQueries = [];
    for (const { Url } of signInStarts) returnedQueries.push(await providerShop.signInAtUrl(Url, subject));
    const sessions = await Promise.all(returnedQueries.map((returnedQuery) => providerShop.finish(returnedQuery)));
    expect(sessions.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(sessions.map(({ value }) => (value as Session).UserId)).size).toBe(1);
  });
});

describe('a started sign-in', () => {
  const startAndReturn = async (subject = providerShop.createAccount(verifiedAccount())) =>
    providerShop.signInAtUrl((await providerShop.begin()).Url, subject);

  test('a started sign-in can be finished once, also by concurrent calls', async () => {
    const returnedQuery = await startAndReturn();
    const responses = await Promise.all([providerShop.finish(returnedQuery), providerShop.finish(returnedQuery)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await providerShop.finish(returnedQuery)).toMatchObject(refusal(409, 'sign_in_over'));
    const UserId = responses.map(({ value }) => Reflect.get(value as object, 'UserId') as string | undefined).find(Boolean) ?? '';
    expect(await providerShop.shop.db.selectFrom('tokens').select('hash').where('user_id', '=', UserId).execute()).toHaveLength(
      1,
    );
  });

  test('a started sign-in expires after ten minutes, and is then deleted by the clean-up', async () => {
    const returnedQuery = await startAndReturn();
    const signInRows = await providerShop.shop.db.selectFrom('provider_sign_ins').select('expires_at').execute();
    const latestExpiry = Math.max(...signInRows.map(({ expires_at: expiresAt }) => expiresAt.getTime()));
    expect(latestExpiry - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(latestExpiry - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    await providerShop.shop.db
      .updateTable('provider_sign_ins')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(await providerShop.finish(returnedQuery)).toMatchObject(refusal(409, 'sign_in_over'));
    await providerShop.begin();
    await providerShop.shop.db
      .updateTable('provider_sign_ins')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    await cleanUp(providerShop.shop.db);
    expect(await providerShop.shop.db.selectFrom('provider_sign_ins').selectAll().execute()).toEqual([]);
  });

  test('a started sign-in is not found by a made-up state, nor in another store', async () => {
    const returnedQuery = await startAndReturn();
    expect(await providerShop.finish({ ...returnedQuery, state: 'A'.repeat(43) })).toMatchObject(refusal(409, 'sign_in_over'));
    const shelfid = await providerShop.shop.store({ providers: [providerConfig('sso', providerShop.sso)] });
    expect(await providerShop.finish(returnedQuery, { shelfid })).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('a started sign-in needs the nonce that it started with', async () => {
    const returnedQuery = await startAndReturn();
    await providerShop.shop.db.updateTable('provider_sign_ins').set({ nonce: 'another one' }).execute();
    expect(await providerShop.finish(returnedQuery)).toMatchObject(refusal(409, 'provider_refused'));
  });

  test('a started sign-in needs the verifier that it started with', async () => {
    const returnedQuery = await startAndReturn();
    await providerShop.shop.db
      .updateTable('provider_sign_ins')
      .set({ verifier: 'B'.repeat(43) })
      .execute();
    expect(await providerShop.finish(returnedQuery)).toMatchObject(refusal(409, 'provider_refused'));
  });

  test('a started sign-in cannot be finished with the code of another provider', async () => {
    const [ssoStart, otherStart] = [await providerShop.begin('sso'), await providerShop.begin('other')];
    const returnedQuery = await providerShop.signInAtUrl(
      otherStart.Url,
      providerShop.createAccount(verifiedAccount(), providerShop.other),
    );
    expect(await providerShop.finish({ ...returnedQuery, state: ssoStart.State })).toMatchObject(
      refusal(409, 'provider_refused'),
    );
    const secondStart = await providerShop.begin('sso');
    const { code } = await providerShop.signInAtUrl(
      (await providerShop.begin('other')).Url,
      providerShop.createAccount(verifiedAccount(), providerShop.other),
    );
    expect(await providerShop.finish({ code, state: secondStart.State, iss: providerShop.sso.issuer })).toMatchObject(
      refusal(409, 'provider_refused'),
    );
  });

  test('a started sign-in needs a code that the provider issued', async () => {
    const { state, iss } = await startAndReturn();
    expect(await providerShop.finish({ state, code: 'made-up', iss })).toMatchObject(refusal(409, 'provider_refused'));
  });

  test('a sign-in cannot be started on a host that is not the shop’s', async () => {
    const body = '<StartProviderSignIn><ProviderId>sso</ProviderId></StartProviderSignIn>';
    const url = `/api/user/provider/start?shelfid=${providerShop.store}&appid=web`;
    const headers = { host: 'evil.example', 'content-type': 'text/xml' };
    expect((await providerShop.shop.app.inject({ method: 'POST', url, headers, payload: body })).statusCode).toBe(400);
  });

  test('a started sign-in is refused after its provider was removed', async () => {
    const shelfid = await providerShop.shop.store({ providers: [providerConfig('sso', providerShop.sso)] });
    const { Url } = await providerShop.begin('sso', shelfid);
    const returnedQuery = await providerShop.signInAtUrl(Url, providerShop.createAccount({}));
    await providerShop.shop.db.deleteFrom('providers').where('store_id', '=', shelfid).execute();
    expect(await providerShop.finish(returnedQuery, { shelfid })).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('a sign-in that is cancelled at the provider returns with an error and without a code', async () => {
    const query = await signInAtProvider((await providerShop.begin()).Url, null);
    expect([query.get('error'), query.get('code')]).toEqual(['access_denied', null]);
  });
});

describe('a provider that fails', () => {
  const createStoreWithIssuer = (issuer: string) =>
    providerShop.shop.store({ providers: [{ ...providerConfig('sso', providerShop.sso), issuer }] });

  test('a provider is reported as unreachable when it does not respond', async () => {
    expect(await providerShop.start('sso', await createStoreWithIssuer('http://127.0.0.1:9'))).toMatchObject(
      refusal(502, 'provider_unreachable'),
    );
  });

  test('a provider is reported as unreachable when its metadata names another issuer', async () => {
    // The same server under another host name.
    const issuer = providerShop.sso.issuer.replace('127.0.0.1', 'localhost');
    expect(await providerShop.start('sso', await createStoreWithIssuer(issuer))).toMatchObject(
      refusal(502, 'provider_unreachable'),
    );
  });

  test('a provider is reported as unreachable when it goes down during the sign-in', async () => {
    const stoppedProvider = await startProvider();
    stoppedProvider.trust('http://localhost/auth0loginCallback');
    const shelfid = await providerShop.shop.store({ providers: [providerConfig('sso', stoppedProvider)] });
    stoppedProvider.accounts.set('a', {});
    const returnedQuery = await providerShop.signInAtUrl((await providerShop.begin('sso', shelfid)).Url, 'a');
    await stoppedProvider.stop();
    expect(await providerShop.finish(returnedQuery, { shelfid })).toMatchObject(refusal(502, 'provider_unreachable'));
  });

  test('a sign-in with a wrong client secret is refused', async () => {
    const shelfid = await providerShop.shop.store({
      providers: [{ ...providerConfig('sso', providerShop.sso), clientSecret: 'not this one' }],
    });
    const returnedQuery = await providerShop.signInAtUrl(
      (await providerShop.begin('sso', shelfid)).Url,
      providerShop.createAccount({}),
    );
    expect(await providerShop.finish(returnedQuery, { shelfid })).toMatchObject(refusal(409, 'provider_refused'));
  });
});

test('the starts and the ends of sign-ins are limited to sixty each per network', async () => {
  const shelfid = await providerShop.shop.store({ providers: [providerConfig('sso', providerShop.sso)] });
  const statuses = [];
  for (let attempt = 0; attempt < 61; attempt += 1) {
    statuses.push(
      (await providerShop.start('nobody', shelfid)).status,
      (await providerShop.finish({ state: 'x', code: 'x' }, { shelfid })).status,
    );
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

describe('the questions of a store', () => {
  const customFields = [
    { id: 'town', kind: 'text' as const, label: 'Your town', isRequired: true },
    { id: 'street', kind: 'text' as const, label: 'Your street', isRequired: false },
  ];
  const signInTo = async (shelfid: string, subject: string) => {
    const { Url } = await providerShop.begin('sso', shelfid);
    return (await providerShop.finish(await providerShop.signInAtUrl(Url, subject), { shelfid })).value as Session & {
      QuestionsOpen?: boolean;
    };
  };

  test('the questions of a store are open for a customer who signed up by a provider, until they are answered', async () => {
    const shelfid = await providerShop.shop.store({ providers: [providerConfig('sso', providerShop.sso)], customFields });
    const subject = providerShop.createAccount({});
    const session = await signInTo(shelfid, subject);
    expect(session.QuestionsOpen).toBe(true);
    const response = await providerShop.shop.call('saveUserDetails', '/user/details', {
      query: { shelfid, accesstoken: session.IdToken },
      body: '<UserDetails><CustomFields><CustomField><Id>town</Id><Value>Quay</Value></CustomField></CustomFields></UserDetails>',
    });
    expect(response.status).toBe(200);
    expect((await providerShop.readUserRow(session.UserId)).fields).toEqual({ town: 'Quay' });
    expect(await signInTo(shelfid, subject)).not.toHaveProperty('QuestionsOpen');
  });

  test('the questions of a store are not open where the store requires no answers', async () => {
    const shelfid = await providerShop.shop.store({
      providers: [providerConfig('sso', providerShop.sso)],
      customFields: customFields.slice(1),
    });
    expect(await signInTo(shelfid, providerShop.createAccount({}))).not.toHaveProperty('QuestionsOpen');
  });
});
