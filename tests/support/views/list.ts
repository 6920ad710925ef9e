import type { ListInfo, ListCommand, ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { toProblem } from '../../../machines/model/problem.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { channelPort } from '../../../machines/ports.ts';

/** A list's answer: some titles, and whether there are more. */
export type ListAnswer = {
  titles: TitleSummary[];
  total: number | null;
  meant?: string;
  behindFirst?: string;
  isPart?: true;
  hasMore: boolean;
  categoryName: string | null;
  categoryId: string | null;
};

/** The port of a list, whose answers the test provides. */
export const createListPort = (fetchPage: (query: ListQuery) => Promise<ListAnswer>) =>
  channelPort<ListCommand, ListFact>(({ sendBack, receive }) => {
    let query: ListQuery | null = null;
    let loadedTitles: TitleSummary[] = [];
    const sendPage = async (): Promise<void> => {
      if (query === null) return;
      const { titles, meant = null, hasMore, ...info } = await fetchPage(query);
      const about: ListInfo = { ...info, meant, scrollY: 0 };
      const from = loadedTitles.length;
      loadedTitles = [...loadedTitles, ...titles];
      if (titles.length > 0) sendBack({ type: 'titles.loaded', from, titles, count: loadedTitles.length, about });
      sendBack({ type: 'list.ended', about, hasMore });
    };
    receive((command) => {
      if (command.type === 'list.requestRange') return;
      if (command.type === 'list.request') [query, loadedTitles] = [command.query, []];
      sendPage().catch((error: unknown) => sendBack({ type: 'list.failed', problem: toProblem(error) }));
    });
  });

/** Replaces the observers of layout, which jsdom lacks: the grid keeps its size. */
export class InertObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
