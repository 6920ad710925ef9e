import type { Category } from '../../../machines/model/catalogue/title.ts';

export const flatTree = (tree: readonly Category[]): Category[] =>
  tree.flatMap((category) => [category, ...flatTree(category.children)]);

/** The category with that Key, or that TagId where it has one; capital letters do not count. */
export const categoryById = (all: readonly Category[], reference: string): Category | undefined => {
  const wanted = reference.toLowerCase();
  return all.find(({ key, tag, tagId }) => key.toLowerCase() === wanted || (tag && tagId.toLowerCase() === wanted));
};

/** The category whose path is this, or begins with it as its name. */
export const categoryByPathName = (all: readonly Category[], reference: string): Category | undefined => {
  const wanted = reference.toLowerCase();
  const dashed = wanted.replace(/[\s/]+/g, '-');
  return all.find(({ path }) => path === wanted || path.startsWith(`${dashed}/`));
};
