import { describe, expect, test } from 'vitest';
import { joinPhone } from '../../src/client/account/own-providers.ts';
import {
  finishProviderSignIn,
  fetchProviders,
  sendPhoneCode,
  signInByPhone,
  startProviderSignIn,
} from '../../src/client/account/providers.ts';
import { config, json, catchRejection, environment, xml } from '../support/client/fake-environment.ts';

const { signal } = new AbortController();

test('the list leaves out providers that this shop cannot offer', async () => {
  const { api } = environment([
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
  const { api } = environment([answer()], { config: { ...config, providers: wireProviders } });
  expect(await fetchProviders(api, signal)).toEqual([wireProviders[0], wireProviders[2]]);
});

test('a server without the call and a configuration without a list offer no provider', async () => {
  expect(await fetchProviders(environment([new Response('', { status: 404 })]).api, signal)).toEqual([]);
});

test('a sign-in is started once, and never retried automatically', async () => {
  const { api, asked } = environment([
    xml('<ProviderSignIn><Url>https://provider.example/auth?a=1&amp;b=2</Url><State>s</State></ProviderSignIn>'),
  ]);
  expect(await startProviderSignIn(api, 'google', signal)).toEqual({
    url: 'https://provider.example/auth?a=1&b=2',
    state: 's',
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ method: 'POST', path: '/api/user/provider/start', query: { appid: 'app-1' } });
});

test.each(['javascript:alert(1)', 'data:text/html,x', '/signin', ''])('the address %j is not a provider’s', async (url) => {
  const { api } = environment([xml(`<ProviderSignIn><Url>${url}</Url><State>s</State></ProviderSignIn>`)]);
  expect(await catchRejection(startProviderSignIn(api, 'google', signal))).toMatchObject({ kind: 'malformed', field: 'url' });
});

const device = { id: 'device-1', name: 'Firefox on Linux' };

test('a customer who returns from the provider is signed in, also without an address', async () => {
  const { api } = environment([
    xml('<Signin><IdToken>token-0123456789</IdToken><EmailId></EmailId><UserId>u1</UserId></Signin>'),
  ]);
  expect(await finishProviderSignIn(api, { state: 's', code: 'c', issuer: '' }, device)).toEqual({
    token: 'token-0123456789',
    customer: { userId: 'u1', email: '' },
    asks: false,
  });
});

test('the reason of a failed sign-in keeps its code', async () => {
  const { api, asked } = environment([
    xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>email_unverified</Code></Error>', 409),
  ]);
  const finishing = finishProviderSignIn(api, { state: 's', code: 'c', issuer: 'https://provider.example' }, device);
  expect(await catchRejection(finishing)).toMatchObject({ kind: 'refused', code: 'email_unverified' });
  expect(asked).toHaveLength(1);
});

describe('a code by text message', () => {
  const device = { id: 'd1', name: 'A browser' };
  const session = '<Signin><IdToken>t</IdToken><EmailId/><UserId>u1</UserId></Signin>';
  const typed = { phone: '+447400123456', code: '123456' };

  test('is sent back with the request id it was issued for', async () => {
    const { api, asked } = environment([
      xml('<Result><Status>Ok</Status><RequestId>the-request</RequestId></Result>'),
      xml(session),
      json({ providers: [] }),
    ]);
    const { sentAt, pii } = await sendPhoneCode(api, typed.phone, signal);
    expect({ sentAt, pii }).toEqual({ sentAt: null, pii: { requestId: 'the-request' } });
    await signInByPhone(api, { ...typed, ...pii }, device);
    await joinPhone(api, { ...typed, ...pii });
    expect(asked[1]?.body).toContain('<RequestId>the-request</RequestId>');
    expect(JSON.parse(asked[2]?.body ?? '')).toEqual({ ...typed, requestId: 'the-request' });
  });

  test.each([
    ['2026-11-26T14:05:00.000Z', '2026-11-26T14:05:00.000Z'],
    ['yesterday evening', null],
  ])('is in an earlier message if the server has its time: %s', async (said, sentAt) => {
    const { api } = environment([xml(`<Result><Status>Ok</Status><RequestId>r</RequestId><SentAt>${said}</SentAt></Result>`)]);
    expect(await sendPhoneCode(api, typed.phone, signal)).toEqual({ sentAt, pii: { requestId: 'r' } });
  });

  test('is sent alone when the server answered no request', async () => {
    const { api, asked } = environment([xml('<Result><Status>Ok</Status></Result>'), xml(session), json({ providers: [] })]);
    const { pii } = await sendPhoneCode(api, typed.phone, signal);
    await signInByPhone(api, { ...typed, ...pii }, device);
    await joinPhone(api, { ...typed, ...pii });
    expect(asked[1]?.body).not.toContain('RequestId');
    expect(JSON.parse(asked[2]?.body ?? '')).toEqual(typed);
  });
});
