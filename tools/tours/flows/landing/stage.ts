import type { landingMachine } from '../../../../machines/browsing/landing.ts';
import type { OwnedTitle } from '../../../../machines/model/buying/purchase.ts';
import type { Carousel } from '../../../../machines/model/catalogue/shelves.ts';
import { titleTypeCodes } from '../../../../machines/model/catalogue/title.ts';
import type { Headings, Stage } from '../../stage.ts';
import { purchasesWire, titlesWire } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/landing/paths.ts';

const headings: Headings<typeof landingMachine> = {
  loading: 'Welcome to',
  shown: 'New on the shelves',
  empty: 'Welcome to',
  failed: 'We couldn’t load the titles',
};

const carouselOf = (carousels: Carousel[], url: URL): Carousel | undefined =>
  carousels.find(({ type }) => String(titleTypeCodes[type]) === (url.searchParams.get('titletype') ?? '0'));

export const stage: Stage = {
  name: 'landing',
  models,
  sharesPage: true,
  address: () => '/',
  headings,
  ports: {
    carousels: {
      asks: ({ pathname }) => pathname.endsWith('/api/titles'),
      answer: (carousels: Carousel[], url) => titlesWire(carouselOf(carousels, url) ?? { titles: [] }),
      // Of a shop that has titles, more carousels than the model's are as good.
      says: (carousels: Carousel[], body) => carousels.length > 0 === body.includes('<Title>'),
    },
    begun: {
      asks: ({ pathname, searchParams }) => pathname.endsWith('/user/purchases') && searchParams.get('sort') === 'opened',
      answer: (owned: OwnedTitle[]) => purchasesWire({ titles: owned, left: null }),
      says: (owned: OwnedTitle[], body) => owned.length > 0 === body.includes('<Purchase>'),
    },
  },
};
