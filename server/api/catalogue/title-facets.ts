import { readFacets } from '../../catalogue/facets.ts';
import type { Answer, Call } from '../calls/call.ts';
import { toFacetChoice, readCategoryIds } from './titles.ts';

/** Returns the filters of a list, with the number of titles that each choice would leave. */
export async function titleFacets(call: Call<'titleFacets'>): Answer<'titleFacets'> {
  const { services, store, query } = call;
  const scopes = await readCategoryIds(call, query);
  const { search, author, series, plan, sort } = query;
  const base = { type: query.titletype, categories: scopes.map(({ ids }) => ids), search, author, series, plan };
  const facets = await readFacets(services, store, { base, root: query.categoryid ?? null, chosen: toFacetChoice(query), sort });
  return {
    Total: facets.total,
    Currency: store.currency,
    Kinds: facets.kinds.map(({ type, count }) => ({ TitleType: type as 1 | 2 | 3 | 4, Count: count })),
    Categories: facets.categories.map(({ id, count }) => ({ Id: id, Count: count })),
    Languages: facets.languages.map(({ language, count }) => ({ Language: language, Count: count })),
    Free: facets.free,
    Prices: facets.prices.map(({ from, to, count }) => ({
      ...(from === null ? {} : { From: from }),
      ...(to === null ? {} : { To: to }),
      Count: count,
    })),
  };
}
