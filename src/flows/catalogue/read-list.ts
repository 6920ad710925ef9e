import type { ListInfo, ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { toProblem } from '../../../machines/model/problem.ts';
import { streamTitles } from './title-stream.ts';
import { findList } from './find-list.ts';
import type { createListCache, ReadList } from './list-cache.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

/**
 * Titles of a first answer: some screens of a large window, in one database query, so that opening
 * a list of any length costs little. Each later answer doubles the loaded titles, so
 * continued scrolling needs few requests, and at most twice the viewed titles are sent. On return
 * to a list, as many titles are loaded as before.
 */
const firstPageSize = 100;
/** The contract's maximum. */
const maxPageSize = 10_000;
/**
 * Titles before the first report of a long answer; later reports follow each time their number has
 * doubled.
 */
const firstReportSize = 100;
/** Milliseconds after which the titles of a slow answer are reported, however few they are. */
const maxReportDelayMs = 500;
/** Titles from the start that are reported without a request for their range. */
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

/** The reader's dependencies: the app environment, and the lists that are cached there. */
export type ListReader = Pick<AppEnvironment, 'api' | 'categoryTree' | 'treeAround' | 'scrolling' | 'spokenLanguage'> & {
  memory: ReturnType<typeof createListCache>;
};

/** Loads a list from its start or from where it was left, and reports it until it is stopped. */
export const readList = (reader: ListReader, query: ListQuery, report: (fact: ListFact) => void) => {
  const { api, memory, scrolling, spokenLanguage } = reader;
  const control = new AbortController();
  // Titles that arrive after the stop are not reported.
  const emit = (fact: ListFact): void => {
    if (!control.signal.aborted) report(fact);
  };
  const scroll = scrolling.saved();
  const asked = { ...query, language: spokenLanguage() };
  const known = scroll.isReturn ? memory.recall(asked) : null;
  const list: ReadList = known ?? {
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
   * The number of titles before the cursor `next`; titles of an interrupted answer beyond it are
   * sent again.
   */
  let settledCount = list.titles.length;
  let sentCount = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let requestedRange = { from: 0, to: initialRangeSize };

  const getListFacts = (): ListInfo => {
    const { total, meant, categoryId, categoryName, behindFirst } = list;
    const said = { total, meant, categoryId, categoryName, scrollY: scroll.y, ...(behindFirst !== null && { behindFirst }) };
    // A cursor contains the total at its creation, and a cursor from an address is untrusted: its
    // total is not shown.
    return list.start === null ? said : { ...said, total: null, isPart: true };
  };
  /** Reports the number of titles, with those that were requested. */
  const reportRange = (): void => {
    clearTimeout(silence);
    silence = undefined;
    const { from, to } = requestedRange;
    const titles = list.titles.slice(from, to);
    sentCount = list.titles.length;
    requestedRange = { from: from + titles.length, to };
    emit({ type: 'titles.arrived', from, titles, count: sentCount, about: getListFacts() });
  };
  const end = (leftOut = 0): void =>
    emit({ type: 'list.ended', about: getListFacts(), hasMore: list.next !== null, ...(leftOut > 0 && { leftOut }) });

  const readNextPage = async (): Promise<void> => {
    let at = settledCount;
    const limit = Math.min(maxPageSize, Math.max(firstPageSize, settledCount === 0 ? scroll.titles : settledCount));
    const { head, next, leftOut } = await streamTitles(await api(), query, {
      limit,
      cursor: list.next,
      categoryId: list.categoryId,
      signal: control.signal,
      onTitles: async (titles, { total, name, meant, behindFirst }) => {
        for (const title of titles) list.titles[at++] = title;
        list.total = total;
        list.meant ??= meant;
        list.categoryName ??= name;
        list.behindFirst ??= behindFirst;
        if (sentCount === 0 || list.titles.length - sentCount >= Math.max(firstReportSize, sentCount)) reportRange();
        else silence ??= setTimeout(reportRange, maxReportDelayMs);
        await yieldToMain();
      },
    });
    control.signal.throwIfAborted();
    // No titles are left after the cursor of the address.
    if (list.titles.length === 0 && list.next !== null) return fromStart();
    settledCount = list.titles.length;
    Object.assign(list, { total: head.total, categoryName: list.categoryName ?? head.name, next });
    if (sentCount < settledCount) reportRange();
    scrolling.keepCount(settledCount);
    memory.remember(asked, list);
    end(leftOut);
  };

  const fromStart = (): Promise<void> => {
    Object.assign(list, { start: null, next: null });
    return readNextPage();
  };

  const open = async (): Promise<void> => {
    const found = await findList(reader, query, control.signal);
    if ('title' in found) return emit({ type: 'title.found', path: found.title });
    list.categoryId = found.category?.id ?? null;
    list.categoryName = found.category?.name ?? null;
    // The cursor of the address may be truncated, or belong to another order.
    return readNextPage().catch((error: unknown) => {
      if (list.next !== null && isBadRequest(error)) return fromStart();
      throw error;
    });
  };

  const attempt = (reading: () => Promise<void>): void => {
    reading().catch((error: unknown) => {
      if (sentCount < list.titles.length) reportRange();
      emit({ type: 'list.failed', problem: toProblem(error) });
    });
  };

  if (known !== null && settledCount > 0) {
    reportRange();
    end();
  } else attempt(open);

  return {
    look: (range: { from: number; to: number }): void => {
      requestedRange = range;
      reportRange();
    },
    loadMore: (): void => attempt(readNextPage),
    stop: (): void => {
      clearTimeout(silence);
      control.abort();
    },
  };
};
