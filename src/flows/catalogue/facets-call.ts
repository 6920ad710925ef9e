import * as v from 'valibot';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import { titleTypeCodes, TitleType } from '../../../machines/model/catalogue/title.ts';
import type { Api } from '../../client/wire/client.ts';
import { jsonAnswer } from '../../client/wire/json.ts';
import { parametersOf } from './title-stream.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Price = v.nullish(v.number(), null);

const Answer = v.object({
  Total: Count,
  Currency: v.optional(v.string(), ''),
  Kinds: v.optional(v.array(v.object({ TitleType: v.number(), Count })), []),
  Categories: v.optional(v.array(v.object({ Id: v.string(), Count })), []),
  Languages: v.optional(v.array(v.object({ Language: v.string(), Count })), []),
  Free: v.optional(Count, 0),
  Prices: v.optional(v.array(v.object({ From: Price, To: Price, Count })), []),
});

/**
 * How many titles each choice would leave of a list.
 * @param categoryId the category that the list is of, by its Id
 * @throws Problem as any call; a server that does not count answers with `not_found`.
 */
export const facets = async (api: Api, query: ListQuery, categoryId: string | null, signal: AbortSignal): Promise<Facets> => {
  const sending = api.client.GET('/titles/facets', {
    // An order says something of a search alone; without it, every order of a list has the same counts.
    params: { query: { ...parametersOf(query), sort: query.search && query.sort, categoryid: categoryId ?? undefined } },
    ...api.reading(signal),
  });
  const given = await jsonAnswer(api, 'titles/facets', sending, Answer);
  const kindOf = (code: number): TitleType | undefined => TitleType.options.find((kind) => titleTypeCodes[kind] === code);
  return {
    total: given.Total,
    currency: given.Currency,
    kinds: given.Kinds.flatMap(({ TitleType: code, Count: count }) => {
      const kind = kindOf(code);
      return kind === undefined ? [] : [{ kind, count }];
    }),
    categories: given.Categories.map(({ Id: id, Count: count }) => ({ id, count })),
    languages: given.Languages.map(({ Language: language, Count: count }) => ({ language, count })),
    free: given.Free,
    prices: given.Prices.map(({ From: from, To: to, Count: count }) => ({ from, to, count })),
  };
};
