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
 * Opens a shop with a store that has two providers, `sso` and `other`, each a real server on its
 * own port.
 */
export async function openProviderShop() {
  const [sso, other] = [await startProvider(), await startProvider()];
  const shop = await openShop();
  const store = await shop.store({ providers: [providerConfig('sso', sso), providerConfig('other', other)] });
  for (const each of [sso, other]) each.trust('http://localhost/auth0loginCallback');

  const start = (providerId = 'sso', shelfid = store) =>
    shop.call('startProviderSignIn', '/user/provider/start', {
      query: { shelfid, appid: 'web' },
      body: `<StartProviderSignIn><ProviderId>${providerId}</ProviderId></StartProviderSignIn>`,
    });
  const begin = async (providerId = 'sso', shelfid = store) =>
    (await start(providerId, shelfid)).value as { Url: string; State: string };
  /** Signs in at the provider, by the URL that starts a sign-in. @returns the redirect's query */
  const signInAtUrl = async (url: string, subject: string) => parseReturn(await signInAtProvider(url, subject));
  const finish = ({ state, code, iss }: ReturnedQuery, { shelfid = store, device = randomUUID() } = {}) =>
    shop.call('finishProviderSignIn', '/user/provider/finish', {
      query: { shelfid, appid: 'web', deviceid: device, devicename: 'Chrome, Linux' },
      body: `<FinishProviderSignIn><State>${state}</State><Code>${code}</Code>${
        iss === undefined ? '' : `<Issuer>${iss}</Issuer>`
      }</FinishProviderSignIn>`,
    });
  /** Signs in from start to finish, as a browser does. */
  const signInAs = async (subject: string, providerId = 'sso') =>
    finish(await signInAtUrl((await begin(providerId)).Url, subject));

  return {
    shop,
    store,
    sso,
    other,
    start,
    begin,
    signInAtUrl,
    finish,
    signInAs,
    signInSession: async (subject: string, providerId = 'sso') => (await signInAs(subject, providerId)).value as Session,
    /** Creates an account at a provider, with a new subject. */
    createAccount(account: ProviderAccount, provider = sso): string {
      const subject = randomUUID();
      provider.accounts.set(subject, account);
      return subject;
    },
    readPasswordSignInStatus: async (email: string, password = PASSWORD) =>
      (
        await shop.call('signIn', '/user/signin', {
          query: { shelfid: store, appid: 'web' },
          headers: basicAuth(email, password),
        })
      ).status,
    isTokenValid: async (accesstoken: string) =>
      (await shop.call('validateToken', '/user/validate', { query: { shelfid: store, accesstoken } })).status === 200,
    readUserRow: (id: string) => shop.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    resetPassword: (token: string, password: string) =>
      shop.call('resetPassword', '/user/resetpassword', {
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
