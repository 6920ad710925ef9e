import { titleTypeCodes, TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { xmlAnswer } from '../../client/wire/answer.ts';
import type { Api } from '../../client/wire/client.ts';
import { listAddress } from '../../client/catalogue/list-address.ts';
import { orWhenMissing } from '../../client/wire/problem.ts';
import { sieve } from '../../client/wire/sieve.ts';
import { summaryFields } from '../../client/catalogue/title-fields.ts';
import { numberIn, textIn, type XmlNode } from '../../client/wire/xml-node.ts';

/** What a list's head says: how many titles it has, null when nobody counted, what it is called, and what the search was taken for. */
export type ListHead = { total: number | null; name: string | null; meant: string | null; behindFirst: string | null };

type Streaming = {
  /** At most 10,000. */
  limit: number;
  cursor: string | null;
  /** The category that the list is of, by its Id. */
  categoryId: string | null;
  signal: AbortSignal;
  /** Called with titles as they arrive; the next ones are read when it has finished. */
  onTitles: (titles: TitleSummary[], head: ListHead) => Promise<void>;
};

/** Milliseconds that an answer may pause; all of a long one may take longer. */
const longestPause = 15_000;

/** A signal that aborts with a TimeoutError when nothing has been `heard` for long. */
const timeLimit = (given: AbortSignal) => {
  const control = new AbortController();
  const giveUp = (): void => control.abort(new DOMException('The answer paused for too long.', 'TimeoutError'));
  let timer = setTimeout(giveUp, longestPause);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, longestPause);
  };
  return { signal: AbortSignal.any([given, control.signal]), heard, end: () => clearTimeout(timer) };
};

const headIn = (root: XmlNode): ListHead => {
  const total = numberIn(root, 'total');
  return {
    total: Number.isInteger(total) ? (total ?? null) : null,
    name: textIn(root, 'name') ?? null,
    meant: textIn(root, 'meant') || null,
    behindFirst: textIn(root, 'behindFirst') ?? null,
  };
};

const joined = (values: readonly (string | number)[]): string | undefined => (values.length === 0 ? undefined : values.join(','));

/** A list as the contract asks for it. */
export const parametersOf = ({ type, of, search, sort, priceFrom, priceTo, free, ...query }: ListQuery) => ({
  titletype: titleTypeCodes[type],
  catalogid: of.kind === 'catalog' ? of.id : undefined,
  titlesetid: of.kind === 'titleset' ? of.id : undefined,
  search,
  sort,
  pricefrom: priceFrom ?? undefined,
  priceto: priceTo ?? undefined,
  free: free || undefined,
  kinds: joined(query.kinds.map((kind) => titleTypeCodes[kind])),
  categories: joined(query.categories),
  languages: joined(query.languages),
  author: query.author || undefined,
  series: query.series || undefined,
  plan: query.plan || undefined,
});

/**
 * Reads a list as it arrives.
 * @returns its head, the cursor of what comes behind it, null at the end, and how many titles could not be read.
 * @throws Problem as any call; titles that were heard of before it stay good.
 */
export const streamTitles = async (
  api: Api,
  query: ListQuery,
  { limit, cursor, categoryId, signal, onTitles }: Streaming,
): Promise<{ head: ListHead; next: string | null; leftOut: number }> => {
  const call = 'titles';
  const address = listAddress(api, call, cursor);
  const wait = timeLimit(signal);
  let head: ListHead = { total: null, name: null, meant: null, behindFirst: null };
  let heard: TitleSummary[] = [];
  const readable = sieve(api, call, 'titles', TitleSummary);
  const tell = async (): Promise<void> => {
    wait.heard();
    const titles = heard;
    heard = [];
    if (titles.length > 0) await onTitles(titles, head);
  };
  const asked = { ...parametersOf(query), categoryid: categoryId ?? undefined, cursor: cursor ?? undefined, limit };
  const sending = api.client.GET(address?.path ?? '/titles', {
    params: { query: address?.query ?? asked },
    ...api.reading(),
    signal: wait.signal,
  });
  try {
    const root = await xmlAnswer(api, call, sending, 'titles', {
      item: 'title',
      onRoot: (node) => (head = headIn(node)),
      onItem: (node) => void heard.push(...readable.take(summaryFields(node, api.base))),
      onChunk: tell,
    });
    await tell();
    const end = headIn(root);
    const next = textIn(root, 'next') ?? null;
    return {
      head: {
        total: end.total ?? head.total,
        name: end.name ?? head.name,
        meant: end.meant ?? head.meant,
        behindFirst: end.behindFirst ?? head.behindFirst,
      },
      // A server that names the same place for ever has no more.
      next: next === cursor ? null : next,
      leftOut: readable.end(),
    };
  } catch (error) {
    // Of all titles none were found; a category, a catalog or a title set that is missing is another matter.
    if (query.of.kind !== 'all') throw error;
    return orWhenMissing(error, { head, next: null, leftOut: 0 });
  } finally {
    wait.end();
  }
};
