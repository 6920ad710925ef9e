import type { detailsMachine } from '../../../../machines/account/details.ts';
import type { Details } from '../../../../machines/model/account/details.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof detailsMachine> = {
  loading: 'Your details',
  asking: 'Your details',
  saving: 'Your details',
  failed: 'We couldn’t load your details',
};

export const adapter: BrowserAdapter = {
  name: 'details',
  models: models.filter(({ name }) => name === 'details'),
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  ports: {
    // The server's own response contains the store's fields.
    loadDetails: {
      asks: ({ pathname }) => pathname.endsWith('/user/fields/values'),
      answer: ({ pii: { name, custom } }: Details) =>
        xml(
          renderElement('CustomFields', [
            renderFields({ Name: name }),
            ...Object.entries(custom).map(([id, value]) =>
              renderElement('CustomField', [renderFields({ Id: id, Value: value })]),
            ),
          ]),
        ),
      says: (_details: Details, body) => body.includes('<Name>'),
    },
    saveDetails: {
      asks: ({ pathname }) => pathname.endsWith('/user/details'),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
    },
  },
  causes: {
    'details.submitted': async (world, event) => {
      await fillFields(world, { name: 'Ann Ferry-Man' });
      await press(world, event);
    },
    'details.rejected': async (world) => {
      await fillFields(world, { name: ' ' });
      await press(world, { type: 'details.submitted' });
    },
  },
};
