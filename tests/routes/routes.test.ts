import { describe, expect, test } from 'vitest';
import { intentIn, isSameScreen, signInPath } from '../../machines/model/route.ts';
import { routeOf } from '../../src/routes.ts';

const at = (path: string) => {
  const { pathname, search } = new URL(path, 'https://shop.example');
  return routeOf({ pathname, search });
};

describe('the table of addresses [S2./id] [S2./isbn] [S2./all] [S2./audio] [S2./ebook] [S2./video]', () => {
  test.each([
    ['/', 'landing', {}],
    ['/signin', 'signIn', {}],
    ['/signup', 'signUp', {}],
    ['/id:1001', 'title', { titleId: '1001' }],
    ['/id:1001/the-keeper', 'title', { titleId: '1001', name: 'the-keeper' }],
    ['/id:caf%C3%A9/', 'title', { titleId: 'café' }],
    ['/isbn:9780306406157', 'title', { isbn: '9780306406157' }],
    ['/isbn:9780306406157/the-keeper', 'title', { isbn: '9780306406157', name: 'the-keeper' }],
    ['/all', 'catalogue', { type: 'all' }],
    ['/ebook/', 'catalogue', { type: 'ebook' }],
    ['/audio', 'catalogue', { type: 'audio' }],
    ['/video', 'catalogue', { type: 'video' }],
    ['/video/mystery', 'catalogue', { type: 'video', category: 'mystery' }],
    ['/audio/fiction/mystery', 'catalogue', { type: 'audio', parent: 'fiction', category: 'mystery' }],
    ['/title/purchase?titleid=1001', 'checkout', { titleid: '1001' }],
    ['/checkout/complete?transId=t1&intentId=i1', 'checkout', { transId: 't1' }],
    ['/title/purchase/success?transId=t1', 'receipt', { transId: 't1' }],
    ['/mylibrary', 'library', {}],
    ['/mylibrary/audio', 'library', { type: 'audio' }],
    ['/viewer?instanceid=i1', 'viewer', { instanceid: 'i1' }],
    ['/viewer?instanceid=1001&sample', 'viewer', { instanceid: '1001', sample: '' }],
    ['/terms', 'information', { page: 'terms' }],
    ['/invalid', 'invalid', {}],
    ['/mylibrary/scrolls', 'notFound', {}],
    ['/404', 'notFound', { page: '404' }],
    ['/500', 'notFound', { page: '500' }],
    ['/nowhere', 'notFound', {}],
    ['/id:', 'notFound', {}],
  ])('%s is the %s flow', (path, flow, params) => {
    expect(at(path)).toMatchObject({ flow, params });
  });

  test.each([
    ['/mylibrary', '[S2.login/mylibrary]'],
    ['/mylibrary/ebook', '[S2.login/mylibrary/type]'],
    ['/viewer', '[S2.login/viewer]'],
    ['/checkout/complete', '[S2.login/checkout/complete]'],
    ['/title/purchase/success', '[S2.login/title/purchase/success]'],
  ])('%s asks for sign-in %s', (path) => expect(at(path).access).toBe('login'));

  test.each(['/', '/all', '/id:1', '/title/purchase', '/signin', '/about'])('%s is public [S6.visitor]', (path) =>
    expect(at(path).access).toBe('public'),
  );

  test('hides the parts of the frame that a screen does without [S2.frame/checkout] [S2.frame/library] [S2.frame/viewer] [S2.frame/information] [S2.frame/landing] [S2.frame/default]', () => {
    expect(at('/').hides).toEqual(['home']);
    expect(at('/title/purchase').hides).toEqual(expect.arrayContaining(['sidebar', 'search', 'library', 'home', 'explore']));
    expect(at('/viewer').hides).toEqual(expect.arrayContaining(['footer', 'topBar']));
    expect(at('/mylibrary').hides).toContain('sidebar');
    expect(at('/privacy').hides).toContain('signIn');
    expect(at('/all').hides).toEqual([]);
  });

  test.each(['/id:%E0%A4%A', '/%', '/id:__proto__', `/id:${'x'.repeat(10_000)}`, '/all?__proto__=1&a=%'])(
    'answers the hostile address %s with a route',
    (path) => expect(() => JSON.stringify(at(path))).not.toThrow(),
  );

  test('keeps what identifies a screen apart from how it is shown', () => {
    expect(isSameScreen(at('/all?sort=title'), at('/all?sort=newest'))).toBe(true);
    expect(isSameScreen(at('/title/purchase?titleid=1'), at('/title/purchase?titleid=2'))).toBe(false);
  });
});

describe('the way back after sign-in', () => {
  test('leads to the page and the action that were left', () => {
    const path = signInPath(at('/title/purchase?titleid=1'), { action: 'pay', expired: false });
    expect(path).toBe('/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay');
    expect(intentIn(at(path).query)).toEqual({ path: '/title/purchase?titleid=1', action: 'pay' });
  });

  test('leads a reader of a sample to sign-up [S2.login-sample]', () => {
    const path = signInPath(at('/viewer?instanceid=1&sample'), { action: null, expired: false });
    expect(path).toMatch(/^\/signup\?return=/);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/\tevil',
    '',
  ])('never leads to %j', (target) => expect(intentIn({ return: target }).path).toBe('/'));
});
