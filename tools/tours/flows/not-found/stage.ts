import type { notFoundMachine } from '../../../../machines/browsing/static-pages.ts';
import type { Headings, Stage } from '../../stage.ts';
import { models } from '../../../../machines/path-models/flows/not-found/paths.ts';

const ofNotFound: Headings<typeof notFoundMachine> = { shown: 'Oops! Wrong Turn' };

export const stage: Stage = {
  name: 'notFound',
  models,
  address: () => '/no/such/page',
  headings: ofNotFound,
  ports: {},
};
