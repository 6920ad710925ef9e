import type { forgotPasswordMachine } from '../../../../machines/account/forgot-password.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { withQuery } from '../../../../machines/model/paths.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, toXmlResponse, typeEmail } from '../../wires.ts';
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
  getStartPath: ({ route }: FlowInput) => withQuery(route.path, route.query),
  headings,
  ports: {
    requestLink: {
      matches: ({ pathname }) => pathname.endsWith('/user/forgotpassword'),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
    },
  },
  causes: {
    'email.typed': typeEmail,
    'request.submitted': async (walk, event) => {
      await fillFields(walk, { email: (await walk.getCustomer()).email });
      await press(walk, event);
    },
    'request.rejected': async (walk) => {
      await fillFields(walk, { email: 'no address' });
      await press(walk, { type: 'request.submitted' });
    },
  },
};
