import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { signInMachine } from '../../../../machines/account/sign-in.ts';
import { password } from '../../../browser/customer.ts';
import { nextOf } from '../../causes.ts';
import { leaveForProvider, offerProvider, returnFromProvider, signInByItsPhone } from '../../providers.ts';
import { press } from '../../press.ts';
import { isDone, sessionAnswer, fillFields, typeEmail } from '../../wires.ts';
import type { Headings, Stage } from '../../stage.ts';
import { models } from '../../../../machines/path-models/flows/sign-in/paths.ts';

const inHeadings: Headings<typeof signInMachine> = { asking: 'Sign in', checking: 'Sign in', welcomed: null };

export const stage: Stage = {
  name: 'signIn',
  models: models.filter(({ name }) => name === 'signIn'),
  sharesPage: true,
  address: ({ route }: FlowInput) => route.path,
  headings: inHeadings,
  // While the form is on its way, nobody goes elsewhere.
  isPossible: ({ value }, { type }) => !['leave', 'page.returned', 'session.started'].includes(type) || value === 'asking',
  prepares: offerProvider,
  ports: {
    signIn: {
      asks: ({ pathname }) => pathname.endsWith('/user/signin'),
      answer: sessionAnswer,
      // What was typed is right when the tour wants in, else wrong.
      serverGives: () => true,
    },
  },
  causes: {
    'email.typed': typeEmail,
    leave: leaveForProvider,
    'session.started': signInByItsPhone,
    'page.returned': returnFromProvider,
    'signIn.submitted': async (world, event) => {
      const { email } = await world.customer();
      const isWelcome = isDone(nextOf(world, 'signIn') ?? event);
      await fillFields(world, { email, password: isWelcome ? password : 'not the password' });
      await press(world, event);
    },
    'signIn.rejected': async (world) => {
      await fillFields(world, { email: 'no address', password });
      await press(world, { type: 'signIn.submitted' });
    },
  },
};
