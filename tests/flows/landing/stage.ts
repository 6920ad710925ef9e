import type { landingMachine, Shelf } from '../../../machines/browsing/landing.ts';
import { titleTypeCodes } from '../../../machines/model/title.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { titlesWire } from '../../e2e/tours/wires.ts';
import { models } from './paths.ts';

const headings: Headings<typeof landingMachine> = {
  loading: 'Welcome to',
  shown: 'New on the shelves',
  empty: 'Welcome to',
  failed: 'The shelves did not come',
};

const shelfOf = (shelves: Shelf[], url: URL): Shelf | undefined =>
  shelves.find(({ type }) => String(titleTypeCodes[type]) === (url.searchParams.get('titletype') ?? '0'));

export const stage: Stage = {
  name: 'landing',
  models,
  address: () => '/',
  headings,
  ports: {
    shelves: {
      asks: ({ pathname }) => pathname.endsWith('/api/titles'),
      answer: (shelves: Shelf[], url) => titlesWire(shelfOf(shelves, url) ?? { titles: [] }),
      // Of a shop that has something in its window, more shelves than the model's are as good.
      says: (shelves: Shelf[], body) => shelves.length > 0 === body.includes('<Title>'),
    },
  },
};
