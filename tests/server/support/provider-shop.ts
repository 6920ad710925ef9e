import { randomUUID } from 'node:crypto';
import type { OidcProvider } from '../../../server/setup/save-providers.ts';
import { signInAtProvider, startProvider, type ProviderAccount, type TestProvider } from '../../support/oidc-provider.ts';
import { basicAuth, PASSWORD } from './customers.ts';
import { openShop } from './shop.ts';

export type Session = { IdToken: string; EmailId: string; UserId: string };

/** Query of a provider's redirect back to the shop. */
export type ReturnedQuery = { state: string; code: string; iss?: string };

export const providerConfig = (id: string, { issuer, clientId, clientSecret }: TestProvider): OidcProvider => ({
  kind: 'oidc',
  id,
  name: `Sign-on <${id}>`,
  issuer,
  clientId,
  clientSecret,
});

const parseReturn = (query: URLSearchParams) => ({
  state: query.get('state') ?? '',
  code: query.get('code') ?? '',
  iss: query.get('iss') ?? '',
});

/**
 * A shop with a store that has two providers, `sso` and `other`, each a real server on its own
 * port.
 */
export async function openProviderShop() {
  const [sso, other] = [await startProvider(), await startProvider()];
  const shop = await openShop();
  const store = await shop.store({ providers: [providerConfig('sso', sso), providerConfig('other', other)] });
  for (const each of [sso, other]) each.trust('http://localhost/auth0loginCallback');

  const start = (providerId = 'sso', shelfid = store) =>
    shop.ask('startProviderSignIn', '/user/provider/start', {
      query: { shelfid, appid: 'web' },
      body: `<StartProviderSignIn><ProviderId>${providerId}</ProviderId></StartProviderSignIn>`,
    });
  const begin = async (providerId = 'sso', shelfid = store) =>
    (await start(providerId, shelfid)).value as { Url: string; State: string };
  /** Query of the redirect after a person has signed in at the address that starts a sign-in. */
  const returnedFrom = async (url: string, subject: string) => parseReturn(await signInAtProvider(url, subject));
  const finish = ({ state, code, iss }: ReturnedQuery, { shelfid = store, device = randomUUID() } = {}) =>
    shop.ask('finishProviderSignIn', '/user/provider/finish', {
      query: { shelfid, appid: 'web', deviceid: device, devicename: 'Chrome, Linux' },
      body: `<FinishProviderSignIn><State>${state}</State><Code>${code}</Code>${
        iss === undefined ? '' : `<Issuer>${iss}</Issuer>`
      }</FinishProviderSignIn>`,
    });
  /** The whole sign-in, as a browser does it. */
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
    signInSession: async (subject: string, providerId = 'sso') => (await signInAs(subject, providerId)).value as Session,
    /** Creates an account at a provider, with a new subject. */
    createAccount(account: ProviderAccount, at = sso): string {
      const subject = randomUUID();
      at.accounts.set(subject, account);
      return subject;
    },
    passwordSignInStatus: async (email: string, password = PASSWORD) =>
      (await shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basicAuth(email, password) }))
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
