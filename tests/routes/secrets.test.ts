import { describe, expect, test } from 'vitest';
import { findRedirect } from '../../machines/flows/routes.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';

const secret = 'S3CRET';

describe('secrets in addresses stay out of routes', () => {
  test.each([
    `/redeem/${secret}`,
    `/Redeem/${secret}`,
    `/redeem/${secret}/and/${secret}`,
    `/redeem/${secret}%2F${secret}/`,
    `/redeem?code=${secret}`,
    `/redeem?CODE=${secret}&x=1`,
    `/redeem?c%6Fde=${secret}`,
    `/redeem?a=1?code=${secret}`,
    `/resetpassword/${secret}`,
    `/resetpassword.aspx?token=${secret}`,
    `/subscription?planid=1&code=${secret}`,
    `/subscription.aspx?code=${secret}&planid=1`,
    `/auth0loginCallback?code=${secret}&state=${secret}`,
    `/all?access_token=${secret}&id_token=${secret}`,
    `/account?phone=${secret}&name=${secret}&RecipientEmail=${secret}&firstname=${secret}`,
    `/checkout/complete?transId=t1&RedeemPin=${secret}&cardId=${secret}`,
    `/signin?return=%2Fredeem%2F${secret}`,
    `/signin?return=${encodeURIComponent(`/subscription/purchase?planid=1&code=${secret}`)}&action=pay`,
    `/signin?return=${encodeURIComponent(`/signin?return=${encodeURIComponent(`/redeem/${secret}`)}`)}`,
    `/nowhere?token=${secret}`,
    `/nowhere?token=${secret}%`,
  ])('no secret of %s is in its route', (path) => {
    expect(JSON.stringify(parsePath(path))).not.toContain(secret);
  });

  test('the parts of an address without secrets are unchanged', () => {
    expect(parsePath('/mylibrary?sort=title&code=X&a=%C3%A9+b')).toMatchObject({
      path: '/mylibrary?sort=title&code=…&a=%C3%A9+b',
      query: { sort: 'title', code: '…', a: 'é b' },
    });
    expect(parsePath('/signin?return=%2Fall%3Fsort%3Dtitle&action=pay')).toMatchObject({
      path: '/signin?return=%2Fall%3Fsort%3Dtitle&action=pay',
      query: { return: '/all?sort=title', action: 'pay' },
    });
    for (const path of [
      '/viewer?instanceid=i&sample',
      '/all?search=code&sort=name',
      '/x?',
      '/x?&&=',
      '/title/purchase?titleid=1',
    ])
      expect(parsePath(path).path).toBe(path);
    expect(parsePath('/signin?return=/all?search=a+b%2Bc').query).toEqual({ return: '/all?search=a b+c' });
    expect(parsePath('/signin?return=/id:1/a+b&x=1').query).toEqual({ return: '/id:1/a b', x: '1' });
  });

  test('a removed secret stays out when the address is read again', () => {
    for (const path of [`/redeem/${secret}`, `/subscription?code=${secret}`, `/signin?return=%2Fredeem%2F${secret}`]) {
      const safePath = parsePath(path).path;
      expect(parsePath(safePath).path).toBe(safePath);
      expect(parsePath(new URL(safePath, 'https://shop.example').href.replace('https://shop.example', '')).path).toBe(safePath);
    }
  });
});

describe('addresses of the previous shop', () => {
  const getRedirect = (path: string) => {
    const { pathname, search } = new URL(path, 'https://shop.example');
    return findRedirect({ pathname, search });
  };

  test.each([
    ['/subscription.aspx', '/subscription'],
    ['/subscription.aspx?code=A%20B', '/subscription?code=A+B'],
    ['/subscription.aspx?planid=p1', '/subscription?planid=p1'],
    ['/subscription.aspx?x=1&planid=p1&code=C%261', '/subscription?code=C%261&planid=p1'],
    ['/subscription.aspx?code=', '/subscription?code='],
    ['/subscription.aspx?CODE=x', '/subscription'],
  ])('%s leads to %s [S2.redirect/subscription.aspx]', (from, to) => {
    expect(getRedirect(from)).toBe(to);
    expect(parsePath(from)).toEqual(parsePath(to));
  });

  test.each([
    ['/resetpassword.aspx', '/forgotpassword'],
    ['/resetpassword.aspx?token=', '/forgotpassword'],
    ['/resetpassword.aspx?token=abc', '/resetpassword/abc'],
    ['/resetpassword.aspx?token=a%2Fb%3Fc&x=1', '/resetpassword/a%2Fb%3Fc'],
    ['/resetpassword.aspx?token=..%2F..%2Fsignin', '/resetpassword/..%2F..%2Fsignin'],
  ])('%s leads to %s [S2.redirect/resetpassword.aspx]', (from, to) => {
    expect(getRedirect(from)).toBe(to);
    expect(parsePath(from)).toEqual(parsePath(to));
  });

  test.each(['/', '/subscription', '/other.aspx', '/subscription.aspx/x', '/__proto__', '/constructor'])(
    '%s is not redirected',
    (path) => expect(getRedirect(path)).toBeNull(),
  );
});
