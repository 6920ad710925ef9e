import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { Api } from '../wire/client.ts';
import { fallbackIfMissing } from '../wire/problem.ts';
import { fetchTitle } from './title.ts';
import { readTitleList } from './titles.ts';
import { fallbackIfUnavailable } from '../wire/unsupported-call.ts';

/** Maximum number of ids in one call. */
const maxIdsPerCall = 50;

/** Maximum number of concurrent requests for the titles of one batch of ids. */
const maxConcurrent = 6;

/** Fetches titles one by one, in the order of the ids, from a server without a call for several. */
const fetchOneByOne = async (api: Api, ids: readonly string[], signal?: AbortSignal): Promise<TitleSummary[]> => {
  const summaries: TitleSummary[] = [];
  for (let offset = 0; offset < ids.length; offset += maxConcurrent) {
    const batchIds = ids.slice(offset, offset + maxConcurrent);
    const titles = await Promise.all(
      batchIds.map((id) => fetchTitle(api, id, signal).catch((error: unknown) => fallbackIfMissing(error, null))),
    );
    summaries.push(...titles.filter((title) => title !== null));
  }
  return summaries;
};

/** Titles by their ids, in that order; unknown ids are left out. */
export const fetchTitlesById = async (api: Api, ids: readonly string[], signal?: AbortSignal): Promise<TitleSummary[]> => {
  const batches = Array.from({ length: Math.ceil(ids.length / maxIdsPerCall) }, (_, index) =>
    ids.slice(index * maxIdsPerCall, (index + 1) * maxIdsPerCall),
  );
  const pages = await Promise.all(
    batches.map((batch) => {
      const query = { titleids: batch.join(',') };
      const responsePromise = api.client.GET('/titles/byid', { params: { query }, ...api.readOptions(signal) });
      return readTitleList(api, 'titles/byid', responsePromise).then(
        ({ titles }) => titles,
        (error: unknown) => fallbackIfUnavailable(api, 'titles/byid', error, () => fetchOneByOne(api, batch, signal)),
      );
    }),
  );
  return pages.flat();
};

/** Titles related to a title, the most closely related ones first. */
export const fetchRelatedTitles = async (api: Api, titleId: string, signal?: AbortSignal): Promise<TitleSummary[]> => {
  const responsePromise = api.client.GET('/titles/{titleId}/related', {
    params: { path: { titleId } },
    ...api.readOptions(signal),
  });
  return (await readTitleList(api, 'titles/{titleId}/related', responsePromise)).titles;
};
