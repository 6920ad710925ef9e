import * as v from 'valibot';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import { titleTypeCodes, TitleType } from '../../../machines/model/catalogue/title.ts';
import type { Api } from '../../client/wire/client.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { toListParameters } from './title-stream.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Price = v.nullish(v.number(), null);

const FacetsResponse = v.object({
  Total: Count,
  Currency: v.optional(v.string(), ''),
  Kinds: v.optional(v.array(v.object({ TitleType: v.number(), Count })), []),
  Categories: v.optional(v.array(v.object({ Id: v.string(), Count })), []),
  Languages: v.optional(v.array(v.object({ Language: v.string(), Count })), []),
  Free: v.optional(Count, 0),
  Prices: v.optional(v.array(v.object({ From: Price, To: Price, Count })), []),
});

/**
 * Fetches how many titles of a list each filter would leave.
 * @param categoryId the id of the list's category; null for a list without one
 * @throws Problem; `refused not_found` from a server without facet counts
 */
export const fetchFacets = async (
  api: Api,
  query: ListQuery,
  categoryId: string | null,
  signal: AbortSignal,
): Promise<Facets> => {
  const responsePromise = api.client.GET('/titles/facets', {
    // The sort order affects only searches; without it, all orders of a list share the cached
    // counts.
    params: { query: { ...toListParameters(query), sort: query.search && query.sort, categoryid: categoryId ?? undefined } },
    ...api.readOptions(signal),
  });
  const response = await readJsonResponse(api, 'titles/facets', responsePromise, FacetsResponse);
  const toKind = (code: number): TitleType | undefined => TitleType.options.find((kind) => titleTypeCodes[kind] === code);
  return {
    total: response.Total,
    currency: response.Currency,
    kinds: response.Kinds.flatMap(({ TitleType: code, Count: count }) => {
      const kind = toKind(code);
      return kind === undefined ? [] : [{ kind, count }];
    }),
    categories: response.Categories.map(({ Id: id, Count: count }) => ({ id, count })),
    languages: response.Languages.map(({ Language: language, Count: count }) => ({ language, count })),
    free: response.Free,
    prices: response.Prices.map(({ From: from, To: to, Count: count }) => ({ from, to, count })),
  };
};
