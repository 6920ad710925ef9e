import type { informationMachine } from '../../../../machines/browsing/static-pages.ts';
import type { Headings, Stage } from '../../stage.ts';
import { models } from '../../../../machines/path-models/flows/information/paths.ts';

const ofInformation: Headings<typeof informationMachine> = { shown: 'Terms of service' };

export const stage: Stage = {
  name: 'information',
  models,
  address: () => '/terms',
  headings: ofInformation,
  ports: {},
};
