import { landingMachine, type Shelf } from '../../../machines/browsing/landing.ts';
import type { TitleType } from '../../../machines/model/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import { titles } from '../../client/titles.ts';
import { api } from '../../client/open-client.ts';

const shelfSize = 8;

const shelf = async (type: Shelf['type'], signal: AbortSignal): Promise<Shelf> => {
  const query = { type, categoryId: null, search: '', sort: 'newest', cursor: null };
  const page = await titles(await api(), query, { limit: shelfSize, signal });
  return { type, titles: page.titles, total: page.total };
};

/** One shelf that fails leaves the others standing; when all fail, the first failure is the answer. */
const shelves = requestPort<Shelf[], { types: TitleType[] }>(async ({ input, signal }) => {
  const results = await Promise.allSettled((['all', ...input.types] as const).map((type) => shelf(type, signal)));
  const loaded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (loaded.length === 0 && failure) throw failure.reason;
  return loaded.filter((each) => each.titles.length > 0);
});

export const flow = landingMachine.provide({ actors: { shelves } });
