import type { bootMachine } from '../../../../machines/app/boot.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { askForProperties } from '../../../browser/wire.ts';
import type { Headings, Stage } from '../../stage.ts';
import { xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/shell/boot/paths.ts';

const headings: Headings<typeof bootMachine> = {
  loading: null,
  unreachable: 'The shop can’t be reached',
  valid: null,
  invalid: null,
};

export const stage: Stage = {
  name: 'boot',
  models,
  address: () => '/terms',
  headings,
  prepares: async ({ page }) => {
    await askForProperties(page);
    return undefined;
  },
  ports: {
    storeProperties: {
      asks: ({ pathname }) => pathname.endsWith('/store/properties'),
      answer: ({ shelfId }: { shelfId: string }) => xml(element('StoreProperties', [fields({ ShelfId: shelfId })])),
      says: (_: unknown, body) => body.includes('<ShelfId>'),
    },
  },
};
