import type { dataDownloadMachine } from '../../../../machines/account/data-download.ts';
import { waitForFlowAndRecorder } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof dataDownloadMachine> = { ready: 'Your data', preparing: 'Your data' };

export const adapter: BrowserAdapter = {
  name: 'dataDownload',
  models: models.filter(({ name }) => name === 'dataDownload'),
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  openScreen: waitForFlowAndRecorder,
  headings,
  ports: {
    saveData: {
      matches: ({ pathname }) => pathname.endsWith('/user/data'),
      toResponse: () => toJsonResponse({ account: {} }),
      isEquivalent: (_: object, body) => body.includes('"account"'),
    },
  },
};
