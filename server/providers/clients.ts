import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import type { StartedSignIn, Person, Provider, ProviderReturn } from './provider.ts';
import { FACEBOOK_ISSUER, toFacebookIssuer, notConfirmedError, unreachableError } from './provider.ts';

const FACEBOOK = {
  issuer: FACEBOOK_ISSUER,
  authorizeUrl: 'https://www.facebook.com/v23.0/dialog/oauth',
  tokenUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
  profileUrl: 'https://graph.facebook.com/v23.0/me',
};

/** Timeout of one request in seconds: four of them fit into the 30 s that a browser waits. */
const REQUEST_TIMEOUT_S = 6;

/**
 * A provider's metadata is read again after an hour, when its keys and addresses may have changed.
 */
const CONFIGURATION_LIFETIME_MS = 60 * 60 * 1000;
const MAX_CONFIGURATIONS = 500;

const isLocal = (address: string): boolean => new URL(address).protocol === 'http:';

const toInsecureOptions = (address: string) => (isLocal(address) ? [client.allowInsecureRequests] : []);

async function discoverConfiguration({ settings, secret }: Provider): Promise<client.Configuration> {
  const { issuer = '', clientId = '' } = settings;
  return client.discovery(new URL(issuer), clientId, secret ?? '', undefined, {
    timeout: REQUEST_TIMEOUT_S,
    execute: toInsecureOptions(issuer),
  });
}

function createFacebookConfiguration({ settings, secret }: Provider): client.Configuration {
  const { authorizeUrl, tokenUrl } = { ...FACEBOOK, ...settings };
  const server = { issuer: FACEBOOK.issuer, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl };
  const config = new client.Configuration(server, settings.clientId ?? '', secret ?? '', client.ClientSecretPost(secret ?? ''));
  config.timeout = REQUEST_TIMEOUT_S;
  for (const allow of toInsecureOptions(tokenUrl)) allow(config);
  return config;
}

/** Whether a request did not arrive, or was answered by a failing server. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  const { cause } = error;
  const status = cause instanceof Response ? cause.status : Number(Reflect.get(error, 'status') ?? 0);
  return error.name === 'TypeError' || error.name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || status >= 500;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether a claim is true; some providers send booleans as strings. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

type Claims = Record<string, unknown>;

const toPerson = (issuer: string, subject: string, claims: Claims, emailVerified: boolean): Person => ({
  issuer,
  subject,
  email: toText(claims['email']).trim(),
  emailVerified,
  name: toText(claims['name']).trim(),
});

/** Client of the identity providers. Their metadata is cached. */
export class ProviderClients {
  readonly #log: (error: unknown, provider: Provider) => void;
  readonly #configurations = new LRUCache<string, Promise<client.Configuration>>({
    max: MAX_CONFIGURATIONS,
    ttl: CONFIGURATION_LIFETIME_MS,
  });

  /** @param log receives the reasons of failed sign-ins, and their providers */
  constructor(log: (error: unknown, provider: Provider) => void) {
    this.#log = log;
  }

  /**
   * Starts a sign-in.
   * @param returnUrl the redirect URL, without a query
   * @returns the URL at which the customer authenticates, and the values that the end of the
   * sign-in is checked against
   * @throws DomainError payment_unknown provider_unreachable
   */
  async begin(provider: Provider, returnUrl: string): Promise<{ url: string; startedSignIn: StartedSignIn }> {
    const config = await this.#getConfiguration(provider);
    const startedSignIn = {
      state: client.randomState(),
      verifier: client.randomPKCECodeVerifier(),
      nonce: client.randomNonce(),
      returnUrl,
    };
    const { href } = client.buildAuthorizationUrl(config, {
      redirect_uri: returnUrl,
      state: startedSignIn.state,
      code_challenge: await client.calculatePKCECodeChallenge(startedSignIn.verifier),
      code_challenge_method: 'S256',
      ...(provider.kind === 'oidc'
        ? { scope: 'openid email profile', nonce: startedSignIn.nonce }
        : { scope: 'email public_profile' }),
    });
    return { url: href, startedSignIn: startedSignIn };
  }

  /**
   * Completes the sign-in: requests the customer's identity from the provider.
   * @throws DomainError conflict provider_refused, payment_unknown provider_unreachable
   */
  async finish(provider: Provider, startedSignIn: StartedSignIn, providerReturn: ProviderReturn): Promise<Person> {
    const config = await this.#getConfiguration(provider);
    const url = new URL(startedSignIn.returnUrl);
    url.searchParams.set('code', providerReturn.code);
    url.searchParams.set('state', startedSignIn.state);
    if (providerReturn.issuer !== undefined) url.searchParams.set('iss', providerReturn.issuer);
    try {
      return await (provider.kind === 'oidc'
        ? readOidcPerson(config, url, startedSignIn)
        : readFacebookPerson(config, url, startedSignIn, provider));
    } catch (error) {
      this.#log(error, provider);
      throw isOutage(error) ? unreachableError() : notConfirmedError();
    }
  }

  async #getConfiguration(provider: Provider): Promise<client.Configuration> {
    const { kind, settings, secret } = provider;
    const key = JSON.stringify([kind, settings, secret]);
    const cachedConfiguration = this.#configurations.get(key);
    if (cachedConfiguration) return cachedConfiguration;
    const configuration =
      kind === 'oidc' ? discoverConfiguration(provider) : Promise.resolve(createFacebookConfiguration(provider));
    this.#configurations.set(key, configuration);
    try {
      return await configuration;
    } catch (error) {
      this.#configurations.delete(key);
      this.#log(error, provider);
      throw unreachableError();
    }
  }
}

async function readOidcPerson(config: client.Configuration, url: URL, startedSignIn: StartedSignIn): Promise<Person> {
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: startedSignIn.verifier,
    expectedState: startedSignIn.state,
    expectedNonce: startedSignIn.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error(`The provider ${config.serverMetadata().issuer} returned no ID token.`);
  // Many providers send the address only from the userinfo endpoint.
  const needsUserInfo = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const allClaims = needsUserInfo
    ? { ...claims, ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)) }
    : claims;
  return toPerson(claims.iss, claims.sub, allClaims, isTrue(allClaims['email_verified']));
}

const MAX_ID_CHARS = 255;

/** Reads the customer's profile; Facebook does not state whether it has verified the address. */
async function readFacebookPerson(
  config: client.Configuration,
  url: URL,
  startedSignIn: StartedSignIn,
  provider: Provider,
): Promise<Person> {
  const { access_token: token } = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: startedSignIn.verifier,
    expectedState: startedSignIn.state,
  });
  const { profileUrl } = { ...FACEBOOK, ...provider.settings };
  const profile = new URL(profileUrl);
  profile.searchParams.set('fields', 'id,name,email');
  // Apps can require this proof that the token was not stolen from another app.
  profile.searchParams.set(
    'appsecret_proof',
    createHmac('sha256', provider.secret ?? '')
      .update(token)
      .digest('hex'),
  );
  const response = await client.fetchProtectedResource(config, token, profile, 'GET');
  if (!response.ok)
    throw new Error(`The profile endpoint ${profileUrl} answered ${response.status}: expected 2xx.`, { cause: response });
  const claims = (await response.json()) as Claims;
  const id = toText(claims['id']);
  if (id === '') throw new Error(`The profile from ${profileUrl} has no id.`);
  if (id.length > MAX_ID_CHARS)
    throw new Error(`The id from ${profileUrl} has ${id.length} characters: expected at most ${MAX_ID_CHARS}.`);
  return toPerson(toFacebookIssuer(provider.settings), id, claims, false);
}
