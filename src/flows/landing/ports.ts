import { landingMachine, type Carousel } from '../../../machines/browsing/landing.ts';
import type { TitleType } from '../../../machines/model/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import { titles } from '../../client/titles.ts';
import { api } from '../../client/open-client.ts';

const carouselSize = 8;

const carousel = async (type: Carousel['type'], signal: AbortSignal): Promise<Carousel> => {
  const query = { type, categoryId: null, search: '', sort: 'newest', cursor: null };
  const page = await titles(await api(), query, { limit: carouselSize, signal });
  return { type, titles: page.titles, total: page.total };
};

/** A carousel that fails to load does not take the others away; when all fail, the first failure is the answer. */
const carousels = requestPort<Carousel[], { types: TitleType[] }>(async ({ input, signal }) => {
  const results = await Promise.allSettled((['all', ...input.types] as const).map((type) => carousel(type, signal)));
  const loaded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (loaded.length === 0 && failure) throw failure.reason;
  return loaded.filter((each) => each.titles.length > 0);
});

export const flow = landingMachine.provide({ actors: { carousels } });
