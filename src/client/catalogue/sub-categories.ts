import { toProblem, type Problem } from '../../../machines/model/problem.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import { buildCategoryTree, getCategories } from './categories.ts';
import type { Api } from '../wire/client.ts';
import { findCategory, findCategoryByPath, flattenTree } from './find-category.ts';
import { throwProblem } from '../wire/problem.ts';
import { withFailureReport } from '../wire/report-failure.ts';
import type { ShopClient } from '../wire/shop-client.ts';

const callName = 'categories';
/** An address names a category, its parent and its root at most. */
const MAX_LEVELS = 3;

/**
 * Returns a flat list, not a tree yet.
 * @throws Problem after it has been reported
 */
const fetchSubCategories = (api: Api, id: string): Promise<Category[]> =>
  withFailureReport(api, callName, async () => {
    const asked = api.client.GET('/categories', { params: { query: { categoryid: id } }, ...api.readOptions() });
    const root = await readXmlResponse(api, callName, asked, 'categories');
    return getCategories(root, null);
  });

type Branches = ReadonlyMap<string, Category[]>;

const withBranches = (tree: Category[], branches: Branches): Category[] =>
  tree.map((category) => ({ ...category, children: withBranches(branches.get(category.id) ?? category.children, branches) }));

/** The sub-categories on a server that sends only one level of categories at a time. */
export type SubCategories = {
  /** The tree with the sub-categories that are loaded so far. */
  under: (roots: Category[]) => Category[];
  /**
   * The tree with the sub-categories of the category that `reference` belongs to. Where the tree
   * has no such category, the server is asked level by level for the sub-categories of all its
   * categories, once for each category.
   * @throws Problem of the first call that failed, where the category was not found
   */
  around: (roots: Category[], reference: string) => Promise<Category[]>;
  /** Reloads all loaded sub-categories, in another language; leaves out those that fail. */
  reload: (roots: Category[]) => Promise<Category[]>;
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
      const found = await asVisitor((shop) => fetchSubCategories(shop, id));
      // Each category is placed once, so that a cycle of categories ends.
      const known = new Set(flattenTree(under(roots)).map((category) => category.id));
      const below = buildCategoryTree(found.filter((category) => !known.has(category.id)));
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
      for (let level = 0; level < MAX_LEVELS; level += 1) {
        const all = flattenTree(under(roots));
        const opened = findCategory(all, reference) ?? findCategoryByPath(all, reference);
        const failures: Problem[] = [];
        const asked = (opened === undefined ? all : [opened]).map(({ id }) =>
          ask(id, roots).catch((error: unknown) => void failures.push(toProblem(error))),
        );
        await Promise.all(asked);
        const isEnd = opened !== undefined || flattenTree(under(roots)).length === all.length;
        const [failure] = failures;
        if (isEnd && failure) return throwProblem(failure);
        if (isEnd) break;
      }
      return under(roots);
    },
    reload: async (roots) => {
      const asked = [...asking.keys()];
      asking.clear();
      branches.clear();
      await Promise.all(asked.map((id) => ask(id, roots).catch(() => undefined)));
      return under(roots);
    },
  };
};
