import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/client/wire/client.ts';
import { returnedStatus } from '../../src/client/payment/payment-status.ts';
import { verifyPayment } from '../../src/client/payment/razorpay.ts';
import type { ShopClient } from '../../src/client/wire/shop-client.ts';
import { titles } from '../../src/client/catalogue/titles.ts';
import { categoryTreeOf } from '../../src/shell/navigation/category-tree.ts';
import { html, json, rejection, world, xml } from '../support/client/world.ts';

const everything = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;
const list = (next: string) =>
  `<Titles next="${next}"><Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType></Title></Titles>`;

describe('the next page of a list by an address that the server gives [S7.titles/byurl]', () => {
  test.each(['https://shop.test/api/lists/new?page=2', '/api/lists/new?page=2', 'lists/new?page=2'])('%s', async (next) => {
    const { api, asked } = world([xml(list(next)), xml(list(''))], { token: () => 'token-1' });
    const { next: cursor } = await titles(api, everything);
    await titles(api, { ...everything, cursor });
    expect(asked[1]).toMatchObject({ path: '/api/lists/new', query: { page: '2', accesstoken: 'token-1' } });
    expect(asked[1]?.query).not.toHaveProperty('cursor');
  });

  test.each([
    'https://elsewhere.test/api/titles',
    'https://shop.test/other/titles',
    'https://shop.test/api/../admin',
    'https://a:b@shop.test/api/titles',
  ])('%s is outside of the API base, and is not asked for', async (cursor) => {
    const { api, asked } = world([]);
    expect(await rejection(titles(api, { ...everything, cursor }))).toMatchObject({ kind: 'malformed', field: 'next' });
    expect(asked).toEqual([]);
  });

  test('anything else is a cursor', async () => {
    const { api, asked } = world([xml(list('')), xml(list(''))]);
    await titles(api, { ...everything, cursor: 'abc_-9' });
    await titles(api, { ...everything, cursor: '/elsewhere' });
    expect(asked.map(({ path, query }) => [path, query['cursor']])).toEqual([
      ['/api/titles', 'abc_-9'],
      ['/api/titles', '/elsewhere'],
    ]);
  });
});

const category = (id: string) => `<Category><Id>${id}</Id><Name>${id}</Name></Category>`;
const categoriesIn = (...ids: string[]) => xml(`<Categories>${ids.map(category).join('')}</Categories>`);

/** The tree of a page on that API. */
const treeOn = (api: Api) => {
  const client = { api: async () => api, asVisitor: (call) => call(api) } as Partial<ShopClient>;
  return categoryTreeOf(client as ShopClient);
};

describe('sub-categories that are not in the tree [S7.categories/sub]', () => {
  const shape = (tree: { id: string; children: { id: string }[] }[]) =>
    tree.map(({ id, children }) => [id, children.map((below) => below.id)]);

  test('are asked for once, when their category is opened', async () => {
    const { api, asked } = world([categoriesIn('A', 'B'), categoriesIn('C')]);
    const { categoryTree, treeAround } = treeOn(api);
    await Promise.all([treeAround('a'), treeAround('A')]);
    expect(shape(await treeAround('A'))).toEqual([
      ['A', ['C']],
      ['B', []],
    ]);
    expect(shape(await categoryTree())).toEqual([
      ['A', ['C']],
      ['B', []],
    ]);
    expect(asked.map(({ query }) => query['categoryid'])).toEqual([undefined, 'A']);
  });

  test('are found by their own address', async () => {
    const { api, asked } = world([categoriesIn('A', 'B'), categoriesIn(), categoriesIn('C')]);
    expect(shape(await treeOn(api).treeAround('C'))).toEqual([
      ['A', []],
      ['B', ['C']],
    ]);
    expect(asked.map(({ query }) => query['categoryid'])).toEqual([undefined, 'A', 'B', 'C']);
  });

  test('are found on the third level', async () => {
    const { api } = world([categoriesIn('A'), categoriesIn('B'), categoriesIn('C'), categoriesIn()]);
    const [top] = await treeOn(api).treeAround('C');
    expect(top?.children[0]?.children.map(({ id }) => id)).toEqual(['C']);
  });

  test('are found although those of another category could not be had', async () => {
    const { api } = world([categoriesIn('A', 'B'), html('broken', 400), categoriesIn('C'), categoriesIn()]);
    expect(shape(await treeOn(api).treeAround('C'))).toEqual([
      ['A', []],
      ['B', ['C']],
    ]);
  });

  test('are not asked for where the tree has branches', async () => {
    const nested = xml(
      `<Categories>${category('A')}<Category><Id>B</Id><Name>B</Name><ParentId>A</ParentId></Category></Categories>`,
    );
    const { api, asked } = world([nested]);
    expect(shape(await treeOn(api).treeAround('Z'))).toEqual([['A', ['B']]]);
    expect(asked).toHaveLength(1);
  });

  test('in a circle are in one place', async () => {
    const { api } = world([categoriesIn('A', 'B'), categoriesIn('B', 'A', 'C'), categoriesIn('A', 'C')]);
    const { treeAround } = treeOn(api);
    await treeAround('A');
    expect(shape(await treeAround('B'))).toEqual([
      ['A', ['C']],
      ['B', []],
    ]);
  });

  test('are asked for again with their categories, in another language', async () => {
    const { api, asked } = world([
      categoriesIn('A', 'B'),
      categoriesIn('C'),
      categoriesIn('D'),
      categoriesIn('A', 'B'),
      html('broken', 400),
      categoriesIn('D'),
    ]);
    const { treeAround, askTreeAgain, categoryTree } = treeOn(api);
    await treeAround('A');
    await treeAround('B');
    const tree = await askTreeAgain();
    expect(shape(tree)).toEqual([
      ['A', []],
      ['B', ['D']],
    ]);
    expect(await categoryTree()).toEqual(tree);
    expect(asked.slice(3).map(({ query }) => query['categoryid'])).toEqual([undefined, 'A', 'B']);
  });

  test('that could not be had are asked for again', async () => {
    const { api } = world([categoriesIn('A'), html('broken', 400), categoriesIn('C')]);
    const { treeAround } = treeOn(api);
    expect(await rejection(treeAround('A'))).toMatchObject({ kind: 'http', status: 400 });
    expect(shape(await treeAround('A'))).toEqual([['A', ['C']]]);
  });
});

describe('a payment at Razorpay [S7.razorpay/verify]', () => {
  const signed = (kind: string) => `?transId=t1&razorpay_payment_id=pay_1&razorpay_${kind}_id=for_1&razorpay_signature=5ec2e7`;

  test.each(['subscription', 'order', 'payment_link'])('for an id of kind %s has its signature checked', async (kind) => {
    const { api, asked } = world([json({ verified: true })]);
    await verifyPayment(api, signed(kind));
    expect(asked[0]).toMatchObject({
      path: '/api/razorpay/verify',
      query: { paymentId: 'pay_1', subscriptionId: 'for_1', sign: '5ec2e7' },
    });
  });

  test('that its server takes for pending is verified, and asked for once more', async () => {
    const state = (status: string) => json({ transId: 't1', status });
    const { api, asked } = world([state('pending'), json({ verified: true }), state('authorized')]);
    const page = { api: async () => api, address: () => ({ search: signed('order') }) };
    expect(await returnedStatus(page, 't1', AbortSignal.timeout(1000))).toMatchObject({ status: 'authorized' });
    expect(asked.map(({ path }) => path.slice('/api/'.length))).toEqual([
      'checkout/session/status',
      'razorpay/verify',
      'checkout/session/status',
    ]);
  });

  test('that is pending without a signature is asked for once', async () => {
    const { api, asked } = world([json({ transId: 't1', status: 'pending' })]);
    const page = { api: async () => api, address: () => ({ search: '?transId=t1' }) };
    expect(await returnedStatus(page, 't1', AbortSignal.timeout(1000))).toMatchObject({ status: 'pending' });
    expect(asked).toHaveLength(1);
  });

  test('is refused where its signature does not hold', async () => {
    const { api } = world([json({ verified: false })]);
    expect(await rejection(verifyPayment(api, signed('order')))).toMatchObject({ kind: 'refused', code: 'payment_failed' });
  });

  test('continues at a server that has no such call', async () => {
    const { api, asked } = world([html('404', 404)]);
    await verifyPayment(api, signed('order'));
    expect(asked).toHaveLength(1);
  });

  test('without a signature in the address is not asked about', async () => {
    const { api, asked } = world([]);
    await verifyPayment(api, '?transId=t1&razorpay_payment_id=pay_1');
    expect(asked).toEqual([]);
  });
});
