import { describe, expect, test } from 'vitest';
import { checkResetLink, requestResetLink, fetchResetMethods, setPassword } from '../../src/client/account/password.ts';
import { json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const token = 'a-token-of-an-email';
const { signal } = new AbortController();
const okResponse = () => xml('<Result><Status>Ok</Status></Result>');

describe('sign-in methods of an account', () => {
  test('sign-in methods are mapped to the model; an unknown kind is left out', async () => {
    const answer = {
      ways: [
        { kind: 'passkey', wayId: 'p1', name: 'Laptop', usedAt: '2026-01-02T00:00:00.000Z', always: true },
        { kind: 'provider', wayId: 'sso', name: 'Lamplight' },
        { kind: 'telepathy', wayId: 't1', name: 'Thought' },
        { kind: 'device', name: 'Without an id' },
      ],
    };
    const { api, requests } = createFakeServer([json(answer)]);
    expect(await fetchResetMethods(api, token, signal)).toEqual([
      { kind: 'passkey', id: 'p1', name: 'Laptop', usedAt: '2026-01-02T00:00:00.000Z', goesAnyway: true },
      { kind: 'provider', id: 'sso', name: 'Lamplight', usedAt: '', goesAnyway: false },
    ]);
    expect(requests[0]).toMatchObject({ method: 'GET', path: `/api/user/token/${token}/ways` });
  });

  test.each([
    ['404', () => json({ error: 'No such call', status: 404, code: 'not_found' }, 404)],
    ['404 of a proxy', () => new Response('nothing here', { status: 404 })],
    ['501', () => json({ error: 'Not served', status: 501, code: 'not_implemented' }, 501)],
    ['501 of a proxy', () => new Response('not served', { status: 501 })],
  ])('sign-in methods are an empty list when the server lacks the call: %s', async (_, answer) => {
    expect(await fetchResetMethods(createFakeServer([answer]).api, token, signal)).toEqual([]);
  });

  test('a request for sign-in methods fails when the server fails', async () => {
    const { api } = createFakeServer([new Response('broken', { status: 500 })]);
    expect(await catchRejection(fetchResetMethods(api, token, signal))).toMatchObject({ kind: 'http', status: 500 });
  });

  test('with an expired reset link the sign-in methods are refused', async () => {
    const { api } = createFakeServer([json({ error: 'Over', status: 409, code: 'link_over' }, 409)]);
    expect(await catchRejection(fetchResetMethods(api, token, signal))).toEqual({
      kind: 'refused',
      code: 'link_over',
      message: 'Over',
    });
  });
});

test('a new password is sent with the sign-in methods to remove, or without a list if no method is removed', async () => {
  const { api, requests } = createFakeServer([okResponse, okResponse]);
  const removed = [
    { kind: 'passkey', id: 'p1' },
    { kind: 'device', id: 'd1' },
  ] as const;
  await setPassword(api, { token, password: 'lamp and oil', removed: [...removed] }, signal);
  await setPassword(api, { token, password: 'lamp and oil', removed: [] }, signal);
  const formatDocument = (list: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><ResetPassword><Token>${token}</Token><Password>lamp and oil</Password>${list}</ResetPassword>`;
  const ways = removed.map(({ kind, id }) => `<RemovedWay><Kind>${kind}</Kind><WayId>${id}</WayId></RemovedWay>`).join('');
  expect(requests.map(({ body }) => body)).toEqual([formatDocument(`<RemovedWays>${ways}</RemovedWays>`), formatDocument('')]);
});

test('a request for a reset link has `notme` only if the customer chose “not me”', async () => {
  const { api, requests } = createFakeServer([okResponse, okResponse]);
  for (const isNotMe of [true, false]) await requestResetLink(api, { email: 'a@shop.test', isNotMe }, signal);
  expect(requests.map(({ query }) => query['notme'])).toEqual(['true', undefined]);
});

describe('a reset link', () => {
  const secrets = ['1', 'short', 'x'.repeat(2000), 'with/slash?and=more', 'ümlaut'];
  test.each(secrets)('a reset link with a secret of any form is validated by the server: %s [S7.user/token]', async (secret) => {
    const { api, requests } = createFakeServer([
      xml('<ResetToken><Valid>true</Valid></ResetToken>'),
      xml('<ResetToken><Valid>0</Valid></ResetToken>'),
    ]);
    expect([await checkResetLink(api, secret, signal), await checkResetLink(api, secret, signal)]).toEqual([true, false]);
    expect(requests.map(({ path }) => path)).toEqual(Array(2).fill(`/api/user/token/${encodeURIComponent(secret)}`));
  });

  test.each(['', '.', '..'])('a reset link with a secret that would form another path is invalid: %j', async (secret) => {
    const { api, requests } = createFakeServer([xml('<ResetToken><Valid>true</Valid></ResetToken>')]);
    expect(await checkResetLink(api, secret, signal)).toBe(false);
    expect(requests).toEqual([]);
  });

  test.each([
    ['an empty answer', () => new Response('', { status: 200 }), true],
    ['no content', () => new Response(null, { status: 204 }), true],
    ['a document without details', () => xml('<Result><Status>Ok</Status></Result>'), true],
    ['not found', () => json({ error: 'Gone', status: 404, code: 'not_found' }, 404), false],
    ['not a token', () => json({ error: 'No', status: 400, code: 'bad_request' }, 400), false],
  ])('a reset link is valid only by a success of the server: %s', async (_, answer, isValid) => {
    expect(await checkResetLink(createFakeServer([answer]).api, token, signal)).toBe(isValid);
  });
});

test.each([
  ['an empty body', () => new Response('', { status: 200 })],
  ['no content', () => new Response(null, { status: 204 })],
])('a success without a body is accepted: %s [S7.user/resetpassword]', async (_, answer) => {
  const { api } = createFakeServer([answer]);
  expect(await setPassword(api, { token, password: 'lamp and oil', removed: [] }, signal)).toEqual({});
  expect(await requestResetLink(api, { email: 'a@shop.test', isNotMe: false }, signal)).toEqual({});
});
