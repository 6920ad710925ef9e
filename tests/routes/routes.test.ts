import { describe, expect, test } from 'vitest';
import { isSameScreen } from '../../machines/flows/route.ts';
import { listParameters } from '../../machines/model/catalogue/list-parameters.ts';
import { listQuery } from '../../machines/model/catalogue/list.ts';
import { flows } from '../../machines/flows/registry.ts';
import { nameAt } from '../../machines/flows/routes.ts';
import { addresses, examplesBeside, nowhere } from '../../tools/shop/addresses.ts';
import { routeAt } from '../../machines/path-models/route-at.ts';

describe('the table of addresses', () => {
  test.each(addresses)('$path is the $flow flow', ({ path, flow, params, login, hides = [] }) => {
    const route = routeAt(path);
    expect(route).toMatchObject({ flow, access: login ? 'login' : 'public' });
    expect(route.params).toEqual(params === null ? expect.anything() : (params ?? {}));
    expect(route.hides.toSorted()).toEqual(hides.toSorted());
  });

  test('takes in the examples of a flow that it does not know yet, as the flow declares them', () => {
    const routes = [
      { pattern: '/gifts', access: 'login' as const, hides: ['footer' as const], examples: ['/gifts'] },
      { pattern: '/', examples: ['/'] },
    ];
    expect(examplesBeside(addresses, [{ name: 'page', machine: 'buying/gifts', routes }])).toEqual([
      { path: '/gifts', flow: 'page', params: null, login: true, hides: ['footer'] },
    ]);
  });

  test.each(nowhere)('%s leads nowhere [S2.wrong-turn]', (path) =>
    expect(routeAt(path)).toMatchObject({ flow: 'notFound', params: {} }),
  );

  test.each([
    ['/id:caf%C3%A9/', { titleId: 'café' }],
    ['/ebook/', { type: 'ebook' }],
    ['/viewer?instanceid=1001&sample', { instanceid: '1001', sample: '' }],
    ['/pdfviewer?instanceid=1001&sample=1', { instanceid: '1001', sample: '1' }],
    ['/mylibrary/', {}],
    ['/account/', {}],
  ])('%s has its parts by their names', (path, params) => expect(routeAt(path).params).toMatchObject(params));

  test('keeps what identifies a screen apart from how it is shown', () => {
    expect(isSameScreen(routeAt('/all?sort=title'), routeAt('/all?sort=newest'))).toBe(true);
    expect(isSameScreen(routeAt('/title/purchase?titleid=1'), routeAt('/title/purchase?titleid=2'))).toBe(false);
    expect(isSameScreen(routeAt('/redeem'), routeAt('/redeem/CODE'))).toBe(false);
  });
});

test.each([
  ['/title/purchase/success?transId=t1', 'Thank you'],
  ['/redeem/A-CODE', 'Redeem a code'],
  ['/mylibrary/audio/', 'My Library'],
  ['/id:book', undefined],
  ['/nowhere', undefined],
])('%s is called %s', (path, name) => expect(nameAt(path)).toBe(name));

describe('what others put into an address', () => {
  test.each([
    ['/?utm_source=letter&fbclid=x', '/'],
    ['/id:1?utm_source=letter', '/id:1'],
    ['/all?utm_medium=e&sort=price&gclid=1&search=sea+%C3%A9&a', '/all?sort=price&search=sea+%C3%A9'],
    ['/all/new?x=1', '/all/new'],
    ['/about?lang=fr&x=1', '/about?lang=fr'],
    ['/all?lang=xx&sort=price&lang', '/all?sort=price'],
    ['/about?lang=FR%20', '/about'],
    ['/about?lang=fr=1', '/about'],
    ['/subscription?planid=gold&x=1', '/subscription?planid=gold'],
    ['/nowhere?x=1', '/nowhere'],
  ])('%s is the same as %s for the shop', (path, meant) => expect(routeAt(path)).toEqual(routeAt(meant)));

  test.each(['/all?search=sea%20+%C3%A9&plan=gold', '/subscription?planid=gold', '/id:1', '/all?'])('%s stays as it is', (path) =>
    expect(routeAt(path).path).toBe(path),
  );

  test('a secret among it is still known to have been there', () => {
    expect(routeAt('/all?x=1&code=A&sort=price').path).toBe('/all?code=…&sort=price');
  });

  test('every flow that may come painted says what it reads', () => {
    expect(flows.filter((flow) => 'painted' in flow && flow.reads === undefined)).toEqual([]);
  });

  test.each(listParameters)('%s is a part of what a list is', (name) => {
    const value = { sort: 'newest', pricefrom: '1', priceto: '9', free: 'true', kind: 'audio' }[name as string] ?? 'sea';
    expect(listQuery(routeAt(`/all?${name}=${value}`))).not.toEqual(listQuery(routeAt('/all')));
  });
});

describe('the frame', () => {
  test('leaves out what the specification says [S2.frame/checkout] [S2.frame/subscription] [S2.frame/library] [S2.frame/viewer] [S2.frame/pdfviewer] [S2.frame/information] [S2.frame/landing] [S2.frame/default]', () => {
    const paying = ['sidebar', 'search', 'library', 'home', 'explore'];
    for (const path of ['/title/purchase', '/cart/checkout', '/checkout/complete', '/subscription', '/subscription/purchase'])
      expect(routeAt(path).hides).toEqual(expect.arrayContaining(paying));
    for (const path of ['/title/purchase/success', '/cart/purchase/success', '/subscription/purchase/success'])
      expect(routeAt(path).hides).toEqual(expect.arrayContaining(paying));
    expect(routeAt('/').hides).toEqual(['home']);
    expect(routeAt('/mylibrary').hides).toContain('sidebar');
    expect(routeAt('/viewer').hides).toContain('footer');
    expect(routeAt('/viewer').hides).not.toContain('topBar');
    expect(routeAt('/pdfviewer').hides).toEqual([...routeAt('/viewer').hides, 'topBar']);
    for (const path of ['/terms', '/privacy']) expect(routeAt(path).hides).toContain('signIn');
    for (const path of ['/all', '/id:1', '/signin', '/redeem', '/about', '/account']) expect(routeAt(path).hides).toEqual([]);
  });

  test('leaves the whole window to the readers alone', () => {
    const filling = addresses.filter(({ path }) => routeAt(path).fills);
    expect(filling.map(({ path }) => path.split('?')[0])).toEqual(['/viewer', '/pdfviewer']);
  });
});
