import type { Category } from '../../../machines/model/catalogue/title.ts';
import { categories } from '../../client/catalogue/categories.ts';
import { problemOfFailure, raise } from '../../client/wire/problem.ts';
import type { ShopClient } from '../../client/wire/shop-client.ts';
import type { SubCategories } from '../../client/catalogue/sub-categories.ts';
import type { World } from '../app/world.ts';

/** The category tree of a world. */
export const categoryTreeOf = ({
  api,
  asVisitor,
}: Pick<ShopClient, 'api' | 'asVisitor'>): Pick<World, 'categoryTree' | 'treeAround' | 'askTreeAgain'> => {
  let loading: Promise<Category[]> | null = null;
  let below: SubCategories | null = null;

  /** As the server sent it. */
  const sentTree = async (): Promise<Category[]> => {
    loading ??= asVisitor((shop) => categories(shop));
    try {
      const tree = await loading;
      if (tree.length === 0) loading = null;
      return tree;
    } catch (error) {
      loading = null;
      throw error;
    }
  };

  /** Few servers need it, so that the first load leaves it out. */
  const loadSubCategories = () =>
    import('../../client/catalogue/sub-categories.ts').catch((error: unknown) => raise(problemOfFailure(error)));

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
      loading = api().then((shop) => categories(shop));
      const tree = await loading;
      return below?.again(tree) ?? tree;
    },
  };
};
