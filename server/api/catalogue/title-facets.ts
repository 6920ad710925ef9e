import { facetsOf } from '../../catalogue/facets.ts';
import type { Answer, Call } from '../calls/call.ts';
import { chosenIn, placesOf } from './titles.ts';

/** What a list can be narrowed by, with the titles that each choice would leave. */
export async function titleFacets(call: Call<'titleFacets'>): Answer<'titleFacets'> {
  const { services, store, query } = call;
  const places = await placesOf(call, query);
  const { search, author, series, plan, sort } = query;
  const base = { type: query.titletype, categories: places.map(({ ids }) => ids), search, author, series, plan };
  const facets = await facetsOf(services, store, { base, root: query.categoryid ?? null, chosen: chosenIn(query), sort });
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
