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
/** Maximum levels to load: a path names at most a category, its parent and its root. */
const MAX_LEVELS = 3;

/**
 * The categories below a category as a flat list, not a tree yet.
 * @throws Problem after it has been reported
 */
const fetchSubCategories = (api: Api, id: string): Promise<Category[]> =>
  withFailureReport(api, callName, async () => {
    const responsePromise = api.client.GET('/categories', { params: { query: { categoryid: id } }, ...api.readOptions() });
    const root = await readXmlResponse(api, callName, responsePromise, 'categories');
    return getCategories(root, null);
  });

type Branches = ReadonlyMap<string, Category[]>;

const withBranches = (tree: Category[], branches: Branches): Category[] =>
  tree.map((category) => ({ ...category, children: withBranches(branches.get(category.id) ?? category.children, branches) }));

/** The sub-categories on a server that sends only one level of categories at a time. */
export type SubCategories = {
  /** The tree with the sub-categories that are loaded so far. */
  merge: (roots: Category[]) => Category[];
  /**
   * The tree with the sub-categories of the category that `reference` belongs to. Where the tree
   * has no such category, the server is asked level by level for the sub-categories of all its
   * categories, once for each category.
   * @throws Problem of the first failed call, where the category's own call failed or the category
   * was not found
   */
  expand: (roots: Category[], reference: string) => Promise<Category[]>;
  /** Reloads all loaded sub-categories, in another language; leaves out those that fail. */
  reload: (roots: Category[]) => Promise<Category[]>;
};

export const createSubCategories = ({ asVisitor }: Pick<ShopClient, 'asVisitor'>): SubCategories => {
  const branches = new Map<string, Category[]>();
  const requestById = new Map<string, Promise<void>>();
  const merge = (roots: Category[]): Category[] => withBranches(roots, branches);

  const requestOnce = (id: string, roots: Category[]): Promise<void> => {
    const request = requestById.get(id) ?? fetchBranch(id, roots);
    requestById.set(id, request);
    return request;
  };

  const fetchBranch = async (id: string, roots: Category[]): Promise<void> => {
    try {
      const categories = await asVisitor((shop) => fetchSubCategories(shop, id));
      // Each category is placed once, so that a cycle of categories ends.
      const placedIds = new Set(flattenTree(merge(roots)).map((category) => category.id));
      const subTree = buildCategoryTree(categories.filter((category) => !placedIds.has(category.id)));
      branches.set(
        id,
        subTree.map((rootCategory) => ({ ...rootCategory, parentId: id })),
      );
    } catch (error) {
      requestById.delete(id);
      throw error;
    }
  };

  return {
    merge,
    expand: async (roots, reference) => {
      for (let level = 0; level < MAX_LEVELS; level += 1) {
        const loadedCategories = flattenTree(merge(roots));
        const match = findCategory(loadedCategories, reference) ?? findCategoryByPath(loadedCategories, reference);
        const failures: Problem[] = [];
        const requests = (match === undefined ? loadedCategories : [match]).map(({ id }) =>
          requestOnce(id, roots).catch((error: unknown) => void failures.push(toProblem(error))),
        );
        await Promise.all(requests);
        const isLastLevel = match !== undefined || flattenTree(merge(roots)).length === loadedCategories.length;
        const [failure] = failures;
        if (isLastLevel && failure) return throwProblem(failure);
        if (isLastLevel) break;
      }
      return merge(roots);
    },
    reload: async (roots) => {
      const loadedIds = [...requestById.keys()];
      requestById.clear();
      branches.clear();
      await Promise.all(loadedIds.map((id) => requestOnce(id, roots).catch(() => undefined)));
      return merge(roots);
    },
  };
};
