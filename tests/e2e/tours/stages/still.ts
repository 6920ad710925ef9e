import type { informationMachine, notFoundMachine } from '../../../../machines/browsing/static-pages.ts';
import { flowModels } from '../../../machines/flows.paths.ts';
import type { Headings, Stage } from '../stage.ts';

const ofInformation: Headings<typeof informationMachine> = { shown: 'Terms of service' };
const ofNotFound: Headings<typeof notFoundMachine> = { shown: 'Oops! Wrong Turn' };

export const information: Stage = {
  name: 'information',
  models: flowModels.filter(({ name }) => name === 'information'),
  address: () => '/terms',
  headings: ofInformation,
  ports: {},
};

export const notFound: Stage = {
  name: 'notFound',
  models: flowModels.filter(({ name }) => name === 'notFound'),
  address: () => '/no/such/page',
  headings: ofNotFound,
  ports: {},
};
