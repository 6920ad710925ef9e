import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealGrant, openToken } from '../../../server/publication/media-token.ts';

const secret = Buffer.alloc(32, 7);
const reader = { userId: 'ann', session: 'hash' };
const grant = { titleId: '1009', storeId: 'demo', path: 'book.epub', reader, expires: 2_000 };

test('a token opens to its grant until the grant expires', () => {
  const token = sealGrant(grant, secret);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(openToken(token, secret, 1_999)).toEqual(grant);
  const sample = { ...grant, reader: null };
  expect(openToken(sealGrant(sample, secret), secret, 1_999)).toEqual(sample);
  expect(openToken(token, secret, 2_000)).toBeNull();
});

test('equal grants have equal tokens, and different grants have different nonces', () => {
  const token = sealGrant(grant, secret);
  expect(sealGrant({ ...grant, reader: { ...reader } }, secret)).toBe(token);
  const otherGrants = [
    { ...grant, titleId: '1010' },
    { ...grant, storeId: 'other' },
    { ...grant, path: 'book.epub2' },
    { ...grant, reader: null },
    { ...grant, reader: { ...reader, userId: 'bob' } },
    { ...grant, reader: { ...reader, session: 'hash2' } },
    { ...grant, expires: 2_001 },
  ];
  const getNonce = (token: string) => token.split('.')[0];
  const tokens = [token, sealGrant(grant, Buffer.alloc(32, 8)), ...otherGrants.map((each) => sealGrant(each, secret))];
  // Two plaintexts encrypted with one nonce would reveal each other.
  expect(new Set(tokens.map(getNonce)).size).toBe(tokens.length);
});

test('a token that is signed with another secret, altered or made up is refused', () => {
  const token = sealGrant(grant, secret);
  const [payload = '', signature = ''] = token.split('.');
  const forgedPayload = Buffer.from(JSON.stringify(['1009', 'demo', 'book.epub', null, 3_000])).toString('base64url');
  for (const invalidToken of [
    `${forgedPayload}.${signature}`,
    `${payload}.`,
    `.${signature}`,
    payload,
    '',
    'a.b',
    `${payload}.${signature}x`.replace(/.x$/, 'AA'),
  ]) {
    expect(openToken(invalidToken, secret, 0), invalidToken).toBeNull();
  }
  expect(openToken(token, Buffer.alloc(32, 8), 0)).toBeNull();
});

test('a token does not reveal its reader to the page that it opens', () => {
  const token = sealGrant(grant, secret);
  const readableText = [token, ...token.split('.').map((segment) => Buffer.from(segment, 'base64url').toString('latin1'))].join();
  for (const secretText of ['ann', 'hash', '1009', 'demo']) expect(readableText).not.toContain(secretText);
});

test('a token of an older format, signed and not encrypted, is refused', () => {
  const fields = ['1009', 'demo', 'book.epub', ['ann', 'hash'], 2_000];
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  const signature = createHmac('sha256', secret).update(payload).digest('base64url');
  expect(openToken(`${payload}.${signature}`, secret, 0)).toBeNull();
});
