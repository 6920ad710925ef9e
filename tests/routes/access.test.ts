import { describe, expect, test } from 'vitest';
import { readAfterSignIn } from '../../machines/model/account/after-sign-in.ts';
import { signInOrUpPath } from '../../machines/flows/route.ts';
import { addresses } from '../../tools/shop/addresses.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';

const toPath = (address: string): string => address.split('?')[0] ?? '';

const loginPaths = addresses.filter(({ login }) => login).map(({ path }) => toPath(path));

describe('pages for signed-in customers only', () => {
  test.each(loginPaths)(
    '%s redirects a visitor to sign-in, or from a sample to sign-up, with itself as the return address',
    (path) => {
      const route = parsePath(`${path}?a=1&b=x%26y`);
      expect(route.access).toBe('login');
      const signInPath = signInOrUpPath(route, { action: 'pay', expired: false });
      expect(signInPath).toMatch(/^\/signin\?return=/);
      expect(readAfterSignIn(parsePath(signInPath).query)).toEqual({ path: `${path}?a=1&b=x%26y`, action: 'pay' });
      for (const query of ['?sample', '?sample=', '?sample=1', '?x=1&sample=no']) {
        const signUp = signInOrUpPath(parsePath(path + query), { action: null, expired: false });
        expect(signUp).toMatch(/^\/signup\?return=/);
        expect(readAfterSignIn(parsePath(signUp).query)).toEqual({ path: path + query, action: null });
      }
    },
  );

  test('no other page is for signed-in customers only', () => {
    const pathsWithLogin = addresses.filter(({ path }) => parsePath(path).access === 'login').map(({ path }) => toPath(path));
    expect(pathsWithLogin).toEqual(loginPaths);
  });

  test.each(['/', '/all', '/id:1', '/title/purchase', '/purchase', '/signin', '/about', '/redeem/x', '/pages/private/x'])(
    '%s is public [S6.visitor]',
    (path) => expect(parsePath(path).access).toBe('public'),
  );
});

describe('the way back after sign-in', () => {
  test('the way back after sign-in leads to the page and the action that the visitor left', () => {
    const path = signInOrUpPath(parsePath('/title/purchase?titleid=1'), { action: 'pay', expired: false });
    expect(path).toBe('/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay');
    expect(readAfterSignIn(parsePath(path).query)).toEqual({ path: '/title/purchase?titleid=1', action: 'pay' });
  });

  test('a reader of a sample is redirected to sign-up [S2.login-sample]', () => {
    const path = signInOrUpPath(parsePath('/viewer?instanceid=1&sample'), { action: null, expired: false });
    expect(path).toMatch(/^\/signup\?return=/);
  });

  test.each([
    'https://evil.example/',
    'HTTPS://evil.example',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\tevil',
    '/\n/evil.example',
    ' /all',
    'all',
    '',
  ])('the way back after sign-in never leads to %j', (target) => {
    expect(readAfterSignIn({ return: target }).path).toBe('/');
    expect(readAfterSignIn(parsePath(`/signin?return=${encodeURIComponent(target)}`).query).path).toBe('/');
  });
});
