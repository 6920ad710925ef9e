import type { forgotPasswordMachine } from '../../../../machines/account/forgot-password.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { withQuery } from '../../../../machines/model/paths.ts';
import { press } from '../../press.ts';
import type { Headings, Stage } from '../../stage.ts';
import { fillFields, isDone, xml, typeEmail } from '../../wires.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { models } from '../../../../machines/path-models/flows/forgot-password/paths.ts';

const forms = /^(?:Forgot your password\?|Secure your account)$/;

const headings: Headings<typeof forgotPasswordMachine> = {
  asking: forms,
  sending: forms,
  sent: 'Check your email',
};

export const stage: Stage = {
  name: 'forgotPassword',
  models,
  sharesPage: true,
  address: ({ route }: FlowInput) => withQuery(route.path, route.query),
  headings,
  ports: {
    requestLink: {
      asks: ({ pathname }) => pathname.endsWith('/user/forgotpassword'),
      answer: () => xml(element('Result', [fields({ Status: 'Ok' })])),
      serverGives: isDone,
    },
  },
  causes: {
    'email.typed': typeEmail,
    'request.submitted': async (world, event) => {
      await fillFields(world, { email: (await world.customer()).email });
      await press(world, event);
    },
    'request.rejected': async (world) => {
      await fillFields(world, { email: 'no address' });
      await press(world, { type: 'request.submitted' });
    },
  },
};
