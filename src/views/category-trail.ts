import type { Category } from '../../machines/model/catalogue/title.ts';

/**
 * The path in a tree to a category, itself the last; empty when it is not there. Safe against
 * cycles.
 */
export const findCategoryTrail = (tree: Category[], id: string): Category[] => {
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
