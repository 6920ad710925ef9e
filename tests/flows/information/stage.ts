import type { informationMachine } from '../../../machines/browsing/static-pages.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { models } from './paths.ts';

const ofInformation: Headings<typeof informationMachine> = { shown: 'Terms of service' };

export const stage: Stage = {
  name: 'information',
  models,
  address: () => '/terms',
  headings: ofInformation,
  ports: {},
};
