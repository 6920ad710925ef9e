import { signInMachine } from '../../../machines/account/sign-in.ts';
import { flowInput, problems, type PathModel } from '../../support/path-model.ts';
import { signInDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const credentials = {
  signIn: { email: 'reader@example.com', password: 'harbour light', remember: true },
  signUp: { name: 'A Reader', email: 'reader@example.com', password: 'harbour light', agree: true, newsletter: false },
};

export const models: PathModel[] = [
  {
    name: 'signIn',
    machine: signInMachine,
    description: signInDescription,
    given: 'Be sent to sign in by a session that has ended: /signin?expired=1.',
    input: flowInput({ flow: 'signIn', path: '/signin?expired=1', query: { expired: '1' } }),
    cases: {
      'signIn.submitted': [{ pii: { form: credentials.signIn } }],
      'signIn.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.signIn': [{ output: customer }],
      'xstate.error.actor.signIn': [described('the password is wrong', { error: problems.unauthorized })],
    },
  },
];
