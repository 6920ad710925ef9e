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
  address: ({ route }: FlowInput) => route.path,
  headings: signInHeadings,
  // The customer does not leave while the form is being sent.
  isPossible: ({ value }, { type }) => !['leave', 'page.returned', 'session.started'].includes(type) || value === 'asking',
  prepares: offerProvider,
  ports: {
    signIn: {
      asks: ({ pathname }) => pathname.endsWith('/user/signin'),
      answer: toSessionXml,
      // The typed password is right if the walk signs in, else wrong.
      serverWillAnswer: () => true,
    },
  },
  causes: {
    'email.typed': typeEmail,
    leave: leaveForProvider,
    'session.started': signInByOfferedPhone,
    'page.returned': returnFromProvider,
    'signIn.submitted': async (world, event) => {
      const { email } = await world.customer();
      const isWelcome = isDoneEvent(getNextSettlement(world, 'signIn') ?? event);
      await fillFields(world, { email, password: isWelcome ? password : 'not the password' });
      await press(world, event);
    },
    'signIn.rejected': async (world) => {
      await fillFields(world, { email: 'no address', password });
      await press(world, { type: 'signIn.submitted' });
    },
  },
};
