import type { questionsMachine } from '../../../../machines/account/questions.ts';
import type { Details } from '../../../../machines/model/account/details.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/questions/paths.ts';

const headings: Headings<typeof questionsMachine> = {
  loading: null,
  asking: 'Almost there',
  saving: 'Almost there',
  answered: null,
  failed: 'We couldn’t load the shop’s questions',
};

const townFieldXml = renderElement('CustomFields', [
  renderElement('CustomField', [renderFields({ Id: 'town', Label: 'Your town', Type: 'text', Required: true })]),
]);

export const adapter: BrowserAdapter = {
  name: 'questions',
  models,
  getStartPath: ({ route }: FlowInput) => route.path,
  headings,
  prepare: async (walk) => {
    if (getNextSettlement(walk, 'loadQuestions') !== null) {
      walk.recordInjection('a question that the store does not ask');
      await walk.page.route('**/api/user/signup/fields?*', (route) =>
        route.fulfill(toXmlResponse(townFieldXml) as { body: string }),
      );
    }
    return undefined;
  },
  ports: {
    loadQuestions: {
      matches: ({ pathname }) => pathname.endsWith('/user/fields/values'),
      toResponse: ({ pii: { custom } }: Details) =>
        toXmlResponse(
          renderElement('CustomFields', [
            renderFields({ Name: 'Ann' }),
            ...Object.entries(custom).map(([id, value]) =>
              renderElement('CustomField', [renderFields({ Id: id, Value: value })]),
            ),
          ]),
        ),
    },
    saveAnswers: {
      matches: ({ pathname }) => pathname.endsWith('/user/details'),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
    },
  },
  causes: {
    'answers.submitted': async (walk, event) => {
      await fillFields(walk, { 'field-town': 'Quay' });
      await press(walk, event);
    },
    'answers.rejected': async (walk) => {
      await fillFields(walk, { 'field-town': '' });
      await press(walk, { type: 'answers.submitted' });
    },
  },
};
