import type { CustomField } from '../../../../machines/model/account/custom-field.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { signUpMachine } from '../../../../machines/account/sign-up.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { newEmail } from '../../../browser/shop.ts';
import { leaveForProvider, offerProvider, returnFromProvider, signInByItsPhone } from '../../providers.ts';
import { press } from '../../press.ts';
import { isDone, sessionAnswer, fillFields, xml, typeEmail } from '../../wires.ts';
import type { Headings, Stage } from '../../stage.ts';
import { models } from '../../../../machines/path-models/flows/sign-up/paths.ts';

const upHeadings: Headings<typeof signUpMachine> = {
  loading: 'Create your account',
  failed: 'We couldn’t load the form',
  asking: 'Create your account',
  checking: 'Create your account',
  welcomed: null,
};

export const stage: Stage = {
  name: 'signUp',
  models,
  sharesPage: true,
  address: ({ route }: FlowInput) => route.path,
  headings: upHeadings,
  // While the form is on its way, nobody goes elsewhere.
  isPossible: ({ value }, { type }) => !['leave', 'page.returned', 'session.started'].includes(type) || value === 'asking',
  prepares: offerProvider,
  ports: {
    loadFields: {
      asks: ({ pathname }) => pathname.endsWith('/user/signup/fields'),
      answer: (asked: CustomField[]) =>
        xml(
          element(
            'CustomFields',
            asked.map(({ id, label, kind, isRequired }) =>
              element('CustomField', [fields({ Id: id, Label: label, Type: kind, Required: isRequired })]),
            ),
          ),
        ),
      says: (_asked: CustomField[], body) => body.includes('<CustomField>'),
    },
    signUp: { asks: ({ pathname }) => pathname.endsWith('/user/signup'), answer: sessionAnswer, serverGives: isDone },
  },
  causes: {
    'email.typed': typeEmail,
    leave: leaveForProvider,
    'session.started': signInByItsPhone,
    'page.returned': returnFromProvider,
    'signUp.submitted': async (world, event) => {
      await fillFields(world, { name: 'A Reader', email: newEmail(), password });
      await world.flow.locator('[name="agree"]').check();
      await press(world, event);
    },
    'signUp.rejected': async (world) => {
      await fillFields(world, { name: 'A Reader', email: newEmail(), password });
      await press(world, { type: 'signUp.submitted' });
    },
  },
};
