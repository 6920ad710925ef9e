import type { Category } from '../../../machines/model/catalogue/title.ts';
import { fetchCategories } from '../../client/catalogue/categories.ts';
import { toFetchProblem, throwProblem } from '../../client/wire/problem.ts';
import type { ShopClient } from '../../client/wire/shop-client.ts';
import type { SubCategories } from '../../client/catalogue/sub-categories.ts';
import type { AppEnvironment } from '../app/environment.ts';

/** The category tree of an app environment. */
export const createCategoryTree = ({
  api,
  asVisitor,
}: Pick<ShopClient, 'api' | 'asVisitor'>): Pick<AppEnvironment, 'categoryTree' | 'treeAround' | 'reloadTree'> => {
  let treePromise: Promise<Category[]> | null = null;
  let subCategories: SubCategories | null = null;

  /** The tree as the server sent it; loaded once, and again after a failure or an empty answer. */
  const loadSentTree = async (): Promise<Category[]> => {
    treePromise ??= asVisitor((shop) => fetchCategories(shop));
    try {
      const tree = await treePromise;
      if (tree.length === 0) treePromise = null;
      return tree;
    } catch (error) {
      treePromise = null;
      throw error;
    }
  };

  /** Loads the chunk for sub-categories on demand: few servers need it. */
  const loadSubCategories = () =>
    import('../../client/catalogue/sub-categories.ts').catch((error: unknown) => throwProblem(toFetchProblem(error)));

  return {
    categoryTree: async () => {
      const tree = await loadSentTree();
      return subCategories?.merge(tree) ?? tree;
    },
    treeAround: async (reference) => {
      const tree = await loadSentTree();
      if (tree.some(({ children }) => children.length > 0)) return tree;
      const { createSubCategories } = await loadSubCategories();
      subCategories ??= createSubCategories({ asVisitor });
      return subCategories.expand(tree, reference);
    },
    reloadTree: async () => {
      treePromise = api().then((shop) => fetchCategories(shop));
      const tree = await treePromise;
      return subCategories?.reload(tree) ?? tree;
    },
  };
};
