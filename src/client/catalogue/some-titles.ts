import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { Api } from '../wire/client.ts';
import { orWhenMissing } from '../wire/problem.ts';
import { titleById } from './title.ts';
import { titleList } from './titles.ts';
import { orWithoutCall } from '../wire/unknown-call.ts';

/** Titles that one call gives by their ids. */
const mostIds = 50;

/** Titles that are asked for one by one at the same time. */
const atOnce = 6;

/** Titles one by one, in that order, for a server that does not give several. */
const eachById = async (api: Api, ids: readonly string[], signal?: AbortSignal): Promise<TitleSummary[]> => {
  const found: TitleSummary[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    const titles = await Promise.all(
      some.map((id) => titleById(api, id, signal).catch((error: unknown) => orWhenMissing(error, null))),
    );
    found.push(...titles.filter((title) => title !== null));
  }
  return found;
};

/** Titles by their ids, in that order; those that the shop does not have are left out. */
export const titlesById = async (api: Api, ids: readonly string[], signal?: AbortSignal): Promise<TitleSummary[]> => {
  const parts = Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, at) => ids.slice(at * mostIds, (at + 1) * mostIds));
  const pages = await Promise.all(
    parts.map((part) => {
      const query = { titleids: part.join(',') };
      const sending = api.client.GET('/titles/byid', { params: { query }, ...api.reading(signal) });
      return titleList(api, 'titles/byid', sending).then(
        ({ titles: found }) => found,
        (error: unknown) => orWithoutCall(api, 'titles/byid', error, () => eachById(api, part, signal)),
      );
    }),
  );
  return pages.flat();
};

/** Titles related to one, nearest first. */
export const relatedTitles = async (api: Api, titleId: string, signal?: AbortSignal): Promise<TitleSummary[]> => {
  const sending = api.client.GET('/titles/{titleId}/related', { params: { path: { titleId } }, ...api.reading(signal) });
  return (await titleList(api, 'titles/{titleId}/related', sending)).titles;
};
