import type { CustomField } from '../../../../machines/model/account/custom-field.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { signUpMachine } from '../../../../machines/account/sign-up.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { createEmail } from '../../../browser/shop.ts';
import { leaveForProvider, offerProvider, returnFromProvider, signInByOfferedPhone } from '../../providers.ts';
import { press } from '../../press.ts';
import { isDoneEvent, toSessionXml, fillFields, toXmlResponse, typeEmail } from '../../wires.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/flows/sign-up/paths.ts';

const signUpHeadings: Headings<typeof signUpMachine> = {
  loading: 'Create your account',
  failed: 'We couldn’t load the form',
  asking: 'Create your account',
  checking: 'Create your account',
  welcomed: null,
};

export const adapter: BrowserAdapter = {
  name: 'signUp',
  models,
  reusesPage: true,
  getStartPath: ({ route }: FlowInput) => route.path,
  headings: signUpHeadings,
  // A walk does not leave while the form is being sent.
  isPossible: ({ value }, { type }) => !['leave', 'page.returned', 'session.started'].includes(type) || value === 'asking',
  prepare: offerProvider,
  ports: {
    loadFields: {
      matches: ({ pathname }) => pathname.endsWith('/user/signup/fields'),
      toResponse: (fields: CustomField[]) =>
        toXmlResponse(
          renderElement(
            'CustomFields',
            fields.map(({ id, label, kind, isRequired }) =>
              renderElement('CustomField', [renderFields({ Id: id, Label: label, Type: kind, Required: isRequired })]),
            ),
          ),
        ),
      isEquivalent: (_fields: CustomField[], body) => body.includes('<CustomField>'),
    },
    signUp: {
      matches: ({ pathname }) => pathname.endsWith('/user/signup'),
      toResponse: toSessionXml,
      serverWillAnswer: isDoneEvent,
    },
  },
  causes: {
    'email.typed': typeEmail,
    leave: leaveForProvider,
    'session.started': signInByOfferedPhone,
    'page.returned': returnFromProvider,
    'signUp.submitted': async (walk, event) => {
      await fillFields(walk, { name: 'A Reader', email: createEmail(), password });
      await walk.flow.locator('[name="agree"]').check();
      await press(walk, event);
    },
    'signUp.rejected': async (walk) => {
      await fillFields(walk, { name: 'A Reader', email: createEmail(), password });
      await press(walk, { type: 'signUp.submitted' });
    },
  },
};
