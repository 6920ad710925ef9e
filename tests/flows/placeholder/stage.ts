import type { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { models } from './paths.ts';

const ofPlaceholder: Headings<typeof placeholderMachine> = { shown: 'Your cart' };

export const stage: Stage = {
  name: 'placeholder',
  models,
  address: () => '/purchase',
  headings: ofPlaceholder,
  ports: {},
};
