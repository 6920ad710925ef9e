import { toIndexWords } from '../../base/folding.ts';
import { listCategories, getCategoryName } from '../../catalogue/category-tree.ts';
import { toThumbnailUrl } from '../../catalogue/title-xml.ts';
import { listTitles } from '../../catalogue/list-titles.ts';
import type { Answer, Call } from '../calls/call.ts';

/** Maximum number of matching titles, whose authors are suggested too. */
const MAX_CANDIDATES = 24;

type Suggestion = Awaited<Answer<'suggestions'>>['suggestions'][number];

/** Returns a function that tests whether every typed word is a prefix of some word in a text. */
function createPrefixMatcher(typedWords: string): (text: string) => boolean {
  const prefixes = toIndexWords(typedWords);
  return (text) => {
    const words = toIndexWords(text);
    return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
  };
}

/** Returns suggestions while typing: categories and authors, then titles, the best match first. */
export async function suggestions({ services, store, spoken, query }: Call<'suggestions'>): Answer<'suggestions'> {
  const { search, limit } = query;
  if (toIndexWords(search).length === 0) return { suggestions: [] };
  const page = { sort: 'relevance', cursor: undefined, limit: MAX_CANDIDATES };
  const [titlePage, categories] = await Promise.all([
    listTitles(services, store, { type: query.titletype, search }, page, false),
    services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id)),
  ]);
  const matches = createPrefixMatcher(search);
  const authors = new Set(titlePage.rows.flatMap((row) => row.authors.filter(matches)));
  const names: Suggestion[] = [
    ...categories
      .filter(({ count }) => count > 0)
      .map((category) => ({ kind: 'category' as const, text: getCategoryName(category, spoken), id: category.id }))
      .filter(({ text }) => matches(text)),
    ...[...authors].map((text) => ({ kind: 'author' as const, text })),
  ];
  const titles = titlePage.rows.map(({ id, name, authors: titleAuthors, media, cover }): Suggestion => {
    const thumbnail = cover ? toThumbnailUrl(store.id, id, cover) : undefined;
    return { kind: 'title', text: name, id, authors: titleAuthors, medium: media, ...(thumbnail && { coverUrl: thumbnail }) };
  });
  // Names may fill half of the slots, and the slots that titles leave free.
  const nameSlots = Math.max(Math.floor(limit / 2), limit - titles.length);
  const shownNames = names.slice(0, nameSlots);
  return { suggestions: [...shownNames, ...titles].slice(0, limit) };
}
