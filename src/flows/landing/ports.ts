import { landingMachine } from '../../../machines/browsing/landing.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import { SHELF_TITLES, type Carousel } from '../../../machines/model/catalogue/shelves.ts';
import type { TitleType } from '../../../machines/model/catalogue/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { Api } from '../../client/wire/client.ts';
import { fetchTitles } from '../../client/catalogue/titles.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { fetchContinueChunk } from './load-continue-chunk.ts';

/**
 * The number of titles of each carousel. The newest titles are loaded for two shelves: those after
 * the first shelf fill a short one.
 */
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
 * Milliseconds that the page waits for the other carousels after the first one has loaded: a slow
 * carousel must not block it.
 */
const otherCarouselsTimeoutMs = 5_000;
/**
 * Milliseconds that the page waits for any carousel. The timeout of a call is nearly twice as long,
 * too long to show placeholders.
 */
const anyCarouselTimeoutMs = 8_000;

/**
 * Fetches the carousels. One that fails or hangs does not affect the others.
 * @throws the first failure if all fail
 */
const fetchCarousels = async (api: () => Promise<Api>, types: TitleType[], signal: AbortSignal): Promise<Carousel[]> => {
  const timeout = new AbortController();
  const requestSignal = AbortSignal.any([signal, timeout.signal]);
  const requests = (['all', ...types] as const).map(async (type) => fetchCarousel(await api(), type, requestSignal));
  const abortAfter = (ms: number) =>
    setTimeout(() => timeout.abort(new DOMException(`The carousels did not load within ${ms} ms.`, 'TimeoutError')), ms);
  const timers = [abortAfter(anyCarouselTimeoutMs)];
  const limitOthers = (): void => void timers.push(abortAfter(otherCarouselsTimeoutMs));
  Promise.any(requests).then(limitOthers, () => undefined);
  const results = await Promise.allSettled(requests);
  timers.forEach(clearTimeout);
  const loadedCarousels = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (loadedCarousels.length === 0 && failure) throw failure.reason;
  return loadedCarousels.filter((carousel) => carousel.titles.length > 0);
};

export const flow = ({ api, scoped }: AppEnvironment) =>
  landingMachine.provide({
    actors: {
      carousels: requestPort<Carousel[], { types: TitleType[] }>(async ({ input: { types }, signal }) =>
        fetchCarousels(api, types, signal),
      ),
      startedTitles: requestPort<OwnedTitle[]>(async ({ signal }) => {
        const [{ fetchLastOpened, createPlacesSender }, shop] = await Promise.all([fetchContinueChunk(), api()]);
        void scoped(createPlacesSender)(shop);
        return fetchLastOpened(shop, signal);
      }),
    },
  });
