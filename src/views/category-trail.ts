import type { Category } from '../../machines/model/catalogue/title.ts';

/**
 * The categories from the top of a tree down to the category with this id, which is the last; empty
 * if the tree does not contain it. A category is visited once, so a cycle in the data ends.
 */
export const findCategoryTrail = (tree: Category[], id: string): Category[] => {
  const visitedCategories = new Set<Category>();
  const search = (branch: Category[]): Category[] => {
    for (const category of branch) {
      if (visitedCategories.has(category)) continue;
      visitedCategories.add(category);
      if (category.id === id) return [category];
      const trailBelow = search(category.children);
      if (trailBelow.length > 0) return [category, ...trailBelow];
    }
    return [];
  };
  return search(tree);
};
