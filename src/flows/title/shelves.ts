import type { RelatedTitlesRequest, RelatedShelf } from '../../../machines/browsing/title-setup.ts';
import type { Api } from '../../client/wire/client.ts';
import { fetchRelatedTitles } from '../../client/catalogue/some-titles.ts';
import { readTitleList } from '../../client/catalogue/titles.ts';

/** Maximum number of titles on the shelf of a series or author; a link leads to all of them. */
const maxShelfTitles = 24;

const fetchShelfTitles = async (api: Api, query: { series: string } | { author: string }, signal: AbortSignal) => {
  const responsePromise = api.client.GET('/titles', {
    params: { query: { ...query, limit: maxShelfTitles } },
    ...api.readOptions(signal),
  });
  return (await readTitleList(api, 'titles', responsePromise)).titles;
};

/**
 * Fetches the shelves of related titles: the other titles of the series in its order, other titles
 * of the author, and similar titles. Each title is only on the first of these shelves. A shelf that
 * fails to load does not affect the others.
 * @throws Problem if all fail
 */
export const fetchShelves = async (
  api: Api,
  { titleId, series, author }: RelatedTitlesRequest,
  signal: AbortSignal,
): Promise<RelatedShelf[]> => {
  const requests: Promise<RelatedShelf>[] = [
    ...(series === null
      ? []
      : [fetchShelfTitles(api, { series }, signal).then((titles): RelatedShelf => ({ kind: 'series', titles }))]),
    ...(author === null
      ? []
      : [fetchShelfTitles(api, { author }, signal).then((titles): RelatedShelf => ({ kind: 'author', titles }))]),
    fetchRelatedTitles(api, titleId, signal).then((titles): RelatedShelf => ({ kind: 'similar', titles })),
  ];
  const results = await Promise.allSettled(requests);
  const shelves = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (shelves.length === 0 && failure) throw failure.reason;
  const shownIds = new Set([titleId]);
  const distinctShelves = shelves.map(({ kind, titles }) => {
    const newTitles = titles.filter(({ id }) => !shownIds.has(id));
    for (const { id } of newTitles) shownIds.add(id);
    return { kind, titles: newTitles };
  });
  return distinctShelves.filter(({ titles }) => titles.length > 0);
};
