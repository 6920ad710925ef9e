import { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { described } from '../../support/description.ts';
import { flowInput, problems, rejections, type PathModel } from '../../support/path-model.ts';
import { resetPasswordDescription } from './descriptions.ts';

const linkOver: Problem = { kind: 'refused', code: 'link_over', message: 'This link has been used' };

export const models: PathModel[] = [
  {
    name: 'resetPassword',
    machine: resetPasswordMachine,
    description: resetPasswordDescription,
    given: 'As a visitor, ask for a letter at /forgotpassword, and open the link in it, in data/outbox: /resetpassword/….',
    input: flowInput({ flow: 'resetPassword', path: '/resetpassword/…', params: { secret: '…' } }),
    cases: {
      'password.submitted': [{ pii: { form: { password: 'lamp and oil', again: 'lamp and oil' } } }],
      'password.rejected': [{ fields: { again: 'mismatch' } }],
      'xstate.done.actor.checkLink': [
        described('it is', { output: true }),
        described('it has been used, or is too old', { output: false }, 'Set a password by the link once'),
      ],
      'xstate.error.actor.checkLink': rejections(problems.offline),
      'xstate.done.actor.savePassword': [{ output: {} }],
      'xstate.error.actor.savePassword': [
        described('the link has been used meanwhile', { error: linkOver }, 'Set a password by the same link in another tab'),
        ...rejections(problems.offline),
      ],
    },
  },
];
