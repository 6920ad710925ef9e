import type { TitleSummary } from '../../machines/model/title.ts';
import type { Api } from './client.ts';
import { titleList } from './titles.ts';

/** Titles that one call gives by their ids. */
const mostIds = 50;

/** Titles by their ids, in that order; those that the shop does not have are left out. */
export const titlesById = async (api: Api, ids: readonly string[], signal?: AbortSignal): Promise<TitleSummary[]> => {
  const parts = Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, at) => ids.slice(at * mostIds, (at + 1) * mostIds));
  const pages = await Promise.all(
    parts.map((part) => {
      const query = { titleids: part.join(',') };
      const sending = api.client.GET('/titles/byid', { params: { query }, ...api.reading(signal) });
      return titleList(api, 'titles/byid', sending);
    }),
  );
  return pages.flatMap(({ titles: found }) => found);
};

/** Titles related to one, nearest first. */
export const relatedTitles = async (api: Api, titleId: string, signal?: AbortSignal): Promise<TitleSummary[]> => {
  const sending = api.client.GET('/titles/{titleId}/related', { params: { path: { titleId } }, ...api.reading(signal) });
  return (await titleList(api, 'titles/{titleId}/related', sending)).titles;
};
