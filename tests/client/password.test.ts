import { describe, expect, test } from 'vitest';
import { checkResetLink, requestResetLink, fetchResetMethods, setPassword } from '../../src/client/account/password.ts';
import { json, catchRejection, environment, xml } from '../support/client/fake-environment.ts';

const token = 'a-token-of-a-letter';
const { signal } = new AbortController();
const okResponse = () => xml('<Result><Status>Ok</Status></Result>');

describe('ways to sign in to an account', () => {
  test('are read as the server has them; an unknown kind is left out', async () => {
    const answer = {
      ways: [
        { kind: 'passkey', wayId: 'p1', name: 'Laptop', usedAt: '2026-01-02T00:00:00.000Z', always: true },
        { kind: 'provider', wayId: 'sso', name: 'Lamplight' },
        { kind: 'telepathy', wayId: 't1', name: 'Thought' },
        { kind: 'device', name: 'Without an id' },
      ],
    };
    const { api, asked } = environment([json(answer)]);
    expect(await fetchResetMethods(api, token, signal)).toEqual([
      { kind: 'passkey', id: 'p1', name: 'Laptop', usedAt: '2026-01-02T00:00:00.000Z', goesAnyway: true },
      { kind: 'provider', id: 'sso', name: 'Lamplight', usedAt: '', goesAnyway: false },
    ]);
    expect(asked[0]).toMatchObject({ method: 'GET', path: `/api/user/token/${token}/ways` });
  });

  test.each([
    ['404', () => json({ error: 'No such call', status: 404, code: 'not_found' }, 404)],
    ['404 of a proxy', () => new Response('nothing here', { status: 404 })],
    ['501', () => json({ error: 'Not served', status: 501, code: 'not_implemented' }, 501)],
    ['501 of a proxy', () => new Response('not served', { status: 501 })],
  ])('are an empty list when the server lacks the call: %s', async (_, answer) => {
    expect(await fetchResetMethods(environment([answer]).api, token, signal)).toEqual([]);
  });

  test('fail when the server fails otherwise', async () => {
    const { api } = environment([new Response('broken', { status: 500 })]);
    expect(await catchRejection(fetchResetMethods(api, token, signal))).toMatchObject({ kind: 'http', status: 500 });
  });

  test('are refused by an expired link', async () => {
    const { api } = environment([json({ error: 'Over', status: 409, code: 'link_over' }, 409)]);
    expect(await catchRejection(fetchResetMethods(api, token, signal))).toEqual({
      kind: 'refused',
      code: 'link_over',
      message: 'Over',
    });
  });
});

test('a new password is sent with the ways to remove, and without a list if there is nothing to remove', async () => {
  const { api, asked } = environment([okResponse, okResponse]);
  const removed = [
    { kind: 'passkey', id: 'p1' },
    { kind: 'device', id: 'd1' },
  ] as const;
  await setPassword(api, { token, password: 'lamp and oil', removed: [...removed] }, signal);
  await setPassword(api, { token, password: 'lamp and oil', removed: [] }, signal);
  const documentOf = (list: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><ResetPassword><Token>${token}</Token><Password>lamp and oil</Password>${list}</ResetPassword>`;
  const ways = removed.map(({ kind, id }) => `<RemovedWay><Kind>${kind}</Kind><WayId>${id}</WayId></RemovedWay>`).join('');
  expect(asked.map(({ body }) => body)).toEqual([documentOf(`<RemovedWays>${ways}</RemovedWays>`), documentOf('')]);
});

test('a request for a link says "not me" only when the customer said so', async () => {
  const { api, asked } = environment([okResponse, okResponse]);
  for (const isNotMe of [true, false]) await requestResetLink(api, { email: 'a@shop.test', isNotMe }, signal);
  expect(asked.map(({ query }) => query['notme'])).toEqual(['true', undefined]);
});

describe('a link', () => {
  const secrets = ['1', 'short', 'x'.repeat(2000), 'with/slash?and=more', 'ümlaut'];
  test.each(secrets)('is validated by the server, with a secret of any form: %s [S7.user/token]', async (secret) => {
    const { api, asked } = environment([
      xml('<ResetToken><Valid>true</Valid></ResetToken>'),
      xml('<ResetToken><Valid>0</Valid></ResetToken>'),
    ]);
    expect([await checkResetLink(api, secret, signal), await checkResetLink(api, secret, signal)]).toEqual([true, false]);
    expect(asked.map(({ path }) => path)).toEqual(Array(2).fill(`/api/user/token/${encodeURIComponent(secret)}`));
  });

  test.each(['', '.', '..'])('with a secret that would form another path is invalid: %j', async (secret) => {
    const { api, asked } = environment([xml('<ResetToken><Valid>true</Valid></ResetToken>')]);
    expect(await checkResetLink(api, secret, signal)).toBe(false);
    expect(asked).toEqual([]);
  });

  test.each([
    ['an empty answer', () => new Response('', { status: 200 }), true],
    ['no content', () => new Response(null, { status: 204 }), true],
    ['a document without details', () => xml('<Result><Status>Ok</Status></Result>'), true],
    ['not found', () => json({ error: 'Gone', status: 404, code: 'not_found' }, 404), false],
    ['not a token', () => json({ error: 'No', status: 400, code: 'bad_request' }, 400), false],
  ])('is validated by %s', async (_, answer, isGood) => {
    expect(await checkResetLink(environment([answer]).api, token, signal)).toBe(isGood);
  });
});

test.each([
  ['an empty one', () => new Response('', { status: 200 })],
  ['no content', () => new Response(null, { status: 204 })],
])('a success without a body is a success: %s [S7.user/resetpassword]', async (_, answer) => {
  const { api } = environment([answer]);
  expect(await setPassword(api, { token, password: 'lamp and oil', removed: [] }, signal)).toEqual({});
  expect(await requestResetLink(api, { email: 'a@shop.test', isNotMe: false }, signal)).toEqual({});
});
