import type { landingMachine } from '../../../../machines/browsing/landing.ts';
import type { OwnedTitle } from '../../../../machines/model/buying/purchase.ts';
import type { Carousel } from '../../../../machines/model/catalogue/shelves.ts';
import { titleTypeCodes } from '../../../../machines/model/catalogue/title.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toPurchasesXml, toTitlesXml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/landing/paths.ts';

const headings: Headings<typeof landingMachine> = {
  loading: 'Welcome to',
  shown: 'New on the shelves',
  empty: 'Welcome to',
  failed: 'We couldn’t load the titles',
};

const findCarousel = (carousels: Carousel[], url: URL): Carousel | undefined =>
  carousels.find(({ type }) => String(titleTypeCodes[type]) === (url.searchParams.get('titletype') ?? '0'));

export const adapter: BrowserAdapter = {
  name: 'landing',
  models,
  reusesPage: true,
  getStartPath: () => '/',
  headings,
  ports: {
    carousels: {
      matches: ({ pathname }) => pathname.endsWith('/api/titles'),
      toResponse: (carousels: Carousel[], url) => toTitlesXml(findCarousel(carousels, url) ?? { titles: [] }),
      // The server of a shop with titles may return more carousels than the model.
      isEquivalent: (carousels: Carousel[], body) => carousels.length > 0 === body.includes('<Title>'),
    },
    startedTitles: {
      matches: ({ pathname, searchParams }) => pathname.endsWith('/user/purchases') && searchParams.get('sort') === 'opened',
      toResponse: (ownedTitles: OwnedTitle[]) => toPurchasesXml({ titles: ownedTitles, left: null }),
      isEquivalent: (ownedTitles: OwnedTitle[], body) => ownedTitles.length > 0 === body.includes('<Purchase>'),
    },
  },
};
