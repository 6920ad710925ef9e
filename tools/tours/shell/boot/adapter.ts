import type { bootMachine } from '../../../../machines/app/boot.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { forcePropertiesRequest } from '../../../browser/wire.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/shell/boot/paths.ts';

const headings: Headings<typeof bootMachine> = {
  loading: null,
  unreachable: 'The shop can’t be reached',
  valid: null,
  invalid: null,
};

export const adapter: BrowserAdapter = {
  name: 'boot',
  models,
  getStartPath: () => '/terms',
  headings,
  prepare: async ({ page }) => {
    await forcePropertiesRequest(page);
    return undefined;
  },
  ports: {
    storeProperties: {
      matches: ({ pathname }) => pathname.endsWith('/store/properties'),
      toResponse: ({ shelfId }: { shelfId: string }) =>
        toXmlResponse(renderElement('StoreProperties', [renderFields({ ShelfId: shelfId })])),
      isEquivalent: (_: unknown, body) => body.includes('<ShelfId>'),
    },
  },
};
