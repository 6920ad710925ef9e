import { describe, expect, test } from 'vitest';
import { afterSignInOf } from '../../machines/model/account/after-sign-in.ts';
import { signInOrUpPath } from '../../machines/flows/route.ts';
import { addresses } from '../../tools/shop/addresses.ts';
import { routeAt } from '../../machines/path-models/route-at.ts';

const pathOf = (address: string): string => address.split('?')[0] ?? '';

const customersAlone = addresses.filter(({ login }) => login).map(({ path }) => pathOf(path));

describe('pages for customers alone', () => {
  test.each(customersAlone)('%s asks for sign-in, with a sample for sign-up, and leads back', (path) => {
    const plain = routeAt(`${path}?a=1&b=x%26y`);
    expect(plain.access).toBe('login');
    const asked = signInOrUpPath(plain, { action: 'pay', expired: false });
    expect(asked).toMatch(/^\/signin\?return=/);
    expect(afterSignInOf(routeAt(asked).query)).toEqual({ path: `${path}?a=1&b=x%26y`, action: 'pay' });
    for (const query of ['?sample', '?sample=', '?sample=1', '?x=1&sample=no']) {
      const signUp = signInOrUpPath(routeAt(path + query), { action: null, expired: false });
      expect(signUp).toMatch(/^\/signup\?return=/);
      expect(afterSignInOf(routeAt(signUp).query)).toEqual({ path: path + query, action: null });
    }
  });

  test('are these and no others', () => {
    const asking = addresses.filter(({ path }) => routeAt(path).access === 'login').map(({ path }) => pathOf(path));
    expect(asking).toEqual(customersAlone);
  });

  test.each(['/', '/all', '/id:1', '/title/purchase', '/purchase', '/signin', '/about', '/redeem/x', '/pages/private/x'])(
    '%s is public [S6.visitor]',
    (path) => expect(routeAt(path).access).toBe('public'),
  );
});

describe('the way back after sign-in', () => {
  test('leads to the page and the action that were left', () => {
    const path = signInOrUpPath(routeAt('/title/purchase?titleid=1'), { action: 'pay', expired: false });
    expect(path).toBe('/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay');
    expect(afterSignInOf(routeAt(path).query)).toEqual({ path: '/title/purchase?titleid=1', action: 'pay' });
  });

  test('leads a reader of a sample to sign-up [S2.login-sample]', () => {
    const path = signInOrUpPath(routeAt('/viewer?instanceid=1&sample'), { action: null, expired: false });
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
  ])('never leads to %j', (target) => {
    expect(afterSignInOf({ return: target }).path).toBe('/');
    expect(afterSignInOf(routeAt(`/signin?return=${encodeURIComponent(target)}`).query).path).toBe('/');
  });
});
