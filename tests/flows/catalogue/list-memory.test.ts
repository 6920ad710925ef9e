import { expect, test } from 'vitest';
import { listQuery } from '../../../machines/model/catalogue/list.ts';
import { listMemory, type ReadList } from '../../../src/flows/catalogue/list-memory.ts';
import { routeOf } from '../../../machines/flows/routes.ts';

const query = (search: string) => listQuery(routeOf({ pathname: '/all', search }));
const list = (count: number): ReadList => ({
  titles: Array.from({ length: count }, () => ({}) as ReadList['titles'][number]),
  total: count,
  categoryId: null,
  meant: null,
  categoryName: null,
  behindFirst: null,
  start: null,
  next: null,
});

const world = () => {
  const now = { owner: null as string | null, time: 0 };
  const memory = listMemory(
    () => now.owner,
    () => now.time,
  );
  return { now, memory };
};

test('a list comes back as it was, even if the returned one is changed', () => {
  const { memory } = world();
  memory.remember(query('?sort=title'), list(3));
  memory.recall(query('?sort=title'))?.titles.pop();
  expect(memory.recall(query('?sort=title'))).toMatchObject(list(3));
  expect(memory.recall(query('?sort=price'))).toBeNull();
});

test('prices are five minutes old at most', () => {
  const { memory, now } = world();
  memory.remember(query(''), list(1));
  now.time = 300_000;
  expect(memory.recall(query(''))).not.toBeNull();
  now.time = 300_001;
  expect(memory.recall(query(''))).toBeNull();
});

test('no customer gets the list of another, nor the one from before they signed in or out', () => {
  const { memory, now } = world();
  memory.remember(query(''), list(1));
  now.owner = 'one';
  expect(memory.recall(query(''))).toBeNull();
  memory.remember(query(''), list(2));
  now.owner = 'other';
  expect(memory.recall(query(''))).toBeNull();
  now.owner = 'one';
  expect(memory.recall(query(''))).toBeNull();
});

test('ten lists and twenty thousand titles are kept, the latest ones', () => {
  const { memory } = world();
  for (let at = 0; at < 12; at += 1) memory.remember(query(`?search=s${at}`), list(1));
  expect(memory.recall(query('?search=s1'))).toBeNull();
  expect(memory.recall(query('?search=s2'))).not.toBeNull();
  memory.remember(query('?search=long'), list(15_000));
  memory.remember(query('?search=longer'), list(10_000));
  expect(memory.recall(query('?search=long'))).toBeNull();
  expect(memory.recall(query('?search=longer'))?.titles).toHaveLength(10_000);
});
