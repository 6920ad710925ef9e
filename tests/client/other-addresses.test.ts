import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/client/wire/client.ts';
import { fetchReturnedStatus } from '../../src/client/payment/payment-status.ts';
import { verifyRazorpayPayment } from '../../src/client/payment/razorpay.ts';
import type { ShopClient } from '../../src/client/wire/shop-client.ts';
import { fetchTitles } from '../../src/client/catalogue/titles.ts';
import { createCategoryTree } from '../../src/shell/navigation/category-tree.ts';
import { html, json, catchRejection, environment, xml } from '../support/client/fake-environment.ts';

const allTitles = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;
const titlesXml = (next: string) =>
  `<Titles next="${next}"><Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType></Title></Titles>`;

describe('the next page of a list is requested by the URL that the server gives [S7.titles/byurl]', () => {
  test.each(['https://shop.test/api/lists/new?page=2', '/api/lists/new?page=2', 'lists/new?page=2'])('%s', async (next) => {
    const { api, asked } = environment([xml(titlesXml(next)), xml(titlesXml(''))], { token: () => 'token-1' });
    const { next: cursor } = await fetchTitles(api, allTitles);
    await fetchTitles(api, { ...allTitles, cursor });
    expect(asked[1]).toMatchObject({ path: '/api/lists/new', query: { page: '2', accesstoken: 'token-1' } });
    expect(asked[1]?.query).not.toHaveProperty('cursor');
  });

  test.each([
    'https://elsewhere.test/api/titles',
    'https://shop.test/other/titles',
    'https://shop.test/api/../admin',
    'https://a:b@shop.test/api/titles',
  ])('%s is outside of the API base, and is not requested', async (cursor) => {
    const { api, asked } = environment([]);
    expect(await catchRejection(fetchTitles(api, { ...allTitles, cursor }))).toMatchObject({ kind: 'malformed', field: 'next' });
    expect(asked).toEqual([]);
  });

  test('any other value is a cursor', async () => {
    const { api, asked } = environment([xml(titlesXml('')), xml(titlesXml(''))]);
    await fetchTitles(api, { ...allTitles, cursor: 'abc_-9' });
    await fetchTitles(api, { ...allTitles, cursor: '/elsewhere' });
    expect(asked.map(({ path, query }) => [path, query['cursor']])).toEqual([
      ['/api/titles', 'abc_-9'],
      ['/api/titles', '/elsewhere'],
    ]);
  });
});

const category = (id: string) => `<Category><Id>${id}</Id><Name>${id}</Name></Category>`;
const categoriesResponse = (...ids: string[]) => xml(`<Categories>${ids.map(category).join('')}</Categories>`);

/** The tree of a page on that API. */
const readTree = (api: Api) => {
  const client = { api: async () => api, asVisitor: (call) => call(api) } as Partial<ShopClient>;
  return createCategoryTree(client as ShopClient);
};

describe('sub-categories that are not in the tree [S7.categories/sub]', () => {
  const shape = (tree: { id: string; children: { id: string }[] }[]) =>
    tree.map(({ id, children }) => [id, children.map((below) => below.id)]);

  test('are requested once, when their category is opened', async () => {
    const { api, asked } = environment([categoriesResponse('A', 'B'), categoriesResponse('C')]);
    const { categoryTree, treeAround } = readTree(api);
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
    const { api, asked } = environment([categoriesResponse('A', 'B'), categoriesResponse(), categoriesResponse('C')]);
    expect(shape(await readTree(api).treeAround('C'))).toEqual([
      ['A', []],
      ['B', ['C']],
    ]);
    expect(asked.map(({ query }) => query['categoryid'])).toEqual([undefined, 'A', 'B', 'C']);
  });

  test('are found on the third level', async () => {
    const { api } = environment([
      categoriesResponse('A'),
      categoriesResponse('B'),
      categoriesResponse('C'),
      categoriesResponse(),
    ]);
    const [top] = await readTree(api).treeAround('C');
    expect(top?.children[0]?.children.map(({ id }) => id)).toEqual(['C']);
  });

  test('are found although those of another category failed', async () => {
    const { api } = environment([
      categoriesResponse('A', 'B'),
      html('broken', 400),
      categoriesResponse('C'),
      categoriesResponse(),
    ]);
    expect(shape(await readTree(api).treeAround('C'))).toEqual([
      ['A', []],
      ['B', ['C']],
    ]);
  });

  test('are not requested where the tree has branches', async () => {
    const nested = xml(
      `<Categories>${category('A')}<Category><Id>B</Id><Name>B</Name><ParentId>A</ParentId></Category></Categories>`,
    );
    const { api, asked } = environment([nested]);
    expect(shape(await readTree(api).treeAround('Z'))).toEqual([['A', ['B']]]);
    expect(asked).toHaveLength(1);
  });

  test('in a circle are in one place', async () => {
    const { api } = environment([categoriesResponse('A', 'B'), categoriesResponse('B', 'A', 'C'), categoriesResponse('A', 'C')]);
    const { treeAround } = readTree(api);
    await treeAround('A');
    expect(shape(await treeAround('B'))).toEqual([
      ['A', ['C']],
      ['B', []],
    ]);
  });

  test('are requested again with their categories, in another language', async () => {
    const { api, asked } = environment([
      categoriesResponse('A', 'B'),
      categoriesResponse('C'),
      categoriesResponse('D'),
      categoriesResponse('A', 'B'),
      html('broken', 400),
      categoriesResponse('D'),
    ]);
    const { treeAround, reloadTree, categoryTree } = readTree(api);
    await treeAround('A');
    await treeAround('B');
    const tree = await reloadTree();
    expect(shape(tree)).toEqual([
      ['A', []],
      ['B', ['D']],
    ]);
    expect(await categoryTree()).toEqual(tree);
    expect(asked.slice(3).map(({ query }) => query['categoryid'])).toEqual([undefined, 'A', 'B']);
  });

  test('are requested again after a failure', async () => {
    const { api } = environment([categoriesResponse('A'), html('broken', 400), categoriesResponse('C')]);
    const { treeAround } = readTree(api);
    expect(await catchRejection(treeAround('A'))).toMatchObject({ kind: 'http', status: 400 });
    expect(shape(await treeAround('A'))).toEqual([['A', ['C']]]);
  });
});

describe('a payment at Razorpay [S7.razorpay/verify]', () => {
  const signed = (kind: string) => `?transId=t1&razorpay_payment_id=pay_1&razorpay_${kind}_id=for_1&razorpay_signature=5ec2e7`;

  test.each(['subscription', 'order', 'payment_link'])('for an id of kind %s has its signature checked', async (kind) => {
    const { api, asked } = environment([json({ verified: true })]);
    await verifyRazorpayPayment(api, signed(kind));
    expect(asked[0]).toMatchObject({
      path: '/api/razorpay/verify',
      query: { paymentId: 'pay_1', subscriptionId: 'for_1', sign: '5ec2e7' },
    });
  });

  test('is verified and read once more when its server reports it as pending', async () => {
    const state = (status: string) => json({ transId: 't1', status });
    const { api, asked } = environment([state('pending'), json({ verified: true }), state('authorized')]);
    const page = { api: async () => api, address: () => ({ search: signed('order') }) };
    expect(await fetchReturnedStatus(page, 't1', AbortSignal.timeout(1000))).toMatchObject({ status: 'authorized' });
    expect(asked.map(({ path }) => path.slice('/api/'.length))).toEqual([
      'checkout/session/status',
      'razorpay/verify',
      'checkout/session/status',
    ]);
  });

  test('that is pending without a signature is read once', async () => {
    const { api, asked } = environment([json({ transId: 't1', status: 'pending' })]);
    const page = { api: async () => api, address: () => ({ search: '?transId=t1' }) };
    expect(await fetchReturnedStatus(page, 't1', AbortSignal.timeout(1000))).toMatchObject({ status: 'pending' });
    expect(asked).toHaveLength(1);
  });

  test('is refused when its signature is invalid', async () => {
    const { api } = environment([json({ verified: false })]);
    expect(await catchRejection(verifyRazorpayPayment(api, signed('order')))).toMatchObject({
      kind: 'refused',
      code: 'payment_failed',
    });
  });

  test('continues at a server that lacks the call', async () => {
    const { api, asked } = environment([html('404', 404)]);
    await verifyRazorpayPayment(api, signed('order'));
    expect(asked).toHaveLength(1);
  });

  test('without a signature in the address is not verified', async () => {
    const { api, asked } = environment([]);
    await verifyRazorpayPayment(api, '?transId=t1&razorpay_payment_id=pay_1');
    expect(asked).toEqual([]);
  });
});
