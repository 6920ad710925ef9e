import { beforeEach, expect, test, vi } from 'vitest';
import { listQuery } from '../../../machines/model/catalogue/list.ts';
import type { Api } from '../../../src/client/wire/client.ts';
import { findList } from '../../../src/flows/catalogue/find-list.ts';
import { routeOf } from '../../../machines/flows/routes.ts';
import { shopWorld } from '../../support/client/shop-world.ts';
import { rejection, world, xml } from '../../support/client/world.ts';

const title = '<Title><TitleId>t7</TitleId><Name>Night Signals</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';

const tree = `<Categories>
  <Category><Id>10</Id><Name>Fiction</Name></Category>
  <Category><Id>12</Id><TagId>SEA</TagId><Name>Sea Stories</Name><ParentId>10</ParentId></Category>
  <Category><Id>a</Id><Name>A</Name><ParentId>b</ParentId></Category>
  <Category><Id>b</Id><Name>B</Name><ParentId>a</ParentId></Category>
  <Category><Id>lost</Id><Name>Lost</Name><ParentId>gone</ParentId></Category>
</Categories>`;

let api: Api;

const answers = (categories: string | Promise<Response>) =>
  world([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (pathname.endsWith('/categories')) return typeof categories === 'string' ? xml(categories) : categories;
      if (pathname.endsWith('/titles/t7')) return xml(title);
      if (pathname.endsWith('/titles'))
        return xml(searchParams.get('name')?.toLowerCase() === 'night-signals' ? `<Titles>${title}</Titles>` : '<Titles/>');
      return xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);
    },
  }).api;

const find = async (path: string) => {
  const { pathname, search } = new URL(path, 'https://shop.example');
  return findList(
    shopWorld(() => api),
    listQuery(routeOf({ pathname, search })),
    new AbortController().signal,
  );
};

beforeEach(() => {
  api = answers(tree);
});

const none = { kind: 'refused', code: 'not_found', message: '' };

test.each(['/all', '/catalog/titles/1', '/titleset/titles/1'])('%s is of no category', async (path) => {
  expect(await find(path)).toEqual({ category: null });
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
  expect(await find(path)).toMatchObject({ category: { id } });
});

test.each(['/audio/night-signals', '/audio/Night%20Signals', '/video/whatever/t7'])(
  '%s is a title, whose own page is led to [S2.title-by-type]',
  async (path) => expect(await find(path)).toEqual({ title: '/id:t7/Night-Signals' }),
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
])('%s is nothing', async (path) => {
  expect(await rejection(find(path))).toMatchObject(none);
});

test('without a tree the server says what a category is', async () => {
  api = answers('<Broken');
  expect(await find('/all/sea-stories/12')).toEqual({ category: { id: '12', name: null } });
  expect(await find('/audio/night-signals')).toEqual({ title: '/id:t7/Night-Signals' });
  expect(await rejection(find('/all/sea-stories/%00'))).toMatchObject(none);
});

test('a tree that does not come holds up no list', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    api = answers(new Promise(() => {}));
    const found = [find('/all/sea-stories/12'), find('/audio/night-signals'), find('/video/x/t7'), find('/audio/sea')];
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(found.length));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(found)).toEqual([
      { category: { id: '12', name: null } },
      { title: '/id:t7/Night-Signals' },
      { title: '/id:t7/Night-Signals' },
      // It may be a category's: the server is asked.
      { category: { id: 'sea', name: null } },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
