import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { signInAtProvider, startProvider } from '../../support/oidc-provider.ts';
import { newEmail, ofProvider, openProviderShop, refusal, type ProviderShop, type Session } from '../support/provider-shop.ts';

let at: ProviderShop;
beforeAll(async () => {
  at = await openProviderShop();
});
afterAll(() => at.close());

const verified = () => ({ email: newEmail(), email_verified: true });

describe('the list of providers', () => {
  test('says what they are called, in their order, and no secret', async () => {
    const { status, text, value } = await at.shop.ask('providers', '/user/providers', { query: { shelfid: at.store } });
    expect([status, value]).toEqual([
      200,
      {
        Provider: [
          { Id: 'sso', Kind: 'oidc', Name: 'Sign-on <sso>' },
          { Id: 'other', Kind: 'oidc', Name: 'Sign-on <other>' },
        ],
      },
    ]);
    expect(text).not.toContain(at.sso.clientSecret);
    expect(text).not.toContain(at.sso.clientId);
  });

  test('is empty in a at.store that has none, which begins no sign-in either', async () => {
    const shelfid = await at.shop.store();
    expect((await at.shop.ask('providers', '/user/providers', { query: { shelfid } })).value).toEqual({ Provider: [] });
    expect((await at.start('sso', shelfid)).status).toBe(404);
  });
});

describe('signing in by OpenID Connect', () => {
  test('makes an account without a password, and finds it again [S2.signin/providers]', async () => {
    const email = newEmail();
    const subject = at.person({ email, email_verified: true, name: 'Ann & Co' });
    const session = await at.sessionOf(subject);
    expect(session.EmailId).toBe(email);
    expect(await at.isLive(session.IdToken)).toBe(true);
    const row = await at.userRow(session.UserId);
    expect(row).toMatchObject({ email, name: 'Ann & Co', password_hash: null });
    expect(row.email_verified_at).not.toBeNull();
    expect(await at.byPassword(email, '')).toBe(401);
    expect(await at.byPassword(email)).toBe(401);
    expect((await at.sessionOf(subject)).UserId).toBe(session.UserId);
  });

  test('asks the provider with PKCE, a state and a nonce, and comes back to the store’s own address', async () => {
    const { Url, State } = await at.begin();
    const url = new URL(Url);
    expect(url.origin).toBe(at.sso.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: at.sso.clientId,
      redirect_uri: 'http://localhost/auth0loginCallback',
      state: State,
      code_challenge_method: 'S256',
    });
    expect(url.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    const kept = await at.shop.db.selectFrom('provider_sign_ins').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(State);
  });

  test('registers the device, which the account then knows', async () => {
    const device = randomUUID();
    const { Url } = await at.begin();
    const subject = at.person(verified());
    const { value } = await at.finish(await at.returnedFrom(Url, subject), { device });
    const rows = await at.shop.db
      .selectFrom('devices')
      .select('id')
      .where('user_id', '=', (value as Session).UserId)
      .execute();
    expect(rows).toEqual([{ id: device }]);
  });

  test('works for somebody without an address, any number of them', async () => {
    const [first, second] = [await at.sessionOf(at.person({ name: 'A' })), await at.sessionOf(at.person({ name: 'B' }))];
    expect(first.EmailId).toBe('');
    expect(second.UserId).not.toBe(first.UserId);
  });

  test('of two at the same moment makes one account', async () => {
    const subject = at.person(verified());
    const ways = [await at.begin(), await at.begin()];
    const returned = [];
    for (const { Url } of ways) returned.push(await at.returnedFrom(Url, subject));
    const sessions = await Promise.all(returned.map((each) => at.finish(each)));
    expect(sessions.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(sessions.map(({ value }) => (value as Session).UserId)).size).toBe(1);
  });
});

describe('a sign-in that was begun', () => {
  const returnedBy = async (subject = at.person(verified())) => at.returnedFrom((await at.begin()).Url, subject);

  test('is finished once, also when it is finished twice at the same time', async () => {
    const returned = await returnedBy();
    const answers = await Promise.all([at.finish(returned), at.finish(returned)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await at.finish(returned)).toMatchObject(refusal(409, 'sign_in_over'));
    const UserId = answers.map(({ value }) => Reflect.get(value as object, 'UserId') as string | undefined).find(Boolean) ?? '';
    expect(await at.shop.db.selectFrom('tokens').select('hash').where('user_id', '=', UserId).execute()).toHaveLength(1);
  });

  test('is over after ten minutes, and then cleaned away', async () => {
    const returned = await returnedBy();
    const begun = await at.shop.db.selectFrom('provider_sign_ins').select('expires_at').execute();
    const latest = Math.max(...begun.map(({ expires_at: at }) => at.getTime()));
    expect(latest - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(latest - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    await at.shop.db
      .updateTable('provider_sign_ins')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(await at.finish(returned)).toMatchObject(refusal(409, 'sign_in_over'));
    await at.begin();
    await at.shop.db
      .updateTable('provider_sign_ins')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    await cleanUp(at.shop.db);
    expect(await at.shop.db.selectFrom('provider_sign_ins').selectAll().execute()).toEqual([]);
  });

  test('is nobody’s who made the state up, and no other store’s', async () => {
    const returned = await returnedBy();
    expect(await at.finish({ ...returned, state: 'A'.repeat(43) })).toMatchObject(refusal(409, 'sign_in_over'));
    const shelfid = await at.shop.store({ providers: [ofProvider('sso', at.sso)] });
    expect(await at.finish(returned, { shelfid })).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('ends with the nonce that it began with', async () => {
    const returned = await returnedBy();
    await at.shop.db.updateTable('provider_sign_ins').set({ nonce: 'another one' }).execute();
    expect(await at.finish(returned)).toMatchObject(refusal(409, 'provider_refused'));
  });

  test('ends with the verifier that it began with', async () => {
    const returned = await returnedBy();
    await at.shop.db
      .updateTable('provider_sign_ins')
      .set({ verifier: 'B'.repeat(43) })
      .execute();
    expect(await at.finish(returned)).toMatchObject(refusal(409, 'provider_refused'));
  });

  test('is not mixed up with one of another provider', async () => {
    const [mine, others] = [await at.begin('sso'), await at.begin('other')];
    const returned = await at.returnedFrom(others.Url, at.person(verified(), at.other));
    expect(await at.finish({ ...returned, state: mine.State })).toMatchObject(refusal(409, 'provider_refused'));
    const again = await at.begin('sso');
    const { code } = await at.returnedFrom((await at.begin('other')).Url, at.person(verified(), at.other));
    expect(await at.finish({ code, state: again.State, iss: at.sso.issuer })).toMatchObject(refusal(409, 'provider_refused'));
  });

  test('ends with a code of the provider’s, and no other', async () => {
    const { state, iss } = await returnedBy();
    expect(await at.finish({ state, code: 'made-up', iss })).toMatchObject(refusal(409, 'provider_refused'));
  });

  test('leads to no host but the shop’s', async () => {
    const body = '<StartProviderSignIn><ProviderId>sso</ProviderId></StartProviderSignIn>';
    const url = `/api/user/provider/start?shelfid=${at.store}&appid=web`;
    const headers = { host: 'evil.example', 'content-type': 'text/xml' };
    expect((await at.shop.app.inject({ method: 'POST', url, headers, payload: body })).statusCode).toBe(400);
  });

  test('of a provider that was taken away is over', async () => {
    const shelfid = await at.shop.store({ providers: [ofProvider('sso', at.sso)] });
    const { Url } = await at.begin('sso', shelfid);
    const returned = await at.returnedFrom(Url, at.person({}));
    await at.shop.db.deleteFrom('providers').where('store_id', '=', shelfid).execute();
    expect(await at.finish(returned, { shelfid })).toMatchObject(refusal(409, 'sign_in_over'));
  });

  test('is cancelled at the provider, who says so', async () => {
    const query = await signInAtProvider((await at.begin()).Url, null);
    expect([query.get('error'), query.get('code')]).toEqual(['access_denied', null]);
  });
});

describe('a provider that fails', () => {
  const storeOf = (issuer: string) => at.shop.store({ providers: [{ ...ofProvider('sso', at.sso), issuer }] });

  test('is said to, when nobody is there', async () => {
    expect(await at.start('sso', await storeOf('http://127.0.0.1:9'))).toMatchObject(refusal(502, 'provider_unreachable'));
  });

  test('is said to, when it describes somebody else', async () => {
    // The same machine by another name.
    const issuer = at.sso.issuer.replace('127.0.0.1', 'localhost');
    expect(await at.start('sso', await storeOf(issuer))).toMatchObject(refusal(502, 'provider_unreachable'));
  });

  test('is said to, when it has gone meanwhile', async () => {
    const short = await startProvider();
    short.trust('http://localhost/auth0loginCallback');
    const shelfid = await at.shop.store({ providers: [ofProvider('sso', short)] });
    short.accounts.set('a', {});
    const returned = await at.returnedFrom((await at.begin('sso', shelfid)).Url, 'a');
    await short.stop();
    expect(await at.finish(returned, { shelfid })).toMatchObject(refusal(502, 'provider_unreachable'));
  });

  test('lets nobody in when the shop’s secret is not the one it knows', async () => {
    const shelfid = await at.shop.store({ providers: [{ ...ofProvider('sso', at.sso), clientSecret: 'not this one' }] });
    const returned = await at.returnedFrom((await at.begin('sso', shelfid)).Url, at.person({}));
    expect(await at.finish(returned, { shelfid })).toMatchObject(refusal(409, 'provider_refused'));
  });
});

test('begun and finished sign-ins are counted by network', async () => {
  const shelfid = await at.shop.store({ providers: [ofProvider('sso', at.sso)] });
  const statuses = [];
  for (let times = 0; times < 61; times += 1) {
    statuses.push((await at.start('nobody', shelfid)).status, (await at.finish({ state: 'x', code: 'x' }, { shelfid })).status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

describe('what a store asks its customers', () => {
  const customFields = [
    { id: 'town', kind: 'text' as const, label: 'Your town', isRequired: true },
    { id: 'street', kind: 'text' as const, label: 'Your street', isRequired: false },
  ];
  const signInTo = async (shelfid: string, subject: string) => {
    const { Url } = await at.begin('sso', shelfid);
    return (await at.finish(await at.returnedFrom(Url, subject), { shelfid })).value as Session & { QuestionsOpen?: boolean };
  };

  test('is open for who comes by a provider, until they have answered', async () => {
    const shelfid = await at.shop.store({ providers: [ofProvider('sso', at.sso)], customFields });
    const subject = at.person({});
    const first = await signInTo(shelfid, subject);
    expect(first.QuestionsOpen).toBe(true);
    const saved = await at.shop.ask('saveUserDetails', '/user/details', {
      query: { shelfid, accesstoken: first.IdToken },
      body: '<UserDetails><CustomFields><CustomField><Id>town</Id><Value>Quay</Value></CustomField></CustomFields></UserDetails>',
    });
    expect(saved.status).toBe(200);
    expect((await at.userRow(first.UserId)).fields).toEqual({ town: 'Quay' });
    expect(await signInTo(shelfid, subject)).not.toHaveProperty('QuestionsOpen');
  });

  test('is nothing where it asks nothing of everybody', async () => {
    const shelfid = await at.shop.store({ providers: [ofProvider('sso', at.sso)], customFields: customFields.slice(1) });
    expect(await signInTo(shelfid, at.person({}))).not.toHaveProperty('QuestionsOpen');
  });
});
