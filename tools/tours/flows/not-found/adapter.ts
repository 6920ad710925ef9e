import type { notFoundMachine } from '../../../../machines/browsing/static-pages.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/flows/not-found/paths.ts';

const notFoundHeadings: Headings<typeof notFoundMachine> = { shown: 'Oops! Wrong Turn' };

export const adapter: BrowserAdapter = {
  name: 'notFound',
  models,
  getStartPath: () => '/no/such/page',
  headings: notFoundHeadings,
  ports: {},
};
