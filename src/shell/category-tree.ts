import type { Category } from '../../machines/model/title.ts';
import { categories, subCategories } from '../client/categories.ts';
import { categoryById, categoryByPathName, flatTree } from '../client/find-category.ts';
import type { ShopClient } from '../client/shop-client.ts';
import type { World } from './world.ts';

type Branches = ReadonlyMap<string, Category[]>;

const withBranches = (tree: Category[], branches: Branches): Category[] =>
  tree.map((category) => ({ ...category, children: withBranches(branches.get(category.id) ?? category.children, branches) }));

/** The category tree of a world. */
export const categoryTreeOf = ({ api, asVisitor }: ShopClient): Pick<World, 'categoryTree' | 'treeAround' | 'askTreeAgain'> => {
  let loading: Promise<Category[]> | null = null;
  /** The sub-categories of each category for which the server was asked, by its Id. */
  let branches = new Map<string, Category[]>();
  let asking = new Map<string, Promise<void>>();

  const askBelow = (id: string, told: Category[]): Promise<void> => {
    const [answers, questions] = [branches, asking];
    const asked = asVisitor((shop) => subCategories(shop, id)).then(
      (found) => {
        // Each is in one place, so that a circle of categories has an end.
        const known = new Set(flatTree(withBranches(told, answers)).map((category) => category.id));
        answers.set(
          id,
          found.filter((category) => !known.has(category.id)),
        );
      },
      (error: unknown) => {
        questions.delete(id);
        throw error;
      },
    );
    questions.set(id, asked);
    return asked;
  };

  const categoryTree = async (): Promise<Category[]> => {
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

  return {
    categoryTree: async () => withBranches(await categoryTree(), branches),
    treeAround: async (reference) => {
      const told = await categoryTree();
      if (told.some(({ children }) => children.length > 0)) return told;
      const all = flatTree(withBranches(told, branches));
      const opened = categoryById(all, reference) ?? categoryByPathName(all, reference);
      const parents = opened === undefined ? all : [opened];
      await Promise.all(parents.map(({ id }) => asking.get(id) ?? askBelow(id, told)));
      return withBranches(told, branches);
    },
    askTreeAgain: async () => {
      branches = new Map();
      asking = new Map();
      loading = api().then((shop) => categories(shop));
      return loading;
    },
  };
};
