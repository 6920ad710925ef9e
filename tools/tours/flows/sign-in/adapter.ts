import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { signInMachine } from '../../../../machines/account/sign-in.ts';
import { password } from '../../../browser/customer.ts';
import { getNextSettlement } from '../../causes.ts';
import { leaveForProvider, offerProvider, returnFromProvider, signInByOfferedPhone } from '../../providers.ts';
import { press } from '../../press.ts';
import { isDoneEvent, toSessionXml, fillFields, typeEmail } from '../../wires.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/flows/sign-in/paths.ts';

const signInHeadings: Headings<typeof signInMachine> = { asking: 'Sign in', checking: 'Sign in', welcomed: null };

export const adapter: BrowserAdapter = {
  name: 'signIn',
  models: models.filter(({ name }) => name === 'signIn'),
  reusesPage: true,
  getStartPath: ({ route }: FlowInput) => route.path,
  headings: signInHeadings,
  // A walk does not leave while the form is being sent.
  isPossible: ({ value }, { type }) => !['leave', 'page.returned', 'session.started'].includes(type) || value === 'asking',
  prepare: offerProvider,
  ports: {
    signIn: {
      matches: ({ pathname }) => pathname.endsWith('/user/signin'),
      toResponse: toSessionXml,
      // The walk types the right password if the sign-in succeeds, else a wrong one.
      serverWillAnswer: () => true,
    },
  },
  causes: {
    'email.typed': typeEmail,
    leave: leaveForProvider,
    'session.started': signInByOfferedPhone,
    'page.returned': returnFromProvider,
    'signIn.submitted': async (walk, event) => {
      const { email } = await walk.getCustomer();
      const isAccepted = isDoneEvent(getNextSettlement(walk, 'signIn') ?? event);
      await fillFields(walk, { email, password: isAccepted ? password : 'not the password' });
      await press(walk, event);
    },
    'signIn.rejected': async (walk) => {
      await fillFields(walk, { email: 'no address', password });
      await press(walk, { type: 'signIn.submitted' });
    },
  },
};
