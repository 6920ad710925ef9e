import { randomUUID } from 'node:crypto';
import type { OidcProvider } from '../../../server/setup/save-providers.ts';
import { signInAtProvider, startProvider, type Account, type TestProvider } from '../../support/oidc-provider.ts';
import { basic, PASSWORD } from './customers.ts';
import { openShop } from './shop.ts';

export type Session = { IdToken: string; EmailId: string; UserId: string };

/** What a provider leads back with. */
export type ReturnedQuery = { state: string; code: string; iss?: string };

export const ofProvider = (id: string, { issuer, clientId, clientSecret }: TestProvider): OidcProvider => ({
  kind: 'oidc',
  id,
  name: `Sign-on <${id}>`,
  issuer,
  clientId,
  clientSecret,
});

const returnedIn = (query: URLSearchParams) => ({
  state: query.get('state') ?? '',
  code: query.get('code') ?? '',
  iss: query.get('iss') ?? '',
});

/** A shop with a store that has two providers, `sso` and `other`, each a real one on a port of its own. */
export async function openProviderShop() {
  const [sso, other] = [await startProvider(), await startProvider()];
  const shop = await openShop();
  const store = await shop.store({ providers: [ofProvider('sso', sso), ofProvider('other', other)] });
  for (const each of [sso, other]) each.trust('http://localhost/auth0loginCallback');

  const start = (providerId = 'sso', shelfid = store) =>
    shop.ask('startProviderSignIn', '/user/provider/start', {
      query: { shelfid, appid: 'web' },
      body: `<StartProviderSignIn><ProviderId>${providerId}</ProviderId></StartProviderSignIn>`,
    });
  const begin = async (providerId = 'sso', shelfid = store) =>
    (await start(providerId, shelfid)).value as { Url: string; State: string };
  /** What somebody comes back with who has signed in at the address that a sign-in begins with. */
  const returnedFrom = async (url: string, subject: string) => returnedIn(await signInAtProvider(url, subject));
  const finish = ({ state, code, iss }: ReturnedQuery, { shelfid = store, device = randomUUID() } = {}) =>
    shop.ask('finishProviderSignIn', '/user/provider/finish', {
      query: { shelfid, appid: 'web', deviceid: device, devicename: 'Chrome, Linux' },
      body: `<FinishProviderSignIn><State>${state}</State><Code>${code}</Code>${
        iss === undefined ? '' : `<Issuer>${iss}</Issuer>`
      }</FinishProviderSignIn>`,
    });
  /** The whole way, as a browser goes it. */
  const signInAs = async (subject: string, providerId = 'sso') =>
    finish(await returnedFrom((await begin(providerId)).Url, subject));

  return {
    shop,
    store,
    sso,
    other,
    start,
    begin,
    returnedFrom,
    finish,
    signInAs,
    sessionOf: async (subject: string, providerId = 'sso') => (await signInAs(subject, providerId)).value as Session,
    /** Somebody whom a provider knows; the subject is new. */
    person(account: Account, at = sso): string {
      const subject = randomUUID();
      at.accounts.set(subject, account);
      return subject;
    },
    byPassword: async (email: string, password = PASSWORD) =>
      (await shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basic(email, password) }))
        .status,
    isLive: async (accesstoken: string) =>
      (await shop.ask('validateToken', '/user/validate', { query: { shelfid: store, accesstoken } })).status === 200,
    userRow: (id: string) => shop.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    resetPassword: (token: string, password: string) =>
      shop.ask('resetPassword', '/user/resetpassword', {
        query: { shelfid: store },
        body: `<ResetPassword><Token>${token}</Token><Password>${password}</Password></ResetPassword>`,
      }),
    async close() {
      await shop.close();
      await sso.stop();
      await other.stop();
    },
  };
}

export type ProviderShop = Awaited<ReturnType<typeof openProviderShop>>;

export const refusal = (status: number, Code: string) => ({ status, value: { Code } });

export const newEmail = (): string => `${randomUUID()}@example.org`;
