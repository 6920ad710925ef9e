import { toIndexWords } from '../../base/folding.ts';
import { listCategories, getCategoryName } from '../../catalogue/category-tree.ts';
import { thumbnailUrl } from '../../catalogue/title-xml.ts';
import { listTitles } from '../../catalogue/list-titles.ts';
import type { Answer, Call } from '../calls/call.ts';

/** The best-matching titles, whose authors are examined. */
const MAX_CANDIDATES = 24;

type Suggestion = Awaited<Answer<'suggestions'>>['suggestions'][number];

/** Whether every typed word is a prefix of some word in the text. */
function createPrefixMatcher(typed: string): (text: string) => boolean {
  const wanted = toIndexWords(typed);
  return (text) => {
    const words = toIndexWords(text);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  };
}

/** Suggestions while typing: categories and authors by name, then titles, the best match first. */
export async function suggestions({ services, store, spoken, query }: Call<'suggestions'>): Answer<'suggestions'> {
  const { search, limit } = query;
  if (toIndexWords(search).length === 0) return { suggestions: [] };
  const page = { sort: 'relevance', cursor: undefined, limit: MAX_CANDIDATES };
  const [found, categories] = await Promise.all([
    listTitles(services, store, { type: query.titletype, search }, page, false),
    services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id)),
  ]);
  const fits = createPrefixMatcher(search);
  const authors = new Set(found.rows.flatMap((row) => row.authors.filter(fits)));
  const names: Suggestion[] = [
    ...categories
      .filter(({ count }) => count > 0)
      .map((category) => ({ kind: 'category' as const, text: getCategoryName(category, spoken), id: category.id }))
      .filter(({ text }) => fits(text)),
    ...[...authors].map((text) => ({ kind: 'author' as const, text })),
  ];
  const titles = found.rows.map(({ id, name, authors: by, media, cover }): Suggestion => {
    const coverAddress = cover ? thumbnailUrl(store.id, id, cover) : undefined;
    return { kind: 'title', text: name, id, authors: by, medium: media, ...(coverAddress && { coverUrl: coverAddress }) };
  });
  // Names may take half of the places, and those that titles leave free.
  const places = Math.max(Math.floor(limit / 2), limit - titles.length);
  const some = names.slice(0, places);
  return { suggestions: [...some, ...titles].slice(0, limit) };
}
