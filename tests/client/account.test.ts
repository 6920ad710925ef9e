import { expect, test } from 'vitest';
import { signIn, signUp, fetchCustomer, validateToken } from '../../src/client/account/account.ts';
import { deleteAccount } from '../../src/client/account/delete-account.ts';
import { clearSession, saveSession } from '../../src/storage/session-storage.ts';
import { readXml } from '../../src/client/wire/xml-reader.ts';
import { getText } from '../../src/client/wire/xml-node.ts';
import { json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const device = { id: 'device-1', name: 'Firefox on Linux' };
const signInResponse = () =>
  xml('<Signin><IdToken>token-0123456789</IdToken><EmailId>åsa@shop.test</EmailId><UserId>u1</UserId></Signin>');
const session = { token: 'token-0123456789', customer: { userId: 'u1', email: 'åsa@shop.test' }, asks: false };

test('sign-in sends e-mail address and password as basic credentials, in UTF-8 [S3.session] [S6.credentials] [S7.user/signin]', async () => {
  const { api, requests } = createFakeServer([signInResponse]);
  expect(await signIn(api, { email: 'åsa@shop.test', password: 'på:ß🔑' }, device)).toEqual(session);
  const [request] = requests;
  expect(request).toMatchObject({
    method: 'GET',
    path: '/api/user/signin',
    query: { appid: 'app-1', deviceid: 'device-1', devicename: 'Firefox on Linux', shelfid: 'demo' },
    cache: 'no-store',
  });
  const [scheme, credentials] = (request?.headers['authorization'] ?? '').split(' ');
  expect([scheme, Buffer.from(credentials ?? '', 'base64').toString('utf8')]).toEqual(['Basic', 'åsa@shop.test:på:ß🔑']);
  expect(Object.keys(request?.headers ?? {})).not.toContain('idempotency-key');
});

test('after a sign-in without a token, requests have none [S4.login-placeholder]', async () => {
  const { api, requests } = createFakeServer([xml('<Signin><EmailId>a@shop.test</EmailId></Signin>'), json({ valid: true })], {
    token: () => '',
  });
  const placeholderSession = await signIn(api, { email: 'a@shop.test', password: 'long enough' }, device);
  expect(placeholderSession).toEqual({ token: '', customer: { userId: 'unknown', email: 'a@shop.test' }, asks: false });
  await api.client.GET('/user/validate', api.readOptions());
  expect(requests[1]?.query).not.toHaveProperty('accesstoken');
});

test('a wrong password is unauthorized and is not retried', async () => {
  const { api, requests } = createFakeServer([
    () => xml('<Error><StatusCode>401</StatusCode><Status>Unauthorized</Status><Message>No</Message></Error>', 401),
  ]);
  expect(await catchRejection(signIn(api, { email: 'a@shop.test', password: 'x' }, device))).toEqual({ kind: 'unauthorized' });
  expect(requests).toHaveLength(1);
});

test('sign-up sends a document that no name can break [S7.user/signup]', async () => {
  const { api, requests } = createFakeServer([signInResponse]);
  const name = `</Name><Admin>1</Admin>"'&\u0007\uD800 Åsa`;
  expect(
    await signUp(
      api,
      { name, email: 'åsa@shop.test', password: 'long enough', agree: true, newsletter: false, custom: {} },
      device,
    ),
  ).toEqual(session);
  const [request] = requests;
  expect(request).toMatchObject({ method: 'POST', path: '/api/user/signup', headers: { 'content-type': 'text/xml' } });
  expect(request?.headers['authorization']).toMatch(/^Basic /);
  const root = await readXml('test', new Response(request?.body));
  expect(root.name).toBe('signup');
  expect(root.children.map((child) => child.name)).toEqual(['email', 'name', 'agreeterms']);
  expect(getText(root, 'Name')).toBe(`</Name><Admin>1</Admin>"'&\uFFFD Åsa`);
  expect(request?.body).not.toContain('long enough');
});

test('sign-up sends the consent to the newsletter', async () => {
  const { api, requests } = createFakeServer([signInResponse]);
  await signUp(
    api,
    { name: 'A', email: 'a@shop.test', password: 'long enough', agree: true, newsletter: true, custom: {} },
    device,
  );
  expect(requests[0]?.body).toContain(
    '<CustomFields><CustomField><Id>newsletter</Id><Value>true</Value></CustomField></CustomFields>',
  );
});

test('sign-up with a known e-mail address is refused with its code', async () => {
  const { api } = createFakeServer([
    xml(
      '<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>email_taken</Code><Message>Known</Message></Error>',
      409,
    ),
  ]);
  const form = { name: 'A', email: 'a@shop.test', password: 'long enough', agree: true, newsletter: false, custom: {} } as const;
  expect(await catchRejection(signUp(api, form, device))).toEqual({ kind: 'refused', code: 'email_taken', message: 'Known' });
});

test('an answer with neither a token nor a customer is not a sign-in', async () => {
  const { api } = createFakeServer([xml('<Signin><Message>Wrong password</Message></Signin>')]);
  const problem = await catchRejection(signIn(api, { email: 'a@shop.test', password: 'x' }, device));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'user/signin', field: 'IdToken' });
});

test('validation sends the given token, not the current one [S7.user/validate]', async () => {
  const { api, requests } = createFakeServer([json({ valid: true, userId: 'u1', emailId: 'a@shop.test' })], {
    token: () => 'current-token-01',
  });
  expect(await validateToken(api, 'stored-token-0001')).toEqual({ userId: 'u1', email: 'a@shop.test' });
  expect(requests[0]?.query).toEqual({ accesstoken: 'stored-token-0001', shelfid: 'demo' });
});

test('a token that is no longer valid is unauthorized', async () => {
  expect(await catchRejection(validateToken(createFakeServer([json({ valid: false })]).api, 'stored-token-0001'))).toEqual({
    kind: 'unauthorized',
  });
});

test.each([
  ['token-0123456789', 'Bearer token-0123456789'],
  ['', undefined],
])('an account is deleted with the token of its session: “%s”', async (token, header) => {
  const { api, requests } = createFakeServer([xml('<Result><Status>ok</Status></Result>')]);
  await deleteAccount(api, { token, isSession: true }, new AbortController().signal);
  expect(requests[0]?.path).toBe('/api/user/delete');
  expect(requests[0]?.headers['authorization']).toBe(header);
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['a bare success', () => xml('<Result><Status>ok</Status></Result>')],
])('a sign-up answered with %s starts a session without a token', async (_, answer) => {
  const form = { name: 'A', email: 'a@shop.test', password: 'long enough', agree: true, newsletter: false, custom: {} } as const;
  expect(await signUp(createFakeServer([answer()]).api, form, device)).toEqual({
    token: '',
    customer: { userId: 'unknown', email: 'a@shop.test' },
    asks: false,
  });
});

test('a customer keeps their e-mail address when the server does not repeat it', async () => {
  saveSession({ token: 'token-1', userId: 'u1', email: 'a@shop.test' }, true);
  const { api } = createFakeServer([json({ valid: true, userId: 'u1' })]);
  const customer = await fetchCustomer(api, 'token-1', new AbortController().signal);
  expect(customer).toEqual({ userId: 'u1', pii: { email: 'a@shop.test' } });
  clearSession();
});
