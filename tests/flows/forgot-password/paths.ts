import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { flowInput, problems, rejections, type PathModel } from '../../support/path-model.ts';
import { forgotPasswordDescription } from './descriptions.ts';

export const models: PathModel[] = [
  {
    name: 'forgotPassword',
    machine: forgotPasswordMachine,
    description: forgotPasswordDescription,
    given: 'As a visitor, press “Forgot your password?” on the sign-in page.',
    input: flowInput({ flow: 'forgotPassword', path: '/forgotpassword' }),
    cases: {
      'email.typed': [{ pii: { email: 'reader@example.com' } }],
      'request.submitted': [{ pii: { form: { email: 'reader@example.com' } } }],
      'request.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.requestLink': [{ output: {} }],
      'xstate.error.actor.requestLink': rejections(problems.offline),
    },
  },
];
