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

  /** Stores a load of the tree for later calls, unless it fails or the tree is empty. */
  const shareLoad = async (load: Promise<Category[]>): Promise<Category[]> => {
    treePromise = load;
    const forget = () => {
      if (treePromise === load) treePromise = null;
    };
    try {
      const tree = await load;
      if (tree.length === 0) forget();
      return tree;
    } catch (error) {
      forget();
      throw error;
    }
  };

  /** The tree as the server sent it; loaded once, and again after a failure or an empty answer. */
  const loadSentTree = (): Promise<Category[]> => treePromise ?? shareLoad(asVisitor((shop) => fetchCategories(shop)));

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
      const tree = await shareLoad(api().then((shop) => fetchCategories(shop)));
      return subCategories?.reload(tree) ?? tree;
    },
  };
};
