import { expect, test } from 'vitest';
import { sign, verify } from '../../../server/publication/media-token.ts';

const secret = Buffer.alloc(32, 7);
const grant = { titleId: '1009', storeId: 'demo', sample: false, expires: 2_000 };

test('a token gives back what was signed, until it expires', () => {
  const token = sign(grant, secret);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(verify(token, secret, 1_999)).toEqual(grant);
  expect(verify(token, secret, 2_000)).toBeNull();
});

test('a token signed with another secret, altered or invented is refused', () => {
  const token = sign({ ...grant, sample: true }, secret);
  const [payload = '', signature = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify(['1009', 'demo', false, 2_000])).toString('base64url');
  for (const bad of [
    `${forged}.${signature}`,
    `${payload}.`,
    `.${signature}`,
    payload,
    '',
    'a.b',
    `${payload}.${signature}x`.replace(/.x$/, 'AA'),
  ]) {
    expect(verify(bad, secret, 0), bad).toBeNull();
  }
  expect(verify(token, Buffer.alloc(32, 8), 0)).toBeNull();
});
