import { landingMachine } from '../../../machines/browsing/landing.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import { SHELF_TITLES, type Carousel } from '../../../machines/model/catalogue/shelves.ts';
import type { TitleType } from '../../../machines/model/catalogue/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { Api } from '../../client/wire/client.ts';
import { fetchTitles } from '../../client/catalogue/titles.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { fetchContinueChunk } from './load-continue-chunk.ts';

/** The newest titles are loaded for two shelves: those after the first fill a short shelf. */
const carouselSizes = {
  all: 2 * SHELF_TITLES,
  ebook: SHELF_TITLES,
  audio: SHELF_TITLES,
  video: SHELF_TITLES,
  interactive: SHELF_TITLES,
};

const fetchCarousel = async (api: Api, type: Carousel['type'], signal: AbortSignal): Promise<Carousel> => {
  const query = { type, categoryId: null, search: '', sort: 'newest', cursor: null };
  const page = await fetchTitles(api, query, { limit: carouselSizes[type], signal });
  return { type, titles: page.titles, total: page.total };
};

/**
 * Milliseconds that the first loaded carousel waits for the others: a slow carousel must not block
 * it.
 */
const otherCarouselsTimeoutMs = 5_000;
/**
 * Milliseconds that the page waits for any carousel: a call's own timeout is twice as long, too
 * long to show placeholders.
 */
const anyCarouselTimeoutMs = 8_000;

/**
 * A carousel that fails or hangs does not affect the others; when all fail, the first failure is
 * the answer.
 */
const fetchCarousels = async (api: () => Promise<Api>, types: TitleType[], signal: AbortSignal): Promise<Carousel[]> => {
  const late = new AbortController();
  const until = AbortSignal.any([signal, late.signal]);
  const asked = (['all', ...types] as const).map(async (type) => fetchCarousel(await api(), type, until));
  const abortsIn = (ms: number) => setTimeout(() => late.abort(new DOMException('No answer.', 'TimeoutError')), ms);
  const timers = [abortsIn(anyCarouselTimeoutMs)];
  const haste = (): void => void timers.push(abortsIn(otherCarouselsTimeoutMs));
  Promise.any(asked).then(haste, () => undefined);
  const results = await Promise.allSettled(asked);
  timers.forEach(clearTimeout);
  const loaded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (loaded.length === 0 && failure) throw failure.reason;
  return loaded.filter((each) => each.titles.length > 0);
};

export const flow = ({ api, scoped }: AppEnvironment) =>
  landingMachine.provide({
    actors: {
      carousels: requestPort<Carousel[], { types: TitleType[] }>(async ({ input: { types }, signal }) =>
        fetchCarousels(api, types, signal),
      ),
      begun: requestPort<OwnedTitle[]>(async ({ signal }) => {
        const [{ fetchLastOpened, createPlacesSender }, shop] = await Promise.all([fetchContinueChunk(), api()]);
        void scoped(createPlacesSender)(shop);
        return fetchLastOpened(shop, signal);
      }),
    },
  });
