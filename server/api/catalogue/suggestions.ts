import { indexedWords } from '../../base/folding.ts';
import { listCategories, nameIn } from '../../catalogue/category-tree.ts';
import { thumbnailUrl } from '../../catalogue/title-xml.ts';
import { listTitles } from '../../catalogue/list-titles.ts';
import type { Answer, Call } from '../calls/call.ts';

/** Titles looked at for their authors: the ones that match best. */
const LOOKED_AT = 24;

type Suggestion = Awaited<Answer<'suggestions'>>['suggestions'][number];

/** Whether every word that was typed begins a word of the text. */
function beginsIn(typed: string): (text: string) => boolean {
  const wanted = indexedWords(typed);
  return (text) => {
    const words = indexedWords(text);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  };
}

/** What somebody who types may mean: categories and authors by that name, then titles, the best match first. */
export async function suggestions({ services, store, spoken, query }: Call<'suggestions'>): Answer<'suggestions'> {
  const { search, limit } = query;
  if (indexedWords(search).length === 0) return { suggestions: [] };
  const page = { sort: 'relevance', cursor: undefined, limit: LOOKED_AT };
  const [found, categories] = await Promise.all([
    listTitles(services, store, { type: query.titletype, search }, page, false),
    services.cache.of(store, 'categories', () => listCategories(services.db, store.id)),
  ]);
  const fits = beginsIn(search);
  const authors = new Set(found.rows.flatMap((row) => row.authors.filter(fits)));
  const names: Suggestion[] = [
    ...categories
      .filter(({ count }) => count > 0)
      .map((category) => ({ kind: 'category' as const, text: nameIn(category, spoken), id: category.id }))
      .filter(({ text }) => fits(text)),
    ...[...authors].map((text) => ({ kind: 'author' as const, text })),
  ];
  const titles = found.rows.map(({ id, name, authors: by, media, cover }): Suggestion => {
    const coverAddress = cover ? thumbnailUrl(store.id, id, cover) : undefined;
    return { kind: 'title', text: name, id, authors: by, medium: media, ...(coverAddress && { coverUrl: coverAddress }) };
  });
  // Names may take half of the places, and what titles leave.
  const places = Math.max(Math.floor(limit / 2), limit - titles.length);
  const some = names.slice(0, places);
  return { suggestions: [...some, ...titles].slice(0, limit) };
}
