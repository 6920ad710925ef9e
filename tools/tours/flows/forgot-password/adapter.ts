import type { forgotPasswordMachine } from '../../../../machines/account/forgot-password.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { withQuery } from '../../../../machines/model/paths.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, xml, typeEmail } from '../../wires.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { models } from '../../../../machines/path-models/flows/forgot-password/paths.ts';

const formHeadings = /^(?:Forgot your password\?|Secure your account)$/;

const headings: Headings<typeof forgotPasswordMachine> = {
  asking: formHeadings,
  sending: formHeadings,
  sent: 'Check your email',
};

export const adapter: BrowserAdapter = {
  name: 'forgotPassword',
  models,
  reusesPage: true,
  address: ({ route }: FlowInput) => withQuery(route.path, route.query),
  headings,
  ports: {
    requestLink: {
      asks: ({ pathname }) => pathname.endsWith('/user/forgotpassword'),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
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
