import type { Category } from '../../../machines/model/catalogue/title.ts';

export const flattenTree = (tree: readonly Category[]): Category[] =>
  tree.flatMap((category) => [category, ...flattenTree(category.children)]);

/** The category with that Key, or that TagId where it has one; case-insensitive. */
export const findCategory = (all: readonly Category[], reference: string): Category | undefined => {
  const wanted = reference.toLowerCase();
  return all.find(({ key, tag, tagId }) => key.toLowerCase() === wanted || (tag && tagId.toLowerCase() === wanted));
};

/** The category whose path is this, or whose path has this as its first name. */
export const findCategoryByPath = (all: readonly Category[], reference: string): Category | undefined => {
  const wanted = reference.toLowerCase();
  const dashed = wanted.replace(/[\s/]+/g, '-');
  return all.find(({ path }) => path === wanted || path.startsWith(`${dashed}/`));
};
