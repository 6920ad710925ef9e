import { isMissing } from '../../../machines/ports.ts';
import { toProblem } from '../../../machines/model/problem.ts';
import { toSlug, titlePath } from '../../../machines/model/paths.ts';
import type { ListQuery, ListSource } from '../../../machines/model/catalogue/list.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { throwProblem } from '../../client/wire/problem.ts';
import { findTitleByName } from './title-by-name.ts';
import { findCategory, findCategoryByPath, flattenTree } from '../../client/catalogue/find-category.ts';
import { idPattern, fetchTitle } from '../../client/catalogue/title.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

/** The list that a URL resolves to; `title` is the path of a title's own page. */
export type FoundList = { category: { id: string; name: string | null } | null } | { title: string };

/**
 * Milliseconds that a list waits for the category tree; after that, the server has to resolve the
 * URL's text.
 */
const treeTimeoutMs = 1_000;

type FinderEnvironment = Pick<AppEnvironment, 'api' | 'categoryTree' | 'treeAround'>;

type CategorySource = Extract<ListSource, { kind: 'category' }>;

const waitForTree = async ({ categoryTree }: FinderEnvironment): Promise<Category[] | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => (timer = setTimeout(resolve, treeTimeoutMs, null)));
  try {
    return await Promise.race([categoryTree().catch(() => null), timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * The category of a tree that a URL's text refers to; undefined if no category matches. If the text
 * follows a title's name (`titleBy` is `id`), it is an id and never a category's path.
 */
const findInTree = (tree: Category[], { reference, titleBy }: CategorySource): Category | undefined => {
  const categories = flattenTree(tree);
  return findCategory(categories, reference) ?? (titleBy === 'id' ? undefined : findCategoryByPath(categories, reference));
};

/**
 * As `findInTree`; a category that is missing in the tree may be below a loaded one, whose subtree
 * is then fetched. A URL that may name a title is looked up as a title first.
 */
const findNamedCategory = async (
  environment: FinderEnvironment,
  tree: Category[],
  of: CategorySource,
): Promise<Category | undefined> => {
  const foundCategory = findInTree(tree, of);
  if (foundCategory !== undefined || tree.length === 0 || of.titleBy !== null) return foundCategory;
  return findInTree(await environment.treeAround(of.reference), of);
};

/**
 * The id of the list's category; null for a list without one.
 * @throws Problem `refused not_found` if the tree does not have the category
 */
export const findCategoryId = async (environment: FinderEnvironment, { of }: ListQuery): Promise<string | null> => {
  if (of.kind !== 'category') return null;
  const category = await findNamedCategory(environment, (await waitForTree(environment)) ?? [], of);
  return category?.id ?? rejectNotFound();
};

const rejectNotFound = (): never => throwProblem({ kind: 'refused', code: 'not_found', message: '' });

/**
 * Resolves the list that a URL refers to.
 * @throws Problem `refused not_found` if neither a category nor a title matches, and for an invalid
 * id of a catalog or title set, which the server would refuse as a malformed call
 */
export const findList = async (
  environment: FinderEnvironment,
  { of, type }: ListQuery,
  signal: AbortSignal,
): Promise<FoundList> => {
  if (of.kind === 'all') return { category: null };
  if (of.kind !== 'category') return idPattern.test(of.id) ? { category: null } : rejectNotFound();
  const { reference, titleBy } = of;
  const tree = await waitForTree(environment);
  // Without a tree the server has to resolve the category.
  const unresolved = { category: { id: reference, name: null } };
  if (!tree?.length && titleBy === null) return idPattern.test(reference) ? unresolved : rejectNotFound();
  const category = await findNamedCategory(environment, tree ?? [], of);
  if (category !== undefined) return { category };
  if (titleBy === null) return rejectNotFound();
  try {
    const title =
      titleBy === 'id'
        ? await fetchTitle(await environment.api(), reference, signal)
        : await findTitleByName(await environment.api(), type, toSlug(reference), signal);
    return { title: titlePath(title.id, title.name) };
  } catch (error) {
    if (!isMissing(null, toProblem(error))) throw error;
    if (tree === null && idPattern.test(reference)) return unresolved;
    const subcategory = tree?.length ? findInTree(await environment.treeAround(reference), of) : undefined;
    if (subcategory === undefined) throw error;
    return { category: subcategory };
  }
};
