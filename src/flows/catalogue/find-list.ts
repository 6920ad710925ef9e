import { isMissing } from '../../../machines/ports.ts';
import { problemOf } from '../../../machines/model/problem.ts';
import { slug, titlePath } from '../../../machines/model/paths.ts';
import type { ListQuery } from '../../../machines/model/list.ts';
import type { Category } from '../../../machines/model/title.ts';
import { raise } from '../../client/problem.ts';
import { titleByName } from './title-by-name.ts';
import { idShape, titleById } from '../../client/title.ts';
import type { World } from '../../shell/world.ts';

/** What an address that names a list turns out to be of; `title` is the address of a title's own page. */
export type FoundList = { category: { id: string; name: string | null } | null } | { title: string };

const flat = (tree: Category[]): Category[] => tree.flatMap((category) => [category, ...flat(category.children)]);

const byId = (all: Category[], wanted: string): Category | undefined =>
  all.find(({ id, tagId }) => id.toLowerCase() === wanted || tagId.toLowerCase() === wanted);

const byPathName = (all: Category[], wanted: string): Category | undefined => {
  const dashed = wanted.replace(/[\s/]+/g, '-');
  return all.find(({ path }) => path === wanted || path.split('/')[0] === dashed);
};

/** How long a list waits for the category tree, in milliseconds; after that the server itself has to know the address's words. */
const patience = 1_000;

type Finder = Pick<World, 'api' | 'categoryTree'>;

const treeSoon = async ({ categoryTree }: Finder): Promise<Category[] | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, patience, null)));
  try {
    return await Promise.race([categoryTree().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The Id of the category that a list is of, as far as the tree tells; null where it is of none. */
export const categoryIdOf = async (world: Finder, { of }: ListQuery): Promise<string | null> => {
  if (of.kind !== 'category') return null;
  const all = flat((await treeSoon(world)) ?? []);
  const wanted = of.reference.toLowerCase();
  const category = byId(all, wanted) ?? (of.titleBy === 'id' ? undefined : byPathName(all, wanted));
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
  const wanted = reference.toLowerCase();
  const tree = await treeSoon(world);
  const all = flat(tree ?? []);
  // Without a tree the server itself has to say whether it knows the category.
  const unknown = { category: { id: reference, name: null } };
  if (all.length === 0 && titleBy === null) return idShape.test(reference) ? unknown : missing();
  // What stands behind a title's name is its id, and no name of a category.
  const category = byId(all, wanted) ?? (titleBy === 'id' ? undefined : byPathName(all, wanted));
  if (category !== undefined) return { category };
  if (titleBy === null) return missing();
  try {
    const title =
      titleBy === 'id'
        ? await titleById(await world.api(), reference, signal)
        : await titleByName(await world.api(), type, slug(reference), signal);
    return { title: titlePath(title.id, title.name) };
  } catch (error) {
    const mayBeCategory = tree === null && idShape.test(reference) && isMissing(null, problemOf(error));
    if (mayBeCategory) return unknown;
    throw error;
  }
};
