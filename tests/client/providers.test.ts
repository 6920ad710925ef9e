import { describe, expect, test } from 'vitest';
import { joinPhone } from '../../src/client/account/own-providers.ts';
import {
  finishProviderSignIn,
  fetchProviders,
  sendPhoneCode,
  signInByPhone,
  startProviderSignIn,
} from '../../src/client/account/providers.ts';
import { config, json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const { signal } = new AbortController();

test('the list leaves out providers that this shop cannot offer', async () => {
  const { api } = createFakeServer([
    xml(`<Providers>
      <Provider><Id>google</Id><Kind>oidc</Kind><Name>Google</Name></Provider>
      <Provider><Id>chip</Id><Kind>implant</Kind><Name>A chip</Name></Provider>
      <Provider><Id>nameless</Id><Kind>oidc</Kind><Name></Name></Provider>
      <Provider><Id>facebook</Id><Kind>facebook</Kind><Name>Facebook</Name></Provider>
    </Providers>`),
  ]);
  expect(await fetchProviders(api, signal)).toEqual([
    { id: 'google', kind: 'oidc', name: 'Google' },
    { id: 'facebook', kind: 'facebook', name: 'Facebook' },
  ]);
});

const wireProviders = [
  { id: 'google', kind: 'oidc', name: 'Google' },
  { id: 'chip', kind: 'implant', name: 'A chip' },
  { id: 'phone', kind: 'phone', name: 'Phone' },
];

test.each([
  ['without the call', () => new Response('', { status: 404 })],
  [
    'that answers with a page',
    () => new Response('<!doctype html><title>Shop</title>', { headers: { 'content-type': 'text/html' } }),
  ],
  ['that fails at it', () => new Response('', { status: 500 })],
])('of a server %s, the list is that of the configuration [S2.signin/providers]', async (_, answer) => {
  const { api } = createFakeServer([answer()], { config: { ...config, providers: wireProviders } });
  expect(await fetchProviders(api, signal)).toEqual([wireProviders[0], wireProviders[2]]);
});

test('a server without the call and a configuration without a list offer no provider', async () => {
  expect(await fetchProviders(createFakeServer([new Response('', { status: 404 })]).api, signal)).toEqual([]);
});

test('a sign-in is started by one POST request', async () => {
  const { api, requests } = createFakeServer([
    xml('<ProviderSignIn><Url>https://provider.example/auth?a=1&amp;b=2</Url><State>s</State></ProviderSignIn>'),
  ]);
  expect(await startProviderSignIn(api, 'google', signal)).toEqual({
    url: 'https://provider.example/auth?a=1&b=2',
    state: 's',
  });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'POST', path: '/api/user/provider/start', query: { appid: 'app-1' } });
});

test.each(['javascript:alert(1)', 'data:text/html,x', '/signin', ''])(
  'a sign-in at a provider is malformed if its URL is %j',
  async (url) => {
    const { api } = createFakeServer([xml(`<ProviderSignIn><Url>${url}</Url><State>s</State></ProviderSignIn>`)]);
    expect(await catchRejection(startProviderSignIn(api, 'google', signal))).toMatchObject({ kind: 'malformed', field: 'url' });
  },
);

const device = { id: 'device-1', name: 'Firefox on Linux' };

test('a customer who returns from the provider is signed in, also without an e-mail address', async () => {
  const { api } = createFakeServer([
    xml('<Signin><IdToken>token-0123456789</IdToken><EmailId></EmailId><UserId>u1</UserId></Signin>'),
  ]);
  expect(await finishProviderSignIn(api, { state: 's', code: 'c', issuer: '' }, device)).toEqual({
    token: 'token-0123456789',
    customer: { userId: 'u1', email: '' },
    asks: false,
  });
});

test('a failed sign-in by a provider keeps its error code', async () => {
  const { api, requests } = createFakeServer([
    xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>email_unverified</Code></Error>', 409),
  ]);
  const signInPromise = finishProviderSignIn(api, { state: 's', code: 'c', issuer: 'https://provider.example' }, device);
  expect(await catchRejection(signInPromise)).toMatchObject({ kind: 'refused', code: 'email_unverified' });
  expect(requests).toHaveLength(1);
});

describe('a code by text message', () => {
  const device = { id: 'd1', name: 'A browser' };
  const signInXml = '<Signin><IdToken>t</IdToken><EmailId/><UserId>u1</UserId></Signin>';
  const codeInput = { phone: '+447400123456', code: '123456' };

  test('a code by text message is sent back with its request id', async () => {
    const { api, requests } = createFakeServer([
      xml('<Result><Status>Ok</Status><RequestId>the-request</RequestId></Result>'),
      xml(signInXml),
      json({ providers: [] }),
    ]);
    const { sentAt, pii } = await sendPhoneCode(api, codeInput.phone, signal);
    expect({ sentAt, pii }).toEqual({ sentAt: null, pii: { requestId: 'the-request' } });
    await signInByPhone(api, { ...codeInput, ...pii }, device);
    await joinPhone(api, { ...codeInput, ...pii });
    expect(requests[1]?.body).toContain('<RequestId>the-request</RequestId>');
    expect(JSON.parse(requests[2]?.body ?? '')).toEqual({ ...codeInput, requestId: 'the-request' });
  });

  test.each([
    ['2026-11-26T14:05:00.000Z', '2026-11-26T14:05:00.000Z'],
    ['yesterday evening', null],
  ])('an earlier text message has the time that the server sent, if it is readable: %s', async (wireTime, sentAt) => {
    const { api } = createFakeServer([
      xml(`<Result><Status>Ok</Status><RequestId>r</RequestId><SentAt>${wireTime}</SentAt></Result>`),
    ]);
    expect(await sendPhoneCode(api, codeInput.phone, signal)).toEqual({ sentAt, pii: { requestId: 'r' } });
  });

  test('a code by text message is sent alone when the server gave no request id', async () => {
    const { api, requests } = createFakeServer([
      xml('<Result><Status>Ok</Status></Result>'),
      xml(signInXml),
      json({ providers: [] }),
    ]);
    const { pii } = await sendPhoneCode(api, codeInput.phone, signal);
    await signInByPhone(api, { ...codeInput, ...pii }, device);
    await joinPhone(api, { ...codeInput, ...pii });
    expect(requests[1]?.body).not.toContain('RequestId');
    expect(JSON.parse(requests[2]?.body ?? '')).toEqual(codeInput);
  });
});
