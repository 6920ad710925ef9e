import type { informationMachine } from '../../../../machines/browsing/static-pages.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/flows/information/paths.ts';

const informationHeadings: Headings<typeof informationMachine> = { shown: 'Terms of service' };

export const adapter: BrowserAdapter = {
  name: 'information',
  models,
  getStartPath: () => '/terms',
  headings: informationHeadings,
  ports: {},
};
