import { forgotPasswordMachine } from '../../../account/forgot-password.ts';
import { flowInput, problems, rejections, type PathModel } from '../../path-model.ts';
import { forgotPasswordDescription } from './descriptions.ts';

const model = (given: string, query: Record<string, string>): PathModel => ({
  name: 'forgotPassword',
  machine: forgotPasswordMachine,
  description: forgotPasswordDescription,
  given,
  input: flowInput({ flow: 'forgotPassword', path: '/forgotpassword', query }),
  cases: {
    'email.typed': [{ pii: { email: 'reader@example.com' } }],
    'request.submitted': [{ pii: { form: { email: 'reader@example.com' } } }],
    'request.rejected': [{ fields: { email: 'email' } }],
    'xstate.done.actor.requestLink': [{ output: {} }],
    'xstate.error.actor.requestLink': rejections(problems.offline),
  },
});

export const models: PathModel[] = [
  model('As a visitor, press “Forgot your password?” on the sign-in page.', {}),
  model('As a visitor, open /forgotpassword?notme=1, to which the letter about a new password leads.', { notme: '1' }),
];
