import { landingMachine } from '../../../machines/browsing/landing.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import { shelfSize, type Carousel } from '../../../machines/model/catalogue/shelves.ts';
import type { TitleType } from '../../../machines/model/catalogue/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { Api } from '../../client/wire/client.ts';
import { titles } from '../../client/catalogue/titles.ts';
import type { World } from '../../shell/app/world.ts';
import { fetchContinue } from './continue-part.ts';

/** Of the newest, those behind the first shelf fill one that is short. */
const carouselSize = { all: 2 * shelfSize, ebook: shelfSize, audio: shelfSize, video: shelfSize, interactive: shelfSize };

const carousel = async (api: Api, type: Carousel['type'], signal: AbortSignal): Promise<Carousel> => {
  const query = { type, categoryId: null, search: '', sort: 'newest', cursor: null };
  const page = await titles(api, query, { limit: carouselSize[type], signal });
  return { type, titles: page.titles, total: page.total };
};

/** Milliseconds that the first carousel waits for the others: who has something to look at shall not wait for one that hangs. */
const patience = 5_000;
/** Milliseconds that anything at all is waited for: a call's own limit is twice as long, and nobody looks at grey covers for that. */
const longest = 8_000;

/** A carousel that fails to load, or hangs, does not take the others away; when all fail, the first failure is the answer. */
const carousels = async (api: () => Promise<Api>, types: TitleType[], signal: AbortSignal): Promise<Carousel[]> => {
  const late = new AbortController();
  const until = AbortSignal.any([signal, late.signal]);
  const asked = (['all', ...types] as const).map(async (type) => carousel(await api(), type, until));
  const abortsIn = (ms: number) => setTimeout(() => late.abort(new DOMException('No answer.', 'TimeoutError')), ms);
  const timers = [abortsIn(longest)];
  const haste = (): void => void timers.push(abortsIn(patience));
  Promise.any(asked).then(haste, () => undefined);
  const results = await Promise.allSettled(asked);
  timers.forEach(clearTimeout);
  const loaded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (loaded.length === 0 && failure) throw failure.reason;
  return loaded.filter((each) => each.titles.length > 0);
};

export const flow = ({ api, own }: World) =>
  landingMachine.provide({
    actors: {
      carousels: requestPort<Carousel[], { types: TitleType[] }>(async ({ input: { types }, signal }) =>
        carousels(api, types, signal),
      ),
      begun: requestPort<OwnedTitle[]>(async ({ signal }) => {
        const [{ lastOpened, placesSender }, shop] = await Promise.all([fetchContinue(), api()]);
        void own(placesSender)(shop);
        return lastOpened(shop, signal);
      }),
    },
  });
