import { expect, test } from 'vitest';
import { parseListQuery } from '../../../machines/model/catalogue/list.ts';
import { createListCache, type ReadList } from '../../../src/flows/catalogue/list-cache.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';

const queryFor = (search: string) => parseListQuery(parseRoute({ pathname: '/all', search }));
const listWith = (count: number): ReadList => ({
  titles: Array.from({ length: count }, () => ({}) as ReadList['titles'][number]),
  total: count,
  categoryId: null,
  meant: null,
  categoryName: null,
  behindFirst: null,
  start: null,
  next: null,
});

const createEnvironment = () => {
  const current = { owner: null as string | null, time: 0 };
  const cache = createListCache(
    () => current.owner,
    () => current.time,
  );
  return { current, cache };
};

test('a list is restored unchanged, even if the returned one is modified', () => {
  const { cache } = createEnvironment();
  cache.remember(queryFor('?sort=title'), listWith(3));
  cache.recall(queryFor('?sort=title'))?.titles.pop();
  expect(cache.recall(queryFor('?sort=title'))).toMatchObject(listWith(3));
  expect(cache.recall(queryFor('?sort=price'))).toBeNull();
});

test('cached prices are at most five minutes old', () => {
  const { cache, current } = createEnvironment();
  cache.remember(queryFor(''), listWith(1));
  current.time = 300_000;
  expect(cache.recall(queryFor(''))).not.toBeNull();
  current.time = 300_001;
  expect(cache.recall(queryFor(''))).toBeNull();
});

test('a cached list is returned only to the customer, and in the session, for which it was stored', () => {
  const { cache, current } = createEnvironment();
  cache.remember(queryFor(''), listWith(1));
  current.owner = 'one';
  expect(cache.recall(queryFor(''))).toBeNull();
  cache.remember(queryFor(''), listWith(2));
  current.owner = 'other';
  expect(cache.recall(queryFor(''))).toBeNull();
  current.owner = 'one';
  expect(cache.recall(queryFor(''))).toBeNull();
});

test('the latest ten lists are kept, with at most twenty thousand titles in total', () => {
  const { cache } = createEnvironment();
  for (let index = 0; index < 12; index += 1) cache.remember(queryFor(`?search=s${index}`), listWith(1));
  expect(cache.recall(queryFor('?search=s1'))).toBeNull();
  expect(cache.recall(queryFor('?search=s2'))).not.toBeNull();
  cache.remember(queryFor('?search=long'), listWith(15_000));
  cache.remember(queryFor('?search=longer'), listWith(10_000));
  expect(cache.recall(queryFor('?search=long'))).toBeNull();
  expect(cache.recall(queryFor('?search=longer'))?.titles).toHaveLength(10_000);
});
