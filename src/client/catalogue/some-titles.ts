import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { Api } from '../wire/client.ts';
import { fallbackIfMissing } from '../wire/problem.ts';
import { fetchTitle } from './title.ts';
import { readTitleList } from './titles.ts';
import { fallbackIfUnavailable } from '../wire/unsupported-call.ts';

/** Maximum number of ids in one call. */
const maxIdsPerCall = 50;

/** Maximum number of concurrent requests for single titles. */
const maxConcurrent = 6;

/** Titles one by one, in the order of the ids, for a server without the call for several. */
const fetchOneByOne = async (api: Api, ids: readonly string[], signal?: AbortSignal): Promise<TitleSummary[]> => {
  const found: TitleSummary[] = [];
  for (let at = 0; at < ids.length; at += maxConcurrent) {
    const some = ids.slice(at, at + maxConcurrent);
    const titles = await Promise.all(
      some.map((id) => fetchTitle(api, id, signal).catch((error: unknown) => fallbackIfMissing(error, null))),
    );
    found.push(...titles.filter((title) => title !== null));
  }
  return found;
};

/** Titles by their ids, in that order; unknown ids are left out. */
export const fetchTitlesById = async (api: Api, ids: readonly string[], signal?: AbortSignal): Promise<TitleSummary[]> => {
  const parts = Array.from({ length: Math.ceil(ids.length / maxIdsPerCall) }, (_, at) =>
    ids.slice(at * maxIdsPerCall, (at + 1) * maxIdsPerCall),
  );
  const pages = await Promise.all(
    parts.map((part) => {
      const query = { titleids: part.join(',') };
      const sending = api.client.GET('/titles/byid', { params: { query }, ...api.readOptions(signal) });
      return readTitleList(api, 'titles/byid', sending).then(
        ({ titles: found }) => found,
        (error: unknown) => fallbackIfUnavailable(api, 'titles/byid', error, () => fetchOneByOne(api, part, signal)),
      );
    }),
  );
  return pages.flat();
};

/** Titles related to one, nearest first. */
export const fetchRelatedTitles = async (api: Api, titleId: string, signal?: AbortSignal): Promise<TitleSummary[]> => {
  const sending = api.client.GET('/titles/{titleId}/related', { params: { path: { titleId } }, ...api.readOptions(signal) });
  return (await readTitleList(api, 'titles/{titleId}/related', sending)).titles;
};
