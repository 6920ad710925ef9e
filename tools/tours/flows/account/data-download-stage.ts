import type { dataDownloadMachine } from '../../../../machines/account/data-download.ts';
import { standsRecorded } from '../../causes.ts';
import type { Headings, Stage } from '../../stage.ts';
import { json } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof dataDownloadMachine> = { ready: 'Your data', preparing: 'Your data' };

export const stage: Stage = {
  name: 'dataDownload',
  models: models.filter(({ name }) => name === 'dataDownload'),
  address: () => '/account',
  startsSignedIn: () => true,
  arrives: standsRecorded,
  headings,
  ports: {
    saveData: {
      asks: ({ pathname }) => pathname.endsWith('/user/data'),
      answer: () => json({ account: {} }),
      says: (_: object, body) => body.includes('"account"'),
    },
  },
};
