import { problemOf, type Problem } from '../../../machines/model/problem.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { xmlAnswer } from '../wire/answer.ts';
import { categoryTree, flatCategories } from './categories.ts';
import type { Api } from '../wire/client.ts';
import { categoryById, categoryByPathName, flatTree } from './find-category.ts';
import { raise } from '../wire/problem.ts';
import { reportFailure } from '../wire/report-failure.ts';
import type { ShopClient } from '../wire/shop-client.ts';

const call = 'categories';
/** An address names a category, its parent and its root at most. */
const LEVELS = 3;

/**
 * A list, not a tree yet.
 * @throws Problem after it has been reported
 */
const subCategories = (api: Api, id: string): Promise<Category[]> =>
  reportFailure(api, call, async () => {
    const asked = api.client.GET('/categories', { params: { query: { categoryid: id } }, ...api.reading() });
    const root = await xmlAnswer(api, call, asked, 'categories');
    return flatCategories(root, null);
  });

type Branches = ReadonlyMap<string, Category[]>;

const withBranches = (tree: Category[], branches: Branches): Category[] =>
  tree.map((category) => ({ ...category, children: withBranches(branches.get(category.id) ?? category.children, branches) }));

/** The sub-categories on a server that sends the categories of one level alone. */
export type SubCategories = {
  /** A tree with the sub-categories that have come. */
  under: (roots: Category[]) => Category[];
  /**
   * The tree with the sub-categories of the category to which `reference` belongs. Where the tree
   * has no such category, the server is asked for the sub-categories of all its categories, level
   * by level. It is asked once for those of each category.
   * @throws Problem of the first call that failed, where the category was not found
   */
  around: (roots: Category[], reference: string) => Promise<Category[]>;
  /** Asks again for all that has come, in another language; leaves out the ones that fail. */
  again: (roots: Category[]) => Promise<Category[]>;
};

export const createSubCategories = ({ asVisitor }: Pick<ShopClient, 'asVisitor'>): SubCategories => {
  const branches = new Map<string, Category[]>();
  const asking = new Map<string, Promise<void>>();
  const under = (roots: Category[]): Category[] => withBranches(roots, branches);

  const ask = (id: string, roots: Category[]): Promise<void> => {
    const asked = asking.get(id) ?? send(id, roots);
    asking.set(id, asked);
    return asked;
  };

  const send = async (id: string, roots: Category[]): Promise<void> => {
    try {
      const found = await asVisitor((shop) => subCategories(shop, id));
      // Each is in one place, so that a circle of categories has an end.
      const known = new Set(flatTree(under(roots)).map((category) => category.id));
      const below = categoryTree(found.filter((category) => !known.has(category.id)));
      branches.set(
        id,
        below.map((top) => ({ ...top, parentId: id })),
      );
    } catch (error) {
      asking.delete(id);
      throw error;
    }
  };

  return {
    under,
    around: async (roots, reference) => {
      for (let level = 0; level < LEVELS; level += 1) {
        const all = flatTree(under(roots));
        const opened = categoryById(all, reference) ?? categoryByPathName(all, reference);
        const failures: Problem[] = [];
        const asked = (opened === undefined ? all : [opened]).map(({ id }) =>
          ask(id, roots).catch((error: unknown) => void failures.push(problemOf(error))),
        );
        await Promise.all(asked);
        const isEnd = opened !== undefined || flatTree(under(roots)).length === all.length;
        const [failure] = failures;
        if (isEnd && failure) return raise(failure);
        if (isEnd) break;
      }
      return under(roots);
    },
    again: async (roots) => {
      const asked = [...asking.keys()];
      asking.clear();
      branches.clear();
      await Promise.all(asked.map((id) => ask(id, roots).catch(() => undefined)));
      return under(roots);
    },
  };
};
