import type { notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { models } from './paths.ts';

const ofNotFound: Headings<typeof notFoundMachine> = { shown: 'Oops! Wrong Turn' };

export const stage: Stage = {
  name: 'notFound',
  models,
  address: () => '/no/such/page',
  headings: ofNotFound,
  ports: {},
};
