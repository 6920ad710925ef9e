import { titleTypeCodes, TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { readXmlResponse } from '../../client/wire/xml-response.ts';
import type { Api } from '../../client/wire/client.ts';
import { parseListAddress } from '../../client/catalogue/list-address.ts';
import { fallbackIfMissing } from '../../client/wire/problem.ts';
import { createItemParser } from '../../client/wire/item-parser.ts';
import { getSummaryFields } from '../../client/catalogue/title-fields.ts';
import { getNumber, getText, type XmlNode } from '../../client/wire/xml-node.ts';

/**
 * A list's metadata: its number of titles, its name, the corrected search, and the cursor after the
 * titles of a first screen; each null if unknown.
 */
export type ListMetadata = { total: number | null; name: string | null; meant: string | null; behindFirst: string | null };

type StreamRequest = {
  /** At most 10,000. */
  limit: number;
  cursor: string | null;
  /** The id of the list's category; null for a list without one. */
  categoryId: string | null;
  signal: AbortSignal;
  /** Called with titles as they arrive; the next titles are read after its promise has resolved. */
  onTitles: (titles: TitleSummary[], head: ListMetadata) => Promise<void>;
};

/**
 * Milliseconds without data after which a response fails; a long response may take longer in total.
 */
const pauseTimeoutMs = 15_000;

/**
 * Creates a signal that aborts with a TimeoutError if `restart` is not called for `pauseTimeoutMs`,
 * and when `outerSignal` aborts.
 */
const createPauseTimeout = (outerSignal: AbortSignal) => {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new DOMException(`No data arrived for ${pauseTimeoutMs} ms.`, 'TimeoutError'));
  let timer = setTimeout(abort, pauseTimeoutMs);
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(abort, pauseTimeoutMs);
  };
  return { signal: AbortSignal.any([outerSignal, controller.signal]), restart, clear: () => clearTimeout(timer) };
};

const getHead = (root: XmlNode): ListMetadata => {
  const total = getNumber(root, 'total');
  return {
    total: Number.isInteger(total) ? (total ?? null) : null,
    name: getText(root, 'name') ?? null,
    meant: getText(root, 'meant') || null,
    behindFirst: getText(root, 'behindFirst') ?? null,
  };
};

const joinValues = (values: readonly (string | number)[]): string | undefined =>
  values.length === 0 ? undefined : values.join(',');

/** The parameters of the contract for a list. */
export const toListParameters = ({ type, of, search, sort, priceFrom, priceTo, free, ...query }: ListQuery) => ({
  titletype: titleTypeCodes[type],
  catalogid: of.kind === 'catalog' ? of.id : undefined,
  titlesetid: of.kind === 'titleset' ? of.id : undefined,
  search,
  sort,
  pricefrom: priceFrom ?? undefined,
  priceto: priceTo ?? undefined,
  free: free || undefined,
  kinds: joinValues(query.kinds.map((kind) => titleTypeCodes[kind])),
  categories: joinValues(query.categories),
  languages: joinValues(query.languages),
  author: query.author || undefined,
  series: query.series || undefined,
  plan: query.plan || undefined,
});

/**
 * Streams a list, from `cursor` or its start.
 * @returns its metadata, the cursor of the next titles (null at the end), and the number of
 * unreadable titles
 * @throws Problem; titles that were reported before remain valid
 */
export const streamTitles = async (
  api: Api,
  query: ListQuery,
  { limit, cursor, categoryId, signal, onTitles }: StreamRequest,
): Promise<{ head: ListMetadata; next: string | null; leftOut: number }> => {
  const call = 'titles';
  const cursorUrl = parseListAddress(api, call, cursor);
  const pauseTimeout = createPauseTimeout(signal);
  let head: ListMetadata = { total: null, name: null, meant: null, behindFirst: null };
  let pendingTitles: TitleSummary[] = [];
  const itemParser = createItemParser(api, call, 'titles', TitleSummary);
  const reportTitles = async (): Promise<void> => {
    pauseTimeout.restart();
    const titles = pendingTitles;
    pendingTitles = [];
    if (titles.length > 0) await onTitles(titles, head);
  };
  const parameters = { ...toListParameters(query), categoryid: categoryId ?? undefined, cursor: cursor ?? undefined, limit };
  const responsePromise = api.client.GET(cursorUrl?.path ?? '/titles', {
    params: { query: cursorUrl?.query ?? parameters },
    ...api.readOptions(),
    signal: pauseTimeout.signal,
  });
  try {
    const root = await readXmlResponse(api, call, responsePromise, 'titles', {
      item: 'title',
      onRoot: (node) => (head = getHead(node)),
      onItem: (node) => void pendingTitles.push(...itemParser.parse(getSummaryFields(node, api.base))),
      onChunk: reportTitles,
    });
    await reportTitles();
    const finalHead = getHead(root);
    const nextCursor = getText(root, 'next') ?? null;
    return {
      head: {
        total: finalHead.total ?? head.total,
        name: finalHead.name ?? head.name,
        meant: finalHead.meant ?? head.meant,
        behindFirst: finalHead.behindFirst ?? head.behindFirst,
      },
      // A server that repeats the same cursor has no more titles.
      next: nextCursor === cursor ? null : nextCursor,
      leftOut: itemParser.end(),
    };
  } catch (error) {
    // For the list of all titles, `not_found` means an empty list; a missing category, catalog or
    // title set is an error.
    if (query.of.kind !== 'all') throw error;
    return fallbackIfMissing(error, { head, next: null, leftOut: 0 });
  } finally {
    pauseTimeout.clear();
  }
};
