import type { dataDownloadMachine } from '../../../../machines/account/data-download.ts';
import { waitForFlowAndRecorder } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof dataDownloadMachine> = { ready: 'Your data', preparing: 'Your data' };

export const adapter: BrowserAdapter = {
  name: 'dataDownload',
  models: models.filter(({ name }) => name === 'dataDownload'),
  address: () => '/account',
  startsSignedIn: () => true,
  arrives: waitForFlowAndRecorder,
  headings,
  ports: {
    saveData: {
      asks: ({ pathname }) => pathname.endsWith('/user/data'),
      answer: () => json({ account: {} }),
      says: (_: object, body) => body.includes('"account"'),
    },
  },
};
