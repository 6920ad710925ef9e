import type { detailsMachine } from '../../../../machines/account/details.ts';
import type { Details } from '../../../../machines/model/account/details.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, toXmlResponse } from '../../wires.ts';
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
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  headings,
  ports: {
    // The server's own response contains the store's fields.
    loadDetails: {
      matches: ({ pathname }) => pathname.endsWith('/user/fields/values'),
      toResponse: ({ pii: { name, custom } }: Details) =>
        toXmlResponse(
          renderElement('CustomFields', [
            renderFields({ Name: name }),
            ...Object.entries(custom).map(([id, value]) =>
              renderElement('CustomField', [renderFields({ Id: id, Value: value })]),
            ),
          ]),
        ),
      isEquivalent: (_details: Details, body) => body.includes('<Name>'),
    },
    saveDetails: {
      matches: ({ pathname }) => pathname.endsWith('/user/details'),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
    },
  },
  causes: {
    'details.submitted': async (walk, event) => {
      await fillFields(walk, { name: 'Ann Ferry-Man' });
      await press(walk, event);
    },
    'details.rejected': async (walk) => {
      await fillFields(walk, { name: ' ' });
      await press(walk, { type: 'details.submitted' });
    },
  },
};
