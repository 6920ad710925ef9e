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
}: Pick<ShopClient, 'api' | 'asVisitor'>): Pick<AppEnvironment, 'categoryTree' | 'treeAround' | 'askTreeAgain'> => {
  let loading: Promise<Category[]> | null = null;
  let below: SubCategories | null = null;

  /** As the server sent it. */
  const sentTree = async (): Promise<Category[]> => {
    loading ??= asVisitor((shop) => fetchCategories(shop));
    try {
      const tree = await loading;
      if (tree.length === 0) loading = null;
      return tree;
    } catch (error) {
      loading = null;
      throw error;
    }
  };

  /** Loaded on demand: few servers need it. */
  const loadSubCategories = () =>
    import('../../client/catalogue/sub-categories.ts').catch((error: unknown) => throwProblem(toFetchProblem(error)));

  return {
    categoryTree: async () => {
      const tree = await sentTree();
      return below?.under(tree) ?? tree;
    },
    treeAround: async (reference) => {
      const tree = await sentTree();
      if (tree.some(({ children }) => children.length > 0)) return tree;
      const { createSubCategories } = await loadSubCategories();
      below ??= createSubCategories({ asVisitor });
      return below.around(tree, reference);
    },
    askTreeAgain: async () => {
      loading = api().then((shop) => fetchCategories(shop));
      const tree = await loading;
      return below?.reload(tree) ?? tree;
    },
  };
};
