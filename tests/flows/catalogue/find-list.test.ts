import { beforeEach, expect, test, vi } from 'vitest';
import { parseListQuery } from '../../../machines/model/catalogue/list.ts';
import type { Api } from '../../../src/client/wire/client.ts';
import { findList } from '../../../src/flows/catalogue/find-list.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const title = '<Title><TitleId>t7</TitleId><Name>Night Signals</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';

const tree = `<Categories>
  <Category><Id>10</Id><Name>Fiction</Name></Category>
  <Category><Id>12</Id><TagId>SEA</TagId><Name>Sea Stories</Name><ParentId>10</ParentId></Category>
  <Category><Id>a</Id><Name>A</Name><ParentId>b</ParentId></Category>
  <Category><Id>b</Id><Name>B</Name><ParentId>a</ParentId></Category>
  <Category><Id>lost</Id><Name>Lost</Name><ParentId>gone</ParentId></Category>
</Categories>`;

let api: Api;

const createFakeApi = (categories: string | Promise<Response>) =>
  createFakeServer([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (pathname.endsWith('/categories')) return typeof categories === 'string' ? xml(categories) : categories;
      if (pathname.endsWith('/titles/t7')) return xml(title);
      if (pathname.endsWith('/titles'))
        return xml(searchParams.get('name')?.toLowerCase() === 'night-signals' ? `<Titles>${title}</Titles>` : '<Titles/>');
      return xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);
    },
  }).api;

const findListAt = async (path: string) => {
  const { pathname, search } = new URL(path, 'https://shop.example');
  return findList(
    createShopEnvironment(() => api),
    parseListQuery(parseRoute({ pathname, search })),
    new AbortController().signal,
  );
};

beforeEach(() => {
  api = createFakeApi(tree);
});

const notFoundProblem = { kind: 'refused', code: 'not_found', message: '' };

test.each(['/all', '/catalog/titles/1', '/titleset/titles/1'])('the list at %s has no category', async (path) => {
  expect(await findListAt(path)).toEqual({ category: null });
});

test.each([
  ['/all/12', '12'],
  ['/audio/sea', '12'],
  ['/audio/Sea%20Stories', '12'],
  ['/all/sea-stories/12', '12'],
  ['/ebook/sea-stories/sea', '12'],
  ['/ebook/fiction/sea-stories/12', '12'],
  ['/ebook/fiction/x/sea-stories/SEA', '12'],
  ['/all/a', 'a'],
  ['/all/b', 'b'],
  ['/all/lost', 'lost'],
])('%s is the category %s [S2.sub-category]', async (path, id) => {
  expect(await findListAt(path)).toMatchObject({ category: { id } });
});

test.each(['/audio/night-signals', '/audio/Night%20Signals', '/video/whatever/t7'])(
  '%s is a title, and redirects to its page [S2.title-by-type]',
  async (path) => expect(await findListAt(path)).toEqual({ title: '/id:t7/Night-Signals' }),
);

test.each([
  '/all/nowhere',
  '/all/fiction/nowhere',
  '/audio/nowhere',
  '/audio/sea-stories/nowhere',
  '/audio/fiction/sea-stories/t7',
  `/video/${'x'.repeat(10_000)}`,
  `/video/x/${'x'.repeat(10_000)}`,
  '/audio/__proto__',
  '/all/%00',
  '/catalog/titles/%00',
  `/titleset/titles/${'x'.repeat(300)}`,
  '/catalog/titles/a%20b',
])('%s is neither a category nor a title', async (path) => {
  expect(await catchRejection(findListAt(path))).toMatchObject(notFoundProblem);
});

test('without the tree of categories, the server decides whether an id is a category', async () => {
  api = createFakeApi('<Broken');
  expect(await findListAt('/all/sea-stories/12')).toEqual({ category: { id: '12', name: null } });
  expect(await findListAt('/audio/night-signals')).toEqual({ title: '/id:t7/Night-Signals' });
  expect(await catchRejection(findListAt('/all/sea-stories/%00'))).toMatchObject(notFoundProblem);
});

test('a tree of categories that never loads delays a list by one second at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    api = createFakeApi(new Promise(() => {}));
    const results = [
      findListAt('/all/sea-stories/12'),
      findListAt('/audio/night-signals'),
      findListAt('/video/x/t7'),
      findListAt('/audio/sea'),
    ];
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(results.length));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(results)).toEqual([
      { category: { id: '12', name: null } },
      { title: '/id:t7/Night-Signals' },
      { title: '/id:t7/Night-Signals' },
      // This may be the name of a category: the server decides.
      { category: { id: 'sea', name: null } },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
