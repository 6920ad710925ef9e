import type { questionsMachine } from '../../../../machines/account/questions.ts';
import type { Details } from '../../../../machines/model/account/details.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, xml } from '../../wires.ts';
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
  address: ({ route }: FlowInput) => route.path,
  headings,
  prepares: async (world) => {
    if (getNextSettlement(world, 'loadQuestions') !== null) {
      world.injected('a question that the store does not ask');
      await world.page.route('**/api/user/signup/fields?*', (route) => route.fulfill(xml(townFieldXml) as { body: string }));
    }
    return undefined;
  },
  ports: {
    loadQuestions: {
      asks: ({ pathname }) => pathname.endsWith('/user/fields/values'),
      answer: ({ pii: { custom } }: Details) =>
        xml(
          renderElement('CustomFields', [
            renderFields({ Name: 'Ann' }),
            ...Object.entries(custom).map(([id, value]) =>
              renderElement('CustomField', [renderFields({ Id: id, Value: value })]),
            ),
          ]),
        ),
    },
    saveAnswers: {
      asks: ({ pathname }) => pathname.endsWith('/user/details'),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
    },
  },
  causes: {
    'answers.submitted': async (world, event) => {
      await fillFields(world, { 'field-town': 'Quay' });
      await press(world, event);
    },
    'answers.rejected': async (world) => {
      await fillFields(world, { 'field-town': '' });
      await press(world, { type: 'answers.submitted' });
    },
  },
};
