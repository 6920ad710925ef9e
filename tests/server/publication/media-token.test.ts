import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealGrant, openToken } from '../../../server/publication/media-token.ts';

const secret = Buffer.alloc(32, 7);
const reader = { userId: 'ann', session: 'hash' };
const grant = { titleId: '1009', storeId: 'demo', path: 'book.epub', reader, expires: 2_000 };

test('a token returns the signed grant until it expires', () => {
  const token = sealGrant(grant, secret);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(openToken(token, secret, 1_999)).toEqual(grant);
  const sample = { ...grant, reader: null };
  expect(openToken(sealGrant(sample, secret), secret, 1_999)).toEqual(sample);
  expect(openToken(token, secret, 2_000)).toBeNull();
});

test('equal grants have equal tokens, and different grants different ones', () => {
  const token = sealGrant(grant, secret);
  expect(sealGrant({ ...grant, reader: { ...reader } }, secret)).toBe(token);
  const others = [
    { ...grant, titleId: '1010' },
    { ...grant, storeId: 'other' },
    { ...grant, path: 'book.epub2' },
    { ...grant, reader: null },
    { ...grant, reader: { ...reader, userId: 'bob' } },
    { ...grant, reader: { ...reader, session: 'hash2' } },
    { ...grant, expires: 2_001 },
  ];
  const nonceOf = (text: string) => text.split('.')[0];
  const tokens = [token, sealGrant(grant, Buffer.alloc(32, 8)), ...others.map((each) => sealGrant(each, secret))];
  // Two plaintexts with one nonce would reveal each other.
  expect(new Set(tokens.map(nonceOf)).size).toBe(tokens.length);
});

test('a token that is signed with another secret, altered or made up is refused', () => {
  const token = sealGrant(grant, secret);
  const [payload = '', signature = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify(['1009', 'demo', 'book.epub', null, 3_000])).toString('base64url');
  for (const bad of [
    `${forged}.${signature}`,
    `${payload}.`,
    `.${signature}`,
    payload,
    '',
    'a.b',
    `${payload}.${signature}x`.replace(/.x$/, 'AA'),
  ]) {
    expect(openToken(bad, secret, 0), bad).toBeNull();
  }
  expect(openToken(token, Buffer.alloc(32, 8), 0)).toBeNull();
});

test('a token does not reveal its reader to the page that it opens', () => {
  const token = sealGrant(grant, secret);
  const read = [token, ...token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))].join();
  for (const part of ['ann', 'hash', '1009', 'demo']) expect(read).not.toContain(part);
});

test('a token of an older format, signed and not encrypted, is refused', () => {
  const fields = ['1009', 'demo', 'book.epub', ['ann', 'hash'], 2_000];
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  const signature = createHmac('sha256', secret).update(payload).digest('base64url');
  expect(openToken(`${payload}.${signature}`, secret, 0)).toBeNull();
});
