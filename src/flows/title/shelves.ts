import type { OtherTitles, RelatedShelf } from '../../../machines/browsing/title-setup.ts';
import type { Api } from '../../client/wire/client.ts';
import { fetchRelatedTitles } from '../../client/catalogue/some-titles.ts';
import { readTitleList } from '../../client/catalogue/titles.ts';

/** Maximum number of titles on a shelf; its heading links to all of them. */
const maxShelfTitles = 24;

const fetchShelfTitles = async (api: Api, query: { series: string } | { author: string }, signal: AbortSignal) => {
  const sending = api.client.GET('/titles', {
    params: { query: { ...query, limit: maxShelfTitles } },
    ...api.readOptions(signal),
  });
  return (await readTitleList(api, 'titles', sending)).titles;
};

/**
 * Related titles: the rest of the series in its order, others of the author, and similar ones. A
 * title is on the first shelf that it fits; a shelf that fails to load does not affect the others.
 * @throws Problem when all fail.
 */
export const fetchShelves = async (
  api: Api,
  { titleId, series, author }: OtherTitles,
  signal: AbortSignal,
): Promise<RelatedShelf[]> => {
  const asked: Promise<RelatedShelf>[] = [
    ...(series === null
      ? []
      : [fetchShelfTitles(api, { series }, signal).then((titles): RelatedShelf => ({ kind: 'series', titles }))]),
    ...(author === null
      ? []
      : [fetchShelfTitles(api, { author }, signal).then((titles): RelatedShelf => ({ kind: 'author', titles }))]),
    fetchRelatedTitles(api, titleId, signal).then((titles): RelatedShelf => ({ kind: 'similar', titles })),
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
