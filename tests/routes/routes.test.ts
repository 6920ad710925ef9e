import { describe, expect, test } from 'vitest';
import { isSameScreen } from '../../machines/flows/route.ts';
import { listParameters } from '../../machines/model/catalogue/list-parameters.ts';
import { parseListQuery } from '../../machines/model/catalogue/list.ts';
import { flows } from '../../machines/flows/registry.ts';
import { findRouteName } from '../../machines/flows/routes.ts';
import { addresses, findExtraExamples, unknownPaths } from '../../tools/shop/addresses.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';

describe('the table of addresses', () => {
  test.each(addresses)('$path is the $flow flow', ({ path, flow, params, login, hides = [] }) => {
    const route = parsePath(path);
    expect(route).toMatchObject({ flow, access: login ? 'login' : 'public' });
    expect(route.params).toEqual(params === null ? expect.anything() : (params ?? {}));
    expect(route.hides.toSorted()).toEqual(hides.toSorted());
  });

  test('the table of addresses takes the examples of a new flow as the flow declares them', () => {
    const routes = [
      { pattern: '/gifts', access: 'login' as const, hides: ['footer' as const], examples: ['/gifts'] },
      { pattern: '/', examples: ['/'] },
    ];
    expect(findExtraExamples(addresses, [{ name: 'page', machine: 'buying/gifts', routes }])).toEqual([
      { path: '/gifts', flow: 'page', params: null, login: true, hides: ['footer'] },
    ]);
  });

  test.each(unknownPaths)('%s matches no route [S2.wrong-turn]', (path) =>
    expect(parsePath(path)).toMatchObject({ flow: 'notFound', params: {} }),
  );

  test.each([
    ['/id:caf%C3%A9/', { titleId: 'café' }],
    ['/ebook/', { type: 'ebook' }],
    ['/viewer?instanceid=1001&sample', { instanceid: '1001', sample: '' }],
    ['/pdfviewer?instanceid=1001&sample=1', { instanceid: '1001', sample: '1' }],
    ['/mylibrary/', {}],
    ['/account/', {}],
  ])('%s has its parameters by name', (path, params) => expect(parsePath(path).params).toMatchObject(params));

  test('another sort order is the same screen, and another title or code is not', () => {
    expect(isSameScreen(parsePath('/all?sort=title'), parsePath('/all?sort=newest'))).toBe(true);
    expect(isSameScreen(parsePath('/title/purchase?titleid=1'), parsePath('/title/purchase?titleid=2'))).toBe(false);
    expect(isSameScreen(parsePath('/redeem'), parsePath('/redeem/CODE'))).toBe(false);
  });
});

test.each([
  ['/title/purchase/success?transId=t1', 'Thank you'],
  ['/redeem/A-CODE', 'Redeem a code'],
  ['/mylibrary/audio/', 'My Library'],
  ['/id:book', undefined],
  ['/nowhere', undefined],
])('the page at %s is named %s', (path, name) => expect(findRouteName(path)).toBe(name));

describe('parameters that other sites add to an address', () => {
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
  ])('%s is the same as %s for the shop', (path, canonicalPath) => expect(parsePath(path)).toEqual(parsePath(canonicalPath)));

  test.each(['/all?search=sea%20+%C3%A9&plan=gold', '/subscription?planid=gold', '/id:1', '/all?'])(
    'the address %s stays as it is',
    (path) => expect(parsePath(path).path).toBe(path),
  );

  test('a removed parameter leaves the placeholder of a secret in the path', () => {
    expect(parsePath('/all?x=1&code=A&sort=price').path).toBe('/all?code=…&sort=price');
  });

  test('every flow that may be server-rendered declares the query it reads', () => {
    expect(flows.filter((flow) => 'serverRendered' in flow && flow.reads === undefined)).toEqual([]);
  });

  test.each(listParameters)('%s is part of a list’s identity', (name) => {
    const value = { sort: 'newest', pricefrom: '1', priceto: '9', free: 'true', kind: 'audio' }[name as string] ?? 'sea';
    expect(parseListQuery(parsePath(`/all?${name}=${value}`))).not.toEqual(parseListQuery(parsePath('/all')));
  });
});

describe('the frame', () => {
  test('the frame leaves out the parts that the specification names [S2.frame/checkout] [S2.frame/subscription] [S2.frame/library] [S2.frame/viewer] [S2.frame/pdfviewer] [S2.frame/information] [S2.frame/landing] [S2.frame/default]', () => {
    const hiddenParts = ['sidebar', 'search', 'library', 'home', 'explore'];
    for (const path of ['/title/purchase', '/cart/checkout', '/checkout/complete', '/subscription', '/subscription/purchase'])
      expect(parsePath(path).hides).toEqual(expect.arrayContaining(hiddenParts));
    for (const path of ['/title/purchase/success', '/cart/purchase/success', '/subscription/purchase/success'])
      expect(parsePath(path).hides).toEqual(expect.arrayContaining(hiddenParts));
    expect(parsePath('/').hides).toEqual(['home']);
    expect(parsePath('/mylibrary').hides).toContain('sidebar');
    expect(parsePath('/viewer').hides).toContain('footer');
    expect(parsePath('/viewer').hides).not.toContain('topBar');
    expect(parsePath('/pdfviewer').hides).toEqual([...parsePath('/viewer').hides, 'topBar']);
    for (const path of ['/terms', '/privacy']) expect(parsePath(path).hides).toContain('signIn');
    for (const path of ['/all', '/id:1', '/signin', '/redeem', '/about', '/account']) expect(parsePath(path).hides).toEqual([]);
  });

  test('the frame leaves the whole window to the readers only', () => {
    const fullWindowAddresses = addresses.filter(({ path }) => parsePath(path).fills);
    expect(fullWindowAddresses.map(({ path }) => path.split('?')[0])).toEqual(['/viewer', '/pdfviewer']);
  });
});
