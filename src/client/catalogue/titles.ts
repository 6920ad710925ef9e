import { titleTypeCodes, TitleSummary, type TitleListPage, type TitleQuery } from '../../../machines/model/catalogue/title.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { listAddress } from './list-address.ts';
import { sieve } from '../wire/sieve.ts';
import { summaryFields } from './title-fields.ts';
import { childrenOf, numberIn, textIn } from '../wire/xml-node.ts';

export type TitleListOptions = {
  /** Titles of a page, at most 100; 24 when left out. */
  limit?: number;
  signal?: AbortSignal;
};

type Sending = Promise<{ response: Response }>;

/** The titles of an answer, and how many there are in all. */
export const titleList = async (api: Api, call: string, sending: Sending): Promise<TitleListPage> => {
  const root = await xmlAnswer(api, call, sending, 'titles');
  const readable = sieve(api, call, 'titles', TitleSummary);
  const titles = childrenOf(root, 'title').flatMap((node) => readable.take(summaryFields(node, api.base)));
  readable.end();
  const total = numberIn(root, 'total');
  return { titles, total: Number.isInteger(total) ? (total ?? null) : null, next: textIn(root, 'next') ?? null };
};

/** A page of titles by type, category, search and sort. */
export const titles = async (api: Api, query: TitleQuery, { limit, signal }: TitleListOptions = {}): Promise<TitleListPage> => {
  const address = listAddress(api, 'titles', query.cursor);
  const asked = {
    titletype: titleTypeCodes[query.type],
    categoryid: query.categoryId ?? undefined,
    search: query.search.slice(0, 200),
    // The order of a search where the customer chose none; other servers need not know its name.
    sort: query.sort === 'relevance' ? '' : query.sort,
    cursor: query.cursor ?? undefined,
    limit,
  };
  const sending = api.client.GET(address?.path ?? '/titles', {
    params: { query: address?.query ?? asked },
    ...api.reading(signal),
  });
  return titleList(api, 'titles', sending);
};
