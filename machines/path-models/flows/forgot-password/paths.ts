import { forgotPasswordMachine } from '../../../account/forgot-password.ts';
import { createFlowInput, problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { forgotPasswordDescription } from './descriptions.ts';

const createModel = (startInstruction: string, query: Record<string, string>): PathModel => ({
  name: 'forgotPassword',
  machine: forgotPasswordMachine,
  description: forgotPasswordDescription,
  startInstruction,
  input: createFlowInput({ flow: 'forgotPassword', path: '/forgotpassword', query }),
  cases: {
    'email.typed': [{ pii: { email: 'reader@example.com' } }],
    'request.submitted': [{ pii: { form: { email: 'reader@example.com' } } }],
    'request.rejected': [{ fields: { email: 'email' } }],
    'xstate.done.actor.requestLink': [{ output: {} }],
    'xstate.error.actor.requestLink': toRejectionCases(problems.offline),
  },
});

export const models: PathModel[] = [
  createModel('As a visitor, press “Forgot your password?” on the sign-in page.', {}),
  createModel('As a visitor, open /forgotpassword?notme=1, to which the e-mail about a new password leads.', { notme: '1' }),
];
