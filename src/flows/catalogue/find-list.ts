import { isMissing } from '../../../machines/ports.ts';
import { problemOf } from '../../../machines/model/problem.ts';
import { slug, titlePath } from '../../../machines/model/paths.ts';
import type { ListQuery, ListSource } from '../../../machines/model/catalogue/list.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { raise } from '../../client/wire/problem.ts';
import { titleByName } from './title-by-name.ts';
import { categoryById, categoryByPathName, flatTree } from '../../client/catalogue/find-category.ts';
import { idShape, titleById } from '../../client/catalogue/title.ts';
import type { World } from '../../shell/app/world.ts';

/** What an address that names a list turns out to be of; `title` is the address of a title's own page. */
export type FoundList = { category: { id: string; name: string | null } | null } | { title: string };

/** How long a list waits for the category tree, in milliseconds; after that the server itself has to know the address's words. */
const patience = 1_000;

type Finder = Pick<World, 'api' | 'categoryTree' | 'treeAround'>;

type CategorySource = Extract<ListSource, { kind: 'category' }>;

const treeSoon = async ({ categoryTree }: Finder): Promise<Category[] | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, patience, null)));
  try {
    return await Promise.race([categoryTree().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The part of an address behind a title's name is its id, and no name of a category. */
const categoryIn = (tree: Category[], { reference, titleBy }: CategorySource): Category | undefined => {
  const all = flatTree(tree);
  return categoryById(all, reference) ?? (titleBy === 'id' ? undefined : categoryByPathName(all, reference));
};

/**
 * A category that the tree does not have may be below one that it has. An address that may
 * name a title is looked up as a title first.
 */
const categoryNamed = async (world: Finder, tree: Category[], of: CategorySource): Promise<Category | undefined> => {
  const found = categoryIn(tree, of);
  if (found !== undefined || tree.length === 0 || of.titleBy !== null) return found;
  return categoryIn(await world.treeAround(of.reference), of);
};

/** The Id of the category that a list is of, as far as the tree tells; null where it is of none. */
export const categoryIdOf = async (world: Finder, { of }: ListQuery): Promise<string | null> => {
  if (of.kind !== 'category') return null;
  const category = await categoryNamed(world, (await treeSoon(world)) ?? [], of);
  return category?.id ?? missing();
};

const missing = (): never => raise({ kind: 'refused', code: 'not_found', message: '' });

/**
 * @throws Problem `refused not_found` when there is neither such a category nor such a title, and for what is no id of a
 * catalog or title set: the server would take it for a broken call.
 */
export const findList = async (world: Finder, { of, type }: ListQuery, signal: AbortSignal): Promise<FoundList> => {
  if (of.kind === 'all') return { category: null };
  if (of.kind !== 'category') return idShape.test(of.id) ? { category: null } : missing();
  const { reference, titleBy } = of;
  const tree = await treeSoon(world);
  // Without a tree the server itself has to say whether it knows the category.
  const unknown = { category: { id: reference, name: null } };
  if (!tree?.length && titleBy === null) return idShape.test(reference) ? unknown : missing();
  const category = await categoryNamed(world, tree ?? [], of);
  if (category !== undefined) return { category };
  if (titleBy === null) return missing();
  try {
    const title =
      titleBy === 'id'
        ? await titleById(await world.api(), reference, signal)
        : await titleByName(await world.api(), type, slug(reference), signal);
    return { title: titlePath(title.id, title.name) };
  } catch (error) {
    if (!isMissing(null, problemOf(error))) throw error;
    if (tree === null && idShape.test(reference)) return unknown;
    const below = tree?.length ? categoryIn(await world.treeAround(reference), of) : undefined;
    if (below === undefined) throw error;
    return { category: below };
  }
};
