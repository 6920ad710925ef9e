import { titleTypeCodes, TitleSummary, type TitleListPage, type TitleQuery } from '../../../machines/model/catalogue/title.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { parseListAddress } from './list-address.ts';
import { createItemParser } from '../wire/item-parser.ts';
import { getSummaryFields } from './title-fields.ts';
import { getChildren, getNumber, getText } from '../wire/xml-node.ts';

export type TitleListOptions = {
  /** Titles per page, at most 100; 24 by default. */
  limit?: number;
  signal?: AbortSignal;
};

type ListResponse = Promise<{ response: Response }>;

/** The titles of an answer, the total, and the reference to the next page. */
export const readTitleList = async (api: Api, call: string, responsePromise: ListResponse): Promise<TitleListPage> => {
  const root = await readXmlResponse(api, call, responsePromise, 'titles');
  const parser = createItemParser(api, call, 'titles', TitleSummary);
  const titles = getChildren(root, 'title').flatMap((node) => parser.parse(getSummaryFields(node, api.base)));
  parser.end();
  const total = getNumber(root, 'total');
  return { titles, total: Number.isInteger(total) ? (total ?? null) : null, next: getText(root, 'next') ?? null };
};

/** A page of titles by type, category, search and sort. */
export const fetchTitles = async (
  api: Api,
  query: TitleQuery,
  { limit, signal }: TitleListOptions = {},
): Promise<TitleListPage> => {
  const address = parseListAddress(api, 'titles', query.cursor);
  const listQuery = {
    titletype: titleTypeCodes[query.type],
    categoryid: query.categoryId ?? undefined,
    search: query.search.slice(0, 200),
    // A search is sorted by relevance by default; other servers need not know its name.
    sort: query.sort === 'relevance' ? '' : query.sort,
    cursor: query.cursor ?? undefined,
    limit,
  };
  const responsePromise = api.client.GET(address?.path ?? '/titles', {
    params: { query: address?.query ?? listQuery },
    ...api.readOptions(signal),
  });
  return readTitleList(api, 'titles', responsePromise);
};
