import type { Category } from '../../machines/model/catalogue/title.ts';

/** The way down a tree to a category, itself the last; empty when it is not there. Safe against trees that run in circles. */
export const categoryTrail = (tree: Category[], id: string): Category[] => {
  const met = new Set<Category>();
  const search = (branch: Category[]): Category[] => {
    for (const category of branch) {
      if (met.has(category)) continue;
      met.add(category);
      if (category.id === id) return [category];
      const below = search(category.children);
      if (below.length > 0) return [category, ...below];
    }
    return [];
  };
  return search(tree);
};
