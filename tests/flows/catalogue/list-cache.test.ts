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

const environment = () => {
  const now = { owner: null as string | null, time: 0 };
  const memory = createListCache(
    () => now.owner,
    () => now.time,
  );
  return { now, memory };
};

test('a list is restored unchanged, even if the returned one is modified', () => {
  const { memory } = environment();
  memory.remember(queryFor('?sort=title'), listWith(3));
  memory.recall(queryFor('?sort=title'))?.titles.pop();
  expect(memory.recall(queryFor('?sort=title'))).toMatchObject(listWith(3));
  expect(memory.recall(queryFor('?sort=price'))).toBeNull();
});

test('cached prices are at most five minutes old', () => {
  const { memory, now } = environment();
  memory.remember(queryFor(''), listWith(1));
  now.time = 300_000;
  expect(memory.recall(queryFor(''))).not.toBeNull();
  now.time = 300_001;
  expect(memory.recall(queryFor(''))).toBeNull();
});

test('no customer gets another’s list, nor one from before signing in or out', () => {
  const { memory, now } = environment();
  memory.remember(queryFor(''), listWith(1));
  now.owner = 'one';
  expect(memory.recall(queryFor(''))).toBeNull();
  memory.remember(queryFor(''), listWith(2));
  now.owner = 'other';
  expect(memory.recall(queryFor(''))).toBeNull();
  now.owner = 'one';
  expect(memory.recall(queryFor(''))).toBeNull();
});

test('the latest ten lists and twenty thousand titles are kept', () => {
  const { memory } = environment();
  for (let at = 0; at < 12; at += 1) memory.remember(queryFor(`?search=s${at}`), listWith(1));
  expect(memory.recall(queryFor('?search=s1'))).toBeNull();
  expect(memory.recall(queryFor('?search=s2'))).not.toBeNull();
  memory.remember(queryFor('?search=long'), listWith(15_000));
  memory.remember(queryFor('?search=longer'), listWith(10_000));
  expect(memory.recall(queryFor('?search=long'))).toBeNull();
  expect(memory.recall(queryFor('?search=longer'))?.titles).toHaveLength(10_000);
});
