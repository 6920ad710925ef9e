import type { Category } from '../../../machines/model/catalogue/title.ts';

export const flattenTree = (tree: readonly Category[]): Category[] =>
  tree.flatMap((category) => [category, ...flattenTree(category.children)]);

/** The category whose Key, or TagId if it has one, is `reference`; case-insensitive. */
export const findCategory = (categories: readonly Category[], reference: string): Category | undefined => {
  const lowerReference = reference.toLowerCase();
  return categories.find(
    ({ key, tag, tagId }) => key.toLowerCase() === lowerReference || (tag && tagId.toLowerCase() === lowerReference),
  );
};

/** The category whose path is `reference`, or begins with `reference` as its name. */
export const findCategoryByPath = (categories: readonly Category[], reference: string): Category | undefined => {
  const lowerReference = reference.toLowerCase();
  const dashedReference = lowerReference.replace(/[\s/]+/g, '-');
  return categories.find(({ path }) => path === lowerReference || path.startsWith(`${dashedReference}/`));
};
