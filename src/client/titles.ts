import { Title, titleTypeCodes, TitleSummary, type TitleListPage, type TitleQuery } from '../../machines/model/title.ts';
import { xmlAnswer } from './answer.ts';
import type { Api } from './client.ts';
import { checked, raise } from './problem.ts';
import { summaryFields, titleFields } from './title-fields.ts';
import { childrenOf, numberIn, textIn } from './xml-node.ts';

export type TitleListOptions = {
  /** Titles of a page, at most 100; 24 when left out. */
  limit?: number;
  signal?: AbortSignal;
};

type Sending = Promise<{ response: Response }>;

const titleList = async (api: Api, call: string, sending: Sending): Promise<TitleListPage> => {
  const root = await xmlAnswer(api, call, sending, 'titles');
  const titles = childrenOf(root, 'title').map((node, at) =>
    checked(call, TitleSummary, summaryFields(node, api.base), `titles.${at}`),
  );
  const total = numberIn(root, 'total');
  return { titles, total: Number.isInteger(total) ? (total ?? null) : null, next: textIn(root, 'next') ?? null };
};

/** A page of titles by type, category, search and sort. */
export const titles = (api: Api, query: TitleQuery, { limit, signal }: TitleListOptions = {}): Promise<TitleListPage> => {
  const sending = api.client.GET('/titles', {
    params: {
      query: {
        titletype: titleTypeCodes[query.type],
        categoryid: query.categoryId ?? undefined,
        search: query.search.slice(0, 200),
        sort: query.sort,
        cursor: query.cursor ?? undefined,
        limit,
      },
    },
    ...api.reading(signal),
  });
  return titleList(api, 'titles', sending);
};

/** What the contract takes as an id. */
export const idShape = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const isbnShape = /^[0-9][0-9 -]{8,15}[0-9x]$/i;

/** Ids come out of addresses that people type: what the contract would refuse is no title. */
const oneTitle = async (api: Api, call: string, fits: boolean, send: () => Sending): Promise<Title> =>
  fits
    ? checked(call, Title, titleFields(await xmlAnswer(api, call, send(), 'title'), api.base))
    : raise({ kind: 'refused', code: 'not_found', message: '' });

/** @throws Problem `refused not_found` for a title that the store does not have. */
export const titleById = (api: Api, titleId: string, signal?: AbortSignal): Promise<Title> =>
  oneTitle(api, 'titles/{titleId}', idShape.test(titleId), () =>
    api.client.GET('/titles/{titleId}', { params: { path: { titleId } }, ...api.reading(signal) }),
  );

/** @param isbn ISBN-10 or ISBN-13, hyphens allowed. */
export const titleByIsbn = (api: Api, isbn: string, signal?: AbortSignal): Promise<Title> =>
  oneTitle(api, 'titles/isbn/{isbn}', isbnShape.test(isbn), () =>
    api.client.GET('/titles/isbn/{isbn}', { params: { path: { isbn } }, ...api.reading(signal) }),
  );

/** Titles related to one, nearest first. */
export const relatedTitles = async (api: Api, titleId: string, signal?: AbortSignal): Promise<TitleSummary[]> => {
  const sending = api.client.GET('/titles/{titleId}/related', { params: { path: { titleId } }, ...api.reading(signal) });
  return (await titleList(api, 'titles/{titleId}/related', sending)).titles;
};
