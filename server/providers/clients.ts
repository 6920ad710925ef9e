import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import type { Begun, Person, Provider, Returned } from './provider.ts';
import { FACEBOOK_ISSUER, facebookIssuer, notConfirmed, unreachable } from './provider.ts';

const FACEBOOK = {
  issuer: FACEBOOK_ISSUER,
  authorizeUrl: 'https://www.facebook.com/v23.0/dialog/oauth',
  tokenUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
  profileUrl: 'https://graph.facebook.com/v23.0/me',
};

/** Seconds for one call: four of them are within the half minute that a browser waits. */
const PATIENCE = 6;

/** What a provider says of itself is asked for again after an hour, when it may have new keys and addresses. */
const HOUR = 60 * 60 * 1000;
const MOST = 500;

const isLocal = (address: string): boolean => new URL(address).protocol === 'http:';

const insecure = (address: string) => (isLocal(address) ? [client.allowInsecureRequests] : []);

async function discovered({ settings, secret }: Provider): Promise<client.Configuration> {
  const { issuer = '', clientId = '' } = settings;
  return client.discovery(new URL(issuer), clientId, secret ?? '', undefined, {
    timeout: PATIENCE,
    execute: insecure(issuer),
  });
}

function ofFacebook({ settings, secret }: Provider): client.Configuration {
  const { authorizeUrl, tokenUrl } = { ...FACEBOOK, ...settings };
  const server = { issuer: FACEBOOK.issuer, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl };
  const config = new client.Configuration(server, settings.clientId ?? '', secret ?? '', client.ClientSecretPost(secret ?? ''));
  config.timeout = PATIENCE;
  for (const allow of insecure(tokenUrl)) allow(config);
  return config;
}

/** A call that did not arrive, or was answered by a server that has failed. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  const { cause } = error;
  const status = cause instanceof Response ? cause.status : Number(Reflect.get(error, 'status') ?? 0);
  return error.name === 'TypeError' || error.name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || status >= 500;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Some providers write it as a text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

type Claims = Record<string, unknown>;

const personOf = (issuer: string, subject: string, claims: Claims, emailVerified: boolean): Person => ({
  issuer,
  subject,
  email: textOf(claims['email']).trim(),
  emailVerified,
  name: textOf(claims['name']).trim(),
});

/** Speaks with the providers. What they say of themselves is kept for a while. */
export class ProviderClients {
  readonly #log: (error: unknown) => void;
  readonly #known = new LRUCache<string, Promise<client.Configuration>>({ max: MOST, ttl: HOUR });

  /** @param log hears why a provider did not let somebody in */
  constructor(log: (error: unknown) => void) {
    this.#log = log;
  }

  /**
   * Begins a sign-in.
   * @param returnUrl where the provider leads back to, without a query
   * @returns where the customer shows the provider who they are, and what the end of it is compared with
   * @throws DomainError payment_unknown provider_unreachable
   */
  async begin(provider: Provider, returnUrl: string): Promise<{ url: string; begun: Begun }> {
    const config = await this.#configuration(provider);
    const begun = {
      state: client.randomState(),
      verifier: client.randomPKCECodeVerifier(),
      nonce: client.randomNonce(),
      returnUrl,
    };
    const { href } = client.buildAuthorizationUrl(config, {
      redirect_uri: returnUrl,
      state: begun.state,
      code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      ...(provider.kind === 'oidc' ? { scope: 'openid email profile', nonce: begun.nonce } : { scope: 'email public_profile' }),
    });
    return { url: href, begun };
  }

  /**
   * Asks the provider who has come back.
   * @throws DomainError conflict provider_refused, payment_unknown provider_unreachable
   */
  async finish(provider: Provider, begun: Begun, returned: Returned): Promise<Person> {
    const config = await this.#configuration(provider);
    const url = new URL(begun.returnUrl);
    url.searchParams.set('code', returned.code);
    url.searchParams.set('state', begun.state);
    if (returned.issuer !== undefined) url.searchParams.set('iss', returned.issuer);
    try {
      return await (provider.kind === 'oidc' ? oidcPerson(config, url, begun) : facebookPerson(config, url, begun, provider));
    } catch (error) {
      this.#log(error);
      throw isOutage(error) ? unreachable() : notConfirmed();
    }
  }

  async #configuration(provider: Provider): Promise<client.Configuration> {
    const { kind, settings, secret } = provider;
    const key = JSON.stringify([kind, settings, secret]);
    const known = this.#known.get(key);
    if (known) return known;
    const asking = kind === 'oidc' ? discovered(provider) : Promise.resolve(ofFacebook(provider));
    this.#known.set(key, asking);
    try {
      return await asking;
    } catch (error) {
      this.#known.delete(key);
      this.#log(error);
      throw unreachable();
    }
  }
}

async function oidcPerson(config: client.Configuration, url: URL, begun: Begun): Promise<Person> {
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The provider has given no ID token.');
  // Many tell of the address only when they are asked.
  const isAsked = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const all = isAsked ? { ...claims, ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)) } : claims;
  return personOf(claims.iss, claims.sub, all, isTrue(all['email_verified']));
}

const LONGEST_ID = 255;

/** Facebook does not say whether it has seen that an address is its user's own. */
async function facebookPerson(config: client.Configuration, url: URL, begun: Begun, provider: Provider): Promise<Person> {
  const { access_token: token } = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
  });
  const { profileUrl } = { ...FACEBOOK, ...provider.settings };
  const profile = new URL(profileUrl);
  profile.searchParams.set('fields', 'id,name,email');
  // Apps can be set to demand it; it shows that the token was not taken from somebody else.
  profile.searchParams.set(
    'appsecret_proof',
    createHmac('sha256', provider.secret ?? '')
      .update(token)
      .digest('hex'),
  );
  const response = await client.fetchProtectedResource(config, token, profile, 'GET');
  if (!response.ok) throw new Error('The provider does not say whose token it is.', { cause: response });
  const claims = (await response.json()) as Claims;
  const id = textOf(claims['id']);
  if (id === '' || id.length > LONGEST_ID) throw new Error('The provider has not said who it is.');
  return personOf(facebookIssuer(provider.settings), id, claims, false);
}
