import { titleTypeCodes, TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { readXmlResponse } from '../../client/wire/xml-response.ts';
import type { Api } from '../../client/wire/client.ts';
import { parseListAddress } from '../../client/catalogue/list-address.ts';
import { fallbackIfMissing } from '../../client/wire/problem.ts';
import { createItemParser } from '../../client/wire/sieve.ts';
import { getSummaryFields } from '../../client/catalogue/title-fields.ts';
import { getNumber, getText, type XmlNode } from '../../client/wire/xml-node.ts';

/** A list's metadata: its number of titles, null if unknown, its name, and the corrected search. */
export type ListMetadata = { total: number | null; name: string | null; meant: string | null; behindFirst: string | null };

type StreamRequest = {
  /** At most 10,000. */
  limit: number;
  cursor: string | null;
  /** The Id of the list's category. */
  categoryId: string | null;
  signal: AbortSignal;
  /** Called with titles as they arrive; the next ones are read when it resolves. */
  onTitles: (titles: TitleSummary[], head: ListMetadata) => Promise<void>;
};

/** Milliseconds that an answer may pause; a long answer may take longer as a whole. */
const pauseTimeoutMs = 15_000;

/** A signal that aborts with a TimeoutError when `heard` has not been called for `longestPause`. */
const createPauseTimeout = (given: AbortSignal) => {
  const control = new AbortController();
  const giveUp = (): void => control.abort(new DOMException('The answer paused for too long.', 'TimeoutError'));
  let timer = setTimeout(giveUp, pauseTimeoutMs);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, pauseTimeoutMs);
  };
  return { signal: AbortSignal.any([given, control.signal]), heard, end: () => clearTimeout(timer) };
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

/** A list as parameters of the contract. */
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
 * Streams a list.
 * @returns its metadata, the cursor of the next titles, null at the end, and the number of
 * unreadable titles.
 * @throws Problem as any call; titles that were reported before it remain valid.
 */
export const streamTitles = async (
  api: Api,
  query: ListQuery,
  { limit, cursor, categoryId, signal, onTitles }: StreamRequest,
): Promise<{ head: ListMetadata; next: string | null; leftOut: number }> => {
  const call = 'titles';
  const address = parseListAddress(api, call, cursor);
  const wait = createPauseTimeout(signal);
  let head: ListMetadata = { total: null, name: null, meant: null, behindFirst: null };
  let heard: TitleSummary[] = [];
  const readable = createItemParser(api, call, 'titles', TitleSummary);
  const report = async (): Promise<void> => {
    wait.heard();
    const titles = heard;
    heard = [];
    if (titles.length > 0) await onTitles(titles, head);
  };
  const asked = { ...toListParameters(query), categoryid: categoryId ?? undefined, cursor: cursor ?? undefined, limit };
  const sending = api.client.GET(address?.path ?? '/titles', {
    params: { query: address?.query ?? asked },
    ...api.readOptions(),
    signal: wait.signal,
  });
  try {
    const root = await readXmlResponse(api, call, sending, 'titles', {
      item: 'title',
      onRoot: (node) => (head = getHead(node)),
      onItem: (node) => void heard.push(...readable.parse(getSummaryFields(node, api.base))),
      onChunk: report,
    });
    await report();
    const end = getHead(root);
    const next = getText(root, 'next') ?? null;
    return {
      head: {
        total: end.total ?? head.total,
        name: end.name ?? head.name,
        meant: end.meant ?? head.meant,
        behindFirst: end.behindFirst ?? head.behindFirst,
      },
      // A server that repeats the same cursor has no more titles.
      next: next === cursor ? null : next,
      leftOut: readable.end(),
    };
  } catch (error) {
    // For the list of all titles, "not found" means an empty list; a missing category, catalog or
    // title set is an error.
    if (query.of.kind !== 'all') throw error;
    return fallbackIfMissing(error, { head, next: null, leftOut: 0 });
  } finally {
    wait.end();
  }
};
