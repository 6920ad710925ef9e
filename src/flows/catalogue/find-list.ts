import { isMissing } from '../../../machines/ports.ts';
import { toProblem } from '../../../machines/model/problem.ts';
import { slug, titlePath } from '../../../machines/model/paths.ts';
import type { ListQuery, ListSource } from '../../../machines/model/catalogue/list.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { throwProblem } from '../../client/wire/problem.ts';
import { findTitleByName } from './title-by-name.ts';
import { findCategory, findCategoryByPath, flattenTree } from '../../client/catalogue/find-category.ts';
import { idPattern, fetchTitle } from '../../client/catalogue/title.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

/** The list that an address resolves to; `title` is the address of a title's own page. */
export type FoundList = { category: { id: string; name: string | null } | null } | { title: string };

/**
 * Milliseconds that a list waits for the category tree; after that the server has to resolve the
 * address's text.
 */
const treeTimeoutMs = 1_000;

type Finder = Pick<AppEnvironment, 'api' | 'categoryTree' | 'treeAround'>;

type CategorySource = Extract<ListSource, { kind: 'category' }>;

const waitForTree = async ({ categoryTree }: Finder): Promise<Category[] | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, treeTimeoutMs, null)));
  try {
    return await Promise.race([categoryTree().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The part of an address after a title's name is its id, not the name of a category. */
const findInTree = (tree: Category[], { reference, titleBy }: CategorySource): Category | undefined => {
  const all = flattenTree(tree);
  return findCategory(all, reference) ?? (titleBy === 'id' ? undefined : findCategoryByPath(all, reference));
};

/**
 * A category that is missing in the tree may be below a loaded one. An address that may name a
 * title is looked up as a title first.
 */
const findNamedCategory = async (environment: Finder, tree: Category[], of: CategorySource): Promise<Category | undefined> => {
  const found = findInTree(tree, of);
  if (found !== undefined || tree.length === 0 || of.titleBy !== null) return found;
  return findInTree(await environment.treeAround(of.reference), of);
};

/** The Id of the list's category, as far as the tree knows; null where it has none. */
export const findCategoryId = async (environment: Finder, { of }: ListQuery): Promise<string | null> => {
  if (of.kind !== 'category') return null;
  const category = await findNamedCategory(environment, (await waitForTree(environment)) ?? [], of);
  return category?.id ?? rejectNotFound();
};

const rejectNotFound = (): never => throwProblem({ kind: 'refused', code: 'not_found', message: '' });

/**
 * @throws Problem `refused not_found` when there is neither such a category nor such a title, and
 * for an invalid id of a catalog or title set: the server would answer it as a malformed call.
 */
export const findList = async (environment: Finder, { of, type }: ListQuery, signal: AbortSignal): Promise<FoundList> => {
  if (of.kind === 'all') return { category: null };
  if (of.kind !== 'category') return idPattern.test(of.id) ? { category: null } : rejectNotFound();
  const { reference, titleBy } = of;
  const tree = await waitForTree(environment);
  // Without a tree the server has to resolve the category.
  const unknown = { category: { id: reference, name: null } };
  if (!tree?.length && titleBy === null) return idPattern.test(reference) ? unknown : rejectNotFound();
  const category = await findNamedCategory(environment, tree ?? [], of);
  if (category !== undefined) return { category };
  if (titleBy === null) return rejectNotFound();
  try {
    const title =
      titleBy === 'id'
        ? await fetchTitle(await environment.api(), reference, signal)
        : await findTitleByName(await environment.api(), type, slug(reference), signal);
    return { title: titlePath(title.id, title.name) };
  } catch (error) {
    if (!isMissing(null, toProblem(error))) throw error;
    if (tree === null && idPattern.test(reference)) return unknown;
    const below = tree?.length ? findInTree(await environment.treeAround(reference), of) : undefined;
    if (below === undefined) throw error;
    return { category: below };
  }
};
