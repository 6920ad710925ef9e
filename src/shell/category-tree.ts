import type { Category } from '../../machines/model/title.ts';
import { categories } from '../client/categories.ts';
import type { ShopClient } from '../client/shop-client.ts';
import type { World } from './world.ts';

/** The category tree of a world. */
export const categoryTreeOf = ({ api, asVisitor }: ShopClient): Pick<World, 'categoryTree' | 'askTreeAgain'> => {
  let loading: Promise<Category[]> | null = null;
  return {
    categoryTree: async () => {
      loading ??= asVisitor((shop) => categories(shop));
      try {
        const tree = await loading;
        if (tree.length === 0) loading = null;
        return tree;
      } catch (error) {
        loading = null;
        throw error;
      }
    },
    askTreeAgain: async () => (loading = api().then((shop) => categories(shop))),
  };
};
