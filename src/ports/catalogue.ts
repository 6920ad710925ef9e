import { catalogueMachine, type ListPage, type ListQuery } from '../../machines/catalogue.ts';
import { landingMachine, type Shelf } from '../../machines/landing.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { type Category, type ListType, type Title, type TitleSummary, type TitleType } from '../../machines/model/title.ts';
import { requestPort } from '../../machines/ports.ts';
import { titleMachine, type TitleReference } from '../../machines/title.ts';
import { api } from './api.ts';
import { categoryTree } from './store.ts';

const missing: Problem = { kind: 'refused', code: 'not_found', message: '' };

const titlesApi = () => import('../api/titles.ts');

const shelfSize = 12;

const shelf = async (type: ListType, signal: AbortSignal): Promise<Shelf> => {
  const { titles } = await titlesApi();
  const query = { type, categoryId: null, search: '', sort: 'newest', cursor: null };
  const page = await titles(await api(), query, { limit: shelfSize, signal });
  return { type: type === 'interactive' ? 'all' : type, titles: page.titles, total: page.total };
};

/** One shelf that fails leaves the others standing; when all fail, the first failure is the answer. */
const shelves = requestPort<Shelf[], { types: TitleType[] }>(async ({ input, signal }) => {
  const results = await Promise.allSettled((['all', ...input.types] as const).map((type) => shelf(type, signal)));
  const loaded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (loaded.length === 0 && failure) throw failure.reason;
  return loaded.filter(({ titles }) => titles.length > 0);
});

export const landing = landingMachine.provide({ actors: { shelves } });

const flat = (tree: Category[]): Category[] => tree.flatMap((category) => [category, ...flat(category.children)]);

/** A category by its Id, its TagId or its path name, whichever the address carries. */
const findCategory = (tree: Category[], reference: string): Category | undefined => {
  const wanted = reference.toLowerCase();
  const all = flat(tree);
  return (
    all.find(({ id, tagId }) => id.toLowerCase() === wanted || tagId.toLowerCase() === wanted) ??
    all.find(({ path }) => path === wanted || path.split('/')[0] === wanted)
  );
};

const listPage = requestPort<ListPage, ListQuery>(async ({ input, signal }) => {
  const category = input.category === null ? null : findCategory(await categoryTree(), input.category);
  if (category === undefined) throw missing;
  const { titles } = await titlesApi();
  const { type, search, sort, cursor } = input;
  const page = await titles(await api(), { type, search, sort, cursor, categoryId: category?.id ?? null }, { signal });
  return { ...page, categoryName: category?.name ?? null };
});

export const catalogue = catalogueMachine.provide({ actors: { titles: listPage } });

export const title = titleMachine.provide({
  actors: {
    title: requestPort<Title, TitleReference>(async ({ input, signal }) => {
      const { titleById, titleByIsbn } = await titlesApi();
      if ('titleId' in input) return titleById(await api(), input.titleId, signal);
      if ('isbn' in input) return titleByIsbn(await api(), input.isbn, signal);
      throw missing;
    }),
    related: requestPort<TitleSummary[], { titleId: string }>(async ({ input, signal }) => {
      const { relatedTitles } = await titlesApi();
      return relatedTitles(await api(), input.titleId, signal);
    }),
    ownership: requestPort<string | null, { titleId: string }>(async ({ input, signal }) => {
      const { userHasTitle } = await import('../api/checkout.ts');
      return userHasTitle(await api(), input, signal);
    }),
  },
});

