import { createHash, createHmac, generateKeyPairSync, sign, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isEmail } from '../../machines/model/account/email.ts';
import { providerReturnPath } from '../../machines/model/paths.ts';
import { escapeXml as escape } from '../base/xml/write.ts';
import { chooseLanguage } from './language.ts';
import { type PageLanguage, renderPageFrame, createPagePolicy } from './pages.ts';

/**
 * Fake sign-in providers: Google and Auth0 by OpenID Connect (OpenID Connect Core 1.0), Facebook by
 * OAuth 2.0. Their pages accept any e-mail address but confirm none, so they cannot open another
 * customer's account. They are stateless: a code contains the customer's data, signed.
 */

const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'Google', auth0: 'Auth0', facebook: 'Facebook' };

/** The shops' client id. */
export const TEST_CLIENT = 'colophon-test';

/** The shops' client secret; like all of the test gateway, it protects nothing. */
export const TEST_CLIENT_SECRET = 'colophon test secret';

const CODE_LIFETIME_MS = 10 * 60_000;

type AuthorizationQuery = Readonly<Record<string, string | undefined>>;
type Person = { sub: string; name: string; email: string };
type Code = Person & { provider: string; redirectUri: string; challenge: string; nonce: string; until: number };
type PageRequest = FastifyRequest<{ Params: { id: string }; Querystring: AuthorizationQuery; Body: unknown }>;

const toBase64Json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The provider's id of the customer with this address. */
const toSubject = (provider: string, email: string): string =>
  createHash('sha256').update(`${provider} ${email.toLowerCase()}`).digest('hex').slice(0, 20);

/** Whether a redirect_uri is a shop's return path. */
const isReturnUrl = (address = ''): boolean => {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === providerReturnPath;
};

function renderSignInPage(id: string, query: AuthorizationQuery, { code, words }: PageLanguage, hasProblem: boolean): string {
  const name = PROVIDER_NAMES[id] ?? id;
  const formQuery = new URLSearchParams(Object.entries(query).map(([key, value = '']): [string, string] => [key, value]));
  const cancelQuery = new URLSearchParams({ error: 'access_denied', state: query['state'] ?? '' });
  const invalidAttributes = hasProblem ? ' aria-invalid="true" aria-describedby="email-problem"' : '';
  const title = words.signInTitle(name);
  return renderPageFrame(
    { code, words },
    title,
    `<p class="shop">${escape(title)}</p><div class="sheet"><form method="post" action="?${escape(formQuery.toString())}" novalidate>
<div><label for="email">${escape(words.signInEmail)}</label><input id="email" name="email" type="email" autocomplete="off" maxlength="200" required${invalidAttributes}>
${hasProblem ? `<p class="problem" id="email-problem">${escape(words.badEmail)}</p>` : ''}</div>
<div><label for="name">${escape(words.signInName)}</label><input id="name" name="name" autocomplete="off" maxlength="100"></div>
<button>${escape(words.signInContinue)}</button></form>
<p><a href="${escape(`${query['redirect_uri'] ?? ''}?${cancelQuery.toString()}`)}">${escape(words.cancel)}</a></p></div>
<aside class="note"><p>${escape(words.signInNotice)}</p></aside>`,
  );
}

const sendHtml = (reply: FastifyReply, text: string, redirectUri: string) =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', createPagePolicy(new URL(redirectUri).origin))
    .send(text);

const getForm = ({ body }: FastifyRequest): URLSearchParams => (body instanceof URLSearchParams ? body : new URLSearchParams());

/** Serves the providers below `/providers/`. @param secret signs their codes */
export function registerSignInProviders(app: FastifyInstance, { secret, now }: { secret: string; now: () => number }): void {
  const computeMac = (text: string): string => createHmac('sha256', `sign-in ${secret}`).update(text).digest('base64url');
  const seal = (value: object): string => {
    const text = toBase64Json(value);
    return `${text}.${computeMac(text)}`;
  };
  const unseal = (sealedText = ''): Record<string, unknown> | null => {
    const [text = '', mac = ''] = sealedText.split('.');
    const [receivedMac, expectedMac] = [Buffer.from(mac), Buffer.from(computeMac(text))];
    if (receivedMac.length !== expectedMac.length || !timingSafeEqual(receivedMac, expectedMac)) return null;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  };
  /** The key pair that signs ID tokens, created on first use. */
  let keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined;
  const getKeyPair = () => (keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));

  const toIssuer = (request: PageRequest): string => `${request.protocol}://${request.host}/providers/${request.params.id}`;
  const requireKnownProvider =
    (handler: (request: PageRequest, reply: FastifyReply) => unknown) => (request: PageRequest, reply: FastifyReply) =>
      PROVIDER_NAMES[request.params.id] === undefined ? reply.code(404).send({ error: 'not_found' }) : handler(request, reply);

  app.get(
    '/providers/:id/.well-known/openid-configuration',
    requireKnownProvider((request) => {
      const issuer = toIssuer(request);
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      };
    }),
  );
  app.get(
    '/providers/:id/jwks',
    requireKnownProvider(() => ({
      keys: [{ ...getKeyPair().publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }],
    })),
  );

  const authorize = (request: PageRequest, reply: FastifyReply) => {
    const { id } = request.params;
    const { redirect_uri: redirectUri = '', client_id: client, state = '' } = request.query;
    if (client !== TEST_CLIENT || !isReturnUrl(redirectUri))
      return reply
        .code(400)
        .send({ error: `client_id must be ${TEST_CLIENT}, and redirect_uri must end in ${providerReturnPath}.` });
    const language = chooseLanguage([request.headers['accept-language']]);
    const form = getForm(request);
    const email = (form.get('email') ?? '').trim();
    if (request.method === 'GET' || !isEmail(email))
      return sendHtml(reply, renderSignInPage(id, request.query, language, request.method === 'POST'), redirectUri);
    const code: Code = {
      provider: id,
      redirectUri,
      challenge: request.query['code_challenge'] ?? '',
      nonce: request.query['nonce'] ?? '',
      until: now() + CODE_LIFETIME_MS,
      sub: toSubject(id, email),
      name: (form.get('name') ?? '').trim(),
      email,
    };
    const returnUrl = new URL(redirectUri);
    returnUrl.searchParams.set('code', seal(code));
    returnUrl.searchParams.set('state', state);
    return reply.redirect(returnUrl.href, 303);
  };
  app.get('/providers/:id/authorize', requireKnownProvider(authorize));
  app.post('/providers/:id/authorize', requireKnownProvider(authorize));

  const createIdToken = (request: PageRequest, { sub, name, email, nonce }: Code): string => {
    const issuedAt = Math.floor(now() / 1000);
    const claims = {
      iss: toIssuer(request),
      aud: TEST_CLIENT,
      sub,
      iat: issuedAt,
      exp: issuedAt + 600,
      email,
      email_verified: false,
    };
    const text = `${toBase64Json({ alg: 'RS256', kid: 'test' })}.${toBase64Json({ ...claims, name, ...(nonce === '' ? {} : { nonce }) })}`;
    return `${text}.${sign('sha256', Buffer.from(text), getKeyPair().privateKey).toString('base64url')}`;
  };
  app.post(
    '/providers/:id/token',
    requireKnownProvider((request, reply) => {
      const form = getForm(request);
      const code = unseal(form.get('code') ?? '') as Code | null;
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isValid =
        code !== null &&
        code.provider === request.params.id &&
        code.redirectUri === form.get('redirect_uri') &&
        code.challenge === challenge &&
        code.until > now();
      if (!isValid) return reply.code(400).send({ error: 'invalid_grant' });
      const { sub, name, email } = code;
      const token = { access_token: seal({ sub, name, email }), token_type: 'Bearer', expires_in: 600 };
      return request.params.id === 'facebook' ? token : { ...token, id_token: createIdToken(request, code) };
    }),
  );
  app.get(
    '/providers/:id/me',
    requireKnownProvider((request, reply) => {
      const person = unseal(/^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]) as Person | null;
      if (person === null) return reply.code(401).send({ error: 'invalid_token' });
      const { sub, name, email } = person;
      return request.params.id === 'facebook' ? { id: sub, name, email } : { sub, name, email, email_verified: false };
    }),
  );
}
