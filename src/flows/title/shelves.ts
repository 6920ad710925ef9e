import type { OtherTitles, Shelf } from '../../../machines/browsing/title-setup.ts';
import type { Api } from '../../client/wire/client.ts';
import { relatedTitles } from '../../client/catalogue/some-titles.ts';
import { titleList } from '../../client/catalogue/titles.ts';

/** Titles of a shelf, at most; its heading leads to all of them. */
const longest = 24;

const listOf = async (api: Api, query: { series: string } | { author: string }, signal: AbortSignal) => {
  const sending = api.client.GET('/titles', { params: { query: { ...query, limit: longest } }, ...api.reading(signal) });
  return (await titleList(api, 'titles', sending)).titles;
};

/**
 * Other titles to go on with: the rest of the series in its order, what else the author wrote, and titles like this one. A
 * title stands on the first shelf that it fits; a shelf that does not come does not take the others away.
 * @throws Problem when none comes.
 */
export const shelvesOf = async (api: Api, { titleId, series, author }: OtherTitles, signal: AbortSignal): Promise<Shelf[]> => {
  const asked: Promise<Shelf>[] = [
    ...(series === null ? [] : [listOf(api, { series }, signal).then((titles): Shelf => ({ kind: 'series', titles }))]),
    ...(author === null ? [] : [listOf(api, { author }, signal).then((titles): Shelf => ({ kind: 'author', titles }))]),
    relatedTitles(api, titleId, signal).then((titles): Shelf => ({ kind: 'similar', titles })),
  ];
  const came = await Promise.allSettled(asked);
  const shelves = came.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = came.find((each) => each.status === 'rejected');
  if (shelves.length === 0 && failure) throw failure.reason;
  const met = new Set([titleId]);
  const unmet = shelves.map(({ kind, titles }) => {
    const own = titles.filter(({ id }) => !met.has(id));
    for (const { id } of own) met.add(id);
    return { kind, titles: own };
  });
  return unmet.filter(({ titles }) => titles.length > 0);
};
