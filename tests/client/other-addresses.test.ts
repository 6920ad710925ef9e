import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/client/wire/client.ts';
import { fetchReturnedStatus } from '../../src/client/payment/payment-status.ts';
import { verifyRazorpayPayment } from '../../src/client/payment/razorpay.ts';
import type { ShopClient } from '../../src/client/wire/shop-client.ts';
import { fetchTitles } from '../../src/client/catalogue/titles.ts';
import { createCategoryTree } from '../../src/shell/navigation/category-tree.ts';
import { html, json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const allTitlesQuery = { type: 'all', categoryId: null, search: '', sort: '', cursor: null } as const;
const titlesXml = (next: string) =>
  `<Titles next="${next}"><Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType></Title></Titles>`;

describe('the next page of a list is requested by the URL that the server gives [S7.titles/byurl]', () => {
  test.each(['https://shop.test/api/lists/new?page=2', '/api/lists/new?page=2', 'lists/new?page=2'])(
    'the next page is requested at %s',
    async (next) => {
      const { api, requests } = createFakeServer([xml(titlesXml(next)), xml(titlesXml(''))], { token: () => 'token-1' });
      const { next: cursor } = await fetchTitles(api, allTitlesQuery);
      await fetchTitles(api, { ...allTitlesQuery, cursor });
      expect(requests[1]).toMatchObject({ path: '/api/lists/new', query: { page: '2', accesstoken: 'token-1' } });
      expect(requests[1]?.query).not.toHaveProperty('cursor');
    },
  );

  test.each([
    'https://elsewhere.test/api/titles',
    'https://shop.test/other/titles',
    'https://shop.test/api/../admin',
    'https://a:b@shop.test/api/titles',
  ])('%s is outside of the API base, and is not requested', async (cursor) => {
    const { api, requests } = createFakeServer([]);
    expect(await catchRejection(fetchTitles(api, { ...allTitlesQuery, cursor }))).toMatchObject({
      kind: 'malformed',
      field: 'next',
    });
    expect(requests).toEqual([]);
  });

  test('a value that is neither a full URL nor a path of the API is sent as a cursor', async () => {
    const { api, requests } = createFakeServer([xml(titlesXml('')), xml(titlesXml(''))]);
    await fetchTitles(api, { ...allTitlesQuery, cursor: 'abc_-9' });
    await fetchTitles(api, { ...allTitlesQuery, cursor: '/elsewhere' });
    expect(requests.map(({ path, query }) => [path, query['cursor']])).toEqual([
      ['/api/titles', 'abc_-9'],
      ['/api/titles', '/elsewhere'],
    ]);
  });
});

const categoryXml = (id: string) => `<Category><Id>${id}</Id><Name>${id}</Name></Category>`;
const categoriesResponse = (...ids: string[]) => xml(`<Categories>${ids.map(categoryXml).join('')}</Categories>`);

/** A category tree that reads its categories from this API. */
const createTree = (api: Api) => {
  const client = { api: async () => api, asVisitor: (call) => call(api) } as Partial<ShopClient>;
  return createCategoryTree(client as ShopClient);
};

describe('sub-categories that are not in the tree [S7.categories/sub]', () => {
  const toShape = (tree: { id: string; children: { id: string }[] }[]) =>
    tree.map(({ id, children }) => [id, children.map((child) => child.id)]);

  test('sub-categories are requested once, when their category is opened', async () => {
    const { api, requests } = createFakeServer([categoriesResponse('A', 'B'), categoriesResponse('C')]);
    const { categoryTree, treeAround } = createTree(api);
    await Promise.all([treeAround('a'), treeAround('A')]);
    expect(toShape(await treeAround('A'))).toEqual([
      ['A', ['C']],
      ['B', []],
    ]);
    expect(toShape(await categoryTree())).toEqual([
      ['A', ['C']],
      ['B', []],
    ]);
    expect(requests.map(({ query }) => query['categoryid'])).toEqual([undefined, 'A']);
  });

  test('a sub-category is found by its id alone', async () => {
    const { api, requests } = createFakeServer([categoriesResponse('A', 'B'), categoriesResponse(), categoriesResponse('C')]);
    expect(toShape(await createTree(api).treeAround('C'))).toEqual([
      ['A', []],
      ['B', ['C']],
    ]);
    expect(requests.map(({ query }) => query['categoryid'])).toEqual([undefined, 'A', 'B', 'C']);
  });

  test('a sub-category is found on the third level', async () => {
    const { api } = createFakeServer([
      categoriesResponse('A'),
      categoriesResponse('B'),
      categoriesResponse('C'),
      categoriesResponse(),
    ]);
    const [topCategory] = await createTree(api).treeAround('C');
    expect(topCategory?.children[0]?.children.map(({ id }) => id)).toEqual(['C']);
  });

  test('a sub-category is found although a request for another category failed', async () => {
    const { api } = createFakeServer([
      categoriesResponse('A', 'B'),
      html('broken', 400),
      categoriesResponse('C'),
      categoriesResponse(),
    ]);
    expect(toShape(await createTree(api).treeAround('C'))).toEqual([
      ['A', []],
      ['B', ['C']],
    ]);
  });

  test('sub-categories are not requested when the first answer has some', async () => {
    const nestedCategories = xml(
      `<Categories>${categoryXml('A')}<Category><Id>B</Id><Name>B</Name><ParentId>A</ParentId></Category></Categories>`,
    );
    const { api, requests } = createFakeServer([nestedCategories]);
    expect(toShape(await createTree(api).treeAround('Z'))).toEqual([['A', ['B']]]);
    expect(requests).toHaveLength(1);
  });

  test('sub-categories that contain each other appear once', async () => {
    const { api } = createFakeServer([
      categoriesResponse('A', 'B'),
      categoriesResponse('B', 'A', 'C'),
      categoriesResponse('A', 'C'),
    ]);
    const { treeAround } = createTree(api);
    await treeAround('A');
    expect(toShape(await treeAround('B'))).toEqual([
      ['A', ['C']],
      ['B', []],
    ]);
  });

  test('sub-categories are requested again in another language', async () => {
    const { api, requests } = createFakeServer([
      categoriesResponse('A', 'B'),
      categoriesResponse('C'),
      categoriesResponse('D'),
      categoriesResponse('A', 'B'),
      html('broken', 400),
      categoriesResponse('D'),
    ]);
    const { treeAround, reloadTree, categoryTree } = createTree(api);
    await treeAround('A');
    await treeAround('B');
    const tree = await reloadTree();
    expect(toShape(tree)).toEqual([
      ['A', []],
      ['B', ['D']],
    ]);
    expect(await categoryTree()).toEqual(tree);
    expect(requests.slice(3).map(({ query }) => query['categoryid'])).toEqual([undefined, 'A', 'B']);
  });

  test('a failed reload is not repeated by the next call', async () => {
    const { api } = createFakeServer([categoriesResponse('A'), html('broken', 400), categoriesResponse('B')]);
    const { categoryTree, reloadTree } = createTree(api);
    await categoryTree();
    expect(await catchRejection(reloadTree())).toMatchObject({ kind: 'http', status: 400 });
    expect(toShape(await categoryTree())).toEqual([['B', []]]);
  });

  test('sub-categories are requested again after a failure', async () => {
    const { api } = createFakeServer([categoriesResponse('A'), html('broken', 400), categoriesResponse('C')]);
    const { treeAround } = createTree(api);
    expect(await catchRejection(treeAround('A'))).toMatchObject({ kind: 'http', status: 400 });
    expect(toShape(await treeAround('A'))).toEqual([['A', ['C']]]);
  });
});

describe('a payment at Razorpay [S7.razorpay/verify]', () => {
  const formatSignedQuery = (kind: string) =>
    `?transId=t1&razorpay_payment_id=pay_1&razorpay_${kind}_id=for_1&razorpay_signature=5ec2e7`;

  test.each(['subscription', 'order', 'payment_link'])(
    'a Razorpay payment with an id of kind %s has its signature checked',
    async (kind) => {
      const { api, requests } = createFakeServer([json({ verified: true })]);
      await verifyRazorpayPayment(api, formatSignedQuery(kind));
      expect(requests[0]).toMatchObject({
        path: '/api/razorpay/verify',
        query: { paymentId: 'pay_1', subscriptionId: 'for_1', sign: '5ec2e7' },
      });
    },
  );

  test('a pending Razorpay payment is verified, and its status is read again', async () => {
    const statusResponse = (status: string) => json({ transId: 't1', status });
    const { api, requests } = createFakeServer([
      statusResponse('pending'),
      json({ verified: true }),
      statusResponse('authorized'),
    ]);
    const pageEnvironment = { api: async () => api, address: () => ({ search: formatSignedQuery('order') }) };
    expect(await fetchReturnedStatus(pageEnvironment, 't1', AbortSignal.timeout(1000))).toMatchObject({ status: 'authorized' });
    expect(requests.map(({ path }) => path.slice('/api/'.length))).toEqual([
      'checkout/session/status',
      'razorpay/verify',
      'checkout/session/status',
    ]);
  });

  test('the status of a pending payment without a signature is read once', async () => {
    const { api, requests } = createFakeServer([json({ transId: 't1', status: 'pending' })]);
    const pageEnvironment = { api: async () => api, address: () => ({ search: '?transId=t1' }) };
    expect(await fetchReturnedStatus(pageEnvironment, 't1', AbortSignal.timeout(1000))).toMatchObject({ status: 'pending' });
    expect(requests).toHaveLength(1);
  });

  test('a Razorpay payment with an invalid signature is refused', async () => {
    const { api } = createFakeServer([json({ verified: false })]);
    expect(await catchRejection(verifyRazorpayPayment(api, formatSignedQuery('order')))).toMatchObject({
      kind: 'refused',
      code: 'payment_failed',
    });
  });

  test('a Razorpay payment continues on a server that lacks the verification', async () => {
    const { api, requests } = createFakeServer([html('404', 404)]);
    await verifyRazorpayPayment(api, formatSignedQuery('order'));
    expect(requests).toHaveLength(1);
  });

  test('a Razorpay payment without a signature in the URL is not verified', async () => {
    const { api, requests } = createFakeServer([]);
    await verifyRazorpayPayment(api, '?transId=t1&razorpay_payment_id=pay_1');
    expect(requests).toEqual([]);
  });
});
