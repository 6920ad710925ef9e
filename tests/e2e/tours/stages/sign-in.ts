import type { FlowInput } from '../../../../machines/model/flow.ts';
import type { signInMachine } from '../../../../machines/account/sign-in.ts';
import type { signUpMachine } from '../../../../machines/account/sign-up.ts';
import { flowModels } from '../../../machines/flows.paths.ts';
import { password } from '../../pages/customer.ts';
import { newEmail } from '../../pages/shop.ts';
import { nextOf } from '../causes.ts';
import { press } from '../press.ts';
import type { Headings, Stage, World } from '../stage.ts';
import { element, fields } from '../../../../server/xml/write.ts';
import { xml } from '../wires.ts';
import type { SignedIn } from '../../../../machines/app/session.ts';

const type = async ({ flow }: World, fields: Record<string, string>): Promise<void> => {
  for (const [name, value] of Object.entries(fields)) await flow.locator(`[name="${name}"]`).fill(value);
};

const issued = ({ userId, pii }: SignedIn) =>
  xml(element('SignIn', [fields({ IdToken: 'a-token', UserId: userId, EmailId: pii.email })]));

const isDone = ({ type: name }: { type: string }): boolean => name.startsWith('xstate.done.');

const inHeadings: Headings<typeof signInMachine> = { asking: 'Sign in', checking: 'Sign in', welcomed: null };

export const signIn: Stage = {
  name: 'signIn',
  models: flowModels.filter(({ name }) => name === 'signIn'),
  address: ({ route }: FlowInput) => route.path,
  headings: inHeadings,
  ports: {
    signIn: {
      asks: ({ pathname }) => pathname.endsWith('/user/signin'),
      answer: issued,
      // What was typed is right when the tour wants in, else wrong.
      serverGives: () => true,
    },
  },
  causes: {
    'signIn.submitted': async (world, event) => {
      const { email } = await world.customer();
      const isWelcome = isDone(nextOf(world, 'signIn') ?? event);
      await type(world, { email, password: isWelcome ? password : 'not the password' });
      await press(world, event);
    },
    'signIn.rejected': async (world) => {
      await type(world, { email: 'no address', password });
      await press(world, { type: 'signIn.submitted' });
    },
  },
};

const upHeadings: Headings<typeof signUpMachine> = {
  asking: 'Create your account',
  checking: 'Create your account',
  welcomed: null,
};

export const signUp: Stage = {
  name: 'signUp',
  models: flowModels.filter(({ name }) => name === 'signUp'),
  address: ({ route }: FlowInput) => route.path,
  headings: upHeadings,
  ports: {
    signUp: { asks: ({ pathname }) => pathname.endsWith('/user/signup'), answer: issued, serverGives: isDone },
  },
  causes: {
    'signUp.submitted': async (world, event) => {
      await type(world, { name: 'A Reader', email: newEmail(), password });
      await world.flow.locator('[name="agree"]').check();
      await press(world, event);
    },
    'signUp.rejected': async (world) => {
      await type(world, { name: 'A Reader', email: newEmail(), password });
      await press(world, { type: 'signUp.submitted' });
    },
  },
};
