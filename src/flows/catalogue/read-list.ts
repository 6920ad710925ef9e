import type { ListAbout, ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { problemOf } from '../../../machines/model/problem.ts';
import { streamTitles } from './title-stream.ts';
import { findList } from './find-list.ts';
import type { listMemory, ReadList } from './list-memory.ts';
import type { World } from '../../shell/app/world.ts';

/**
 * Titles of a first answer: some screens of a large window, and one reading of the database, so that a look at a list costs
 * the shop little however long it is. Each further answer brings as many as there are: who scrolls on gets further each
 * time, and nobody is sent more than twice what they looked at. Who comes back gets as many as they had.
 */
const firstAnswer = 100;
/** The contract's longest. */
const longestAnswer = 10_000;
/** Titles between the first reports of a long answer; later ones come each time there are twice as many. */
const reported = 100;
/** Milliseconds after which titles of a slow answer are reported, however few they are. */
const longestSilence = 500;
/** Titles from the start that are given unasked. */
const atFirst = 120;

/** Lets the browser render and handle input first; without a scheduler through a message channel, which has no minimum delay. */
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
  const problem = problemOf(error);
  return problem.kind === 'refused' && problem.code === 'bad_request';
};

/** Where lists are read: the world, and what it has read of them before. */
export type ListReader = Pick<World, 'api' | 'categoryTree' | 'treeAround' | 'scrolling' | 'spokenLanguage'> & {
  memory: ReturnType<typeof listMemory>;
};

/** Reads a list from its start or from where it was left, and reports it until it is stopped. */
export const readList = (reader: ListReader, query: ListQuery, report: (fact: ListFact) => void) => {
  const { api, memory, scrolling, spokenLanguage } = reader;
  const control = new AbortController();
  // Titles that arrive after the stop are not reported.
  const tell = (fact: ListFact): void => {
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
  /** How many titles there are before the cursor `next`; titles of a broken answer beyond it are sent again. */
  let settled = list.titles.length;
  let told = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let looked = { from: 0, to: atFirst };

  const about = (): ListAbout => {
    const { total, meant, categoryId, categoryName, behindFirst } = list;
    const said = { total, meant, categoryId, categoryName, scrollY: scroll.y, ...(behindFirst !== null && { behindFirst }) };
    // A cursor holds the count of when it was made, and one in an address is anybody's word.
    return list.start === null ? said : { ...said, total: null, isPart: true };
  };
  /** Reports how many titles there are, with those that were asked for. */
  const give = (): void => {
    clearTimeout(silence);
    silence = undefined;
    const { from, to } = looked;
    const titles = list.titles.slice(from, to);
    told = list.titles.length;
    looked = { from: from + titles.length, to };
    tell({ type: 'titles.arrived', from, titles, count: told, about: about() });
  };
  const end = (leftOut = 0): void =>
    tell({ type: 'list.ended', about: about(), hasMore: list.next !== null, ...(leftOut > 0 && { leftOut }) });

  const readOn = async (): Promise<void> => {
    let at = settled;
    const limit = Math.min(longestAnswer, Math.max(firstAnswer, settled === 0 ? scroll.titles : settled));
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
        if (told === 0 || list.titles.length - told >= Math.max(reported, told)) give();
        else silence ??= setTimeout(give, longestSilence);
        await yieldToMain();
      },
    });
    control.signal.throwIfAborted();
    // Nothing is left behind the address's cursor.
    if (list.titles.length === 0 && list.next !== null) return fromStart();
    settled = list.titles.length;
    Object.assign(list, { total: head.total, categoryName: list.categoryName ?? head.name, next });
    if (told < settled) give();
    scrolling.keepCount(settled);
    memory.remember(asked, list);
    end(leftOut);
  };

  const fromStart = (): Promise<void> => {
    Object.assign(list, { start: null, next: null });
    return readOn();
  };

  const open = async (): Promise<void> => {
    const found = await findList(reader, query, control.signal);
    if ('title' in found) return tell({ type: 'title.found', path: found.title });
    list.categoryId = found.category?.id ?? null;
    list.categoryName = found.category?.name ?? null;
    // The address's cursor may have been cut short, or belong to another order.
    return readOn().catch((error: unknown) => {
      if (list.next !== null && isBadRequest(error)) return fromStart();
      throw error;
    });
  };

  const attempt = (reading: () => Promise<void>): void => {
    reading().catch((error: unknown) => {
      if (told < list.titles.length) give();
      tell({ type: 'list.failed', problem: problemOf(error) });
    });
  };

  if (known !== null && settled > 0) {
    give();
    end();
  } else attempt(open);

  return {
    look: (range: { from: number; to: number }): void => {
      looked = range;
      give();
    },
    goOn: (): void => attempt(readOn),
    stop: (): void => {
      clearTimeout(silence);
      control.abort();
    },
  };
};
