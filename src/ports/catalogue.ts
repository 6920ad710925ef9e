import { catalogueMachine, type ListPage, type ListQuery } from '../../machines/catalogue.ts';
import type { Category } from '../../machines/model/title.ts';
import { requestPort } from '../../machines/ports.ts';
import { raise } from '../api/problem.ts';
import { titles } from '../api/titles.ts';
import { api } from './api.ts';
import { categoryTree } from './store.ts';

const flat = (tree: Category[]): Category[] => tree.flatMap((category) => [category, ...flat(category.children)]);

/** A category by its Id, its TagId or its path name, whichever the address carries. */
const findCategory = (tree: Category[], reference: string): Category | undefined => {
  const wanted = reference.toLowerCase();
  const all = flat(tree);
  return (
    all.find(({ id, tagId }) => id.toLowerCase() === wanted || tagId.toLowerCase() === wanted) ??
    all.find(({ path }) => path === wanted || path.split('/')[0] === wanted)
  );
};

const listPage = requestPort<ListPage, ListQuery>(async ({ input, signal }) => {
  const category = input.category === null ? null : findCategory(await categoryTree(), input.category);
  if (category === undefined) return raise({ kind: 'refused', code: 'not_found', message: '' });
  const { type, search, sort, cursor } = input;
  const page = await titles(await api(), { type, search, sort, cursor, categoryId: category?.id ?? null }, { signal });
  return { ...page, categoryName: category?.name ?? null };
});

export const flow = catalogueMachine.provide({ actors: { titles: listPage } });
