import type { ListInfo, ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { toProblem } from '../../../machines/model/problem.ts';
import { streamTitles } from './title-stream.ts';
import { findList } from './find-list.ts';
import type { createListCache, ReadList } from './list-cache.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

/**
 * The number of titles of a first response: some screens of a large window, in one database query,
 * so that opening a list of any length costs little. Each later response doubles the loaded titles,
 * so continued scrolling needs few requests, and at most twice the viewed titles are sent. On
 * return to a list, as many titles are loaded as before.
 */
const firstPageSize = 100;
/** The contract's maximum number of titles in a response. */
const maxPageSize = 10_000;
/**
 * Minimum number of titles between two reports of a long response. The first titles are reported at
 * once; later reports follow each time the number has doubled.
 */
const minReportSize = 100;
/** Milliseconds after which the titles of a slow response are reported, however few they are. */
const maxReportDelayMs = 500;
/** The number of titles from the start that are reported without a request for their range. */
const initialRangeSize = 120;

/**
 * Lets the browser render and handle input first. Without `scheduler`, uses a message channel,
 * which has no minimum delay.
 */
const yieldToMain = (): Promise<void> => {
  if ('scheduler' in globalThis) return scheduler.postTask(() => {}, { priority: 'background' });
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
};

const isBadRequest = (error: unknown): boolean => {
  const problem = toProblem(error);
  return problem.kind === 'refused' && problem.code === 'bad_request';
};

/** The dependencies of `readList`: a part of the app environment, and the cache of lists. */
export type ListReader = Pick<AppEnvironment, 'api' | 'categoryTree' | 'treeAround' | 'scrolling' | 'spokenLanguage'> & {
  cache: ReturnType<typeof createListCache>;
};

/**
 * Loads a list from its start or the URL's cursor, or restores it as it was when the customer left
 * it, and reports its titles to `report` until it is stopped.
 */
export const readList = (reader: ListReader, query: ListQuery, report: (fact: ListFact) => void) => {
  const { api, cache, scrolling, spokenLanguage } = reader;
  const controller = new AbortController();
  // Titles that arrive after the stop are not reported.
  const emit = (fact: ListFact): void => {
    if (!controller.signal.aborted) report(fact);
  };
  const scroll = scrolling.read();
  const cacheKey = { ...query, language: spokenLanguage() };
  const cachedList = scroll.isReturn ? cache.recall(cacheKey) : null;
  const list: ReadList = cachedList ?? {
    titles: [],
    total: null,
    meant: null,
    categoryId: null,
    categoryName: null,
    behindFirst: null,
    start: query.after ?? null,
    next: query.after ?? null,
  };
  /**
   * The number of titles before the cursor `next`; titles of an interrupted response beyond it are
   * sent again.
   */
  let settledCount = list.titles.length;
  let sentCount = 0;
  let reportTimer: ReturnType<typeof setTimeout> | undefined;
  let requestedRange = { from: 0, to: initialRangeSize };

  const getListInfo = (): ListInfo => {
    const { total, meant, categoryId, categoryName, behindFirst } = list;
    const info = { total, meant, categoryId, categoryName, scrollY: scroll.y, ...(behindFirst !== null && { behindFirst }) };
    // A cursor contains the total at its creation, and a cursor from a URL is untrusted, so its
    // total is not shown.
    return list.start === null ? info : { ...info, total: null, isPart: true };
  };
  /** Reports the number of loaded titles, with the titles of the requested range. */
  const reportRange = (): void => {
    clearTimeout(reportTimer);
    reportTimer = undefined;
    const { from, to } = requestedRange;
    const titles = list.titles.slice(from, to);
    sentCount = list.titles.length;
    requestedRange = { from: from + titles.length, to };
    emit({ type: 'titles.loaded', from, titles, count: sentCount, about: getListInfo() });
  };
  const reportEnd = (leftOut = 0): void =>
    emit({ type: 'list.ended', about: getListInfo(), hasMore: list.next !== null, ...(leftOut > 0 && { leftOut }) });

  const readNextPage = async (): Promise<void> => {
    let nextIndex = settledCount;
    const limit = Math.min(maxPageSize, Math.max(firstPageSize, settledCount === 0 ? scroll.titles : settledCount));
    const { head, next, leftOut } = await streamTitles(await api(), query, {
      limit,
      cursor: list.next,
      categoryId: list.categoryId,
      signal: controller.signal,
      onTitles: async (titles, { total, name, meant, behindFirst }) => {
        for (const title of titles) list.titles[nextIndex++] = title;
        list.total = total;
        list.meant ??= meant;
        list.categoryName ??= name;
        list.behindFirst ??= behindFirst;
        if (sentCount === 0 || list.titles.length - sentCount >= Math.max(minReportSize, sentCount)) reportRange();
        else reportTimer ??= setTimeout(reportRange, maxReportDelayMs);
        await yieldToMain();
      },
    });
    controller.signal.throwIfAborted();
    // No titles follow the URL's cursor, so the list is read from its start.
    if (list.titles.length === 0 && list.next !== null) return readFromStart();
    settledCount = list.titles.length;
    Object.assign(list, { total: head.total, categoryName: list.categoryName ?? head.name, next });
    if (sentCount < settledCount) reportRange();
    scrolling.keepCount(settledCount);
    cache.remember(cacheKey, list);
    reportEnd(leftOut);
  };

  const readFromStart = (): Promise<void> => {
    Object.assign(list, { start: null, next: null });
    return readNextPage();
  };

  const openList = async (): Promise<void> => {
    const foundList = await findList(reader, query, controller.signal);
    if ('title' in foundList) return emit({ type: 'title.found', path: foundList.title });
    list.categoryId = foundList.category?.id ?? null;
    list.categoryName = foundList.category?.name ?? null;
    // The URL's cursor may be truncated, or belong to another sort order.
    return readNextPage().catch((error: unknown) => {
      if (list.next !== null && isBadRequest(error)) return readFromStart();
      throw error;
    });
  };

  const runOrReportFailure = (read: () => Promise<void>): void => {
    read().catch((error: unknown) => {
      if (sentCount < list.titles.length) reportRange();
      emit({ type: 'list.failed', problem: toProblem(error) });
    });
  };

  if (cachedList !== null && settledCount > 0) {
    reportRange();
    reportEnd();
  } else runOrReportFailure(openList);

  return {
    requestRange: (range: { from: number; to: number }): void => {
      requestedRange = range;
      reportRange();
    },
    loadMore: (): void => runOrReportFailure(readNextPage),
    stop: (): void => {
      clearTimeout(reportTimer);
      controller.abort();
    },
  };
};
