import { resetPasswordMachine } from '../../../account/reset-password.ts';
import type { Problem } from '../../../model/problem.ts';
import type { RemovableLogin } from '../../../model/account/reset.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { resetPasswordDescription } from './descriptions.ts';

const linkProblem: Problem = { kind: 'refused', code: 'link_over', message: 'This link has been used' };

const laptop: RemovableLogin = {
  kind: 'device',
  id: 'd1',
  name: 'Chrome, Linux',
  usedAt: '2026-01-02T00:00:00.000Z',
  goesAnyway: false,
};
const passkey: RemovableLogin = { kind: 'passkey', id: 'p1', name: 'Laptop', usedAt: '', goesAnyway: true };
const typedPasswords = { password: 'lamp and oil', again: 'lamp and oil' };

const createModel = (startInstruction: string, query: Record<string, string>): PathModel => ({
  name: 'resetPassword',
  machine: resetPasswordMachine,
  description: resetPasswordDescription,
  startInstruction,
  input: createFlowInput({ flow: 'resetPassword', path: '/resetpassword/…', params: { secret: '…' }, query }),
  cases: {
    'password.submitted': [
      describeCase('nothing is ticked', { pii: { form: { ...typedPasswords, removed: [] } } }),
      describeCase('the device is ticked', { pii: { form: { ...typedPasswords, removed: [{ kind: 'device', id: 'd1' }] } } }),
    ],
    'password.rejected': [{ fields: { again: 'mismatch' } }],
    'xstate.done.actor.checkLink': [
      describeCase('it is valid', { output: true }),
      describeCase('it has been used, or is too old', { output: false }, 'Set a password by the link once'),
    ],
    'xstate.error.actor.checkLink': toRejectionCases(problems.offline),
    'xstate.done.actor.loadResetMethods': [
      describeCase('none', { output: [] }),
      describeCase('a device', { output: [laptop] }, 'Sign in to the account in another browser'),
      describeCase(
        'a device, and a passkey that is removed in any case',
        { output: [laptop, passkey] },
        'Add a passkey to an account whose e-mail address was never confirmed, and sign in to it in another browser',
      ),
    ],
    'xstate.error.actor.loadResetMethods': [
      describeCase('the link has been used', { error: linkProblem }, 'Set a password by the same link in another tab'),
      ...toRejectionCases(problems.offline),
    ],
    'xstate.done.actor.savePassword': [{ output: {} }],
    'xstate.error.actor.savePassword': [
      describeCase('the link has been used', { error: linkProblem }, 'Set a password by the same link in another tab'),
      ...toRejectionCases(problems.offline),
    ],
  },
});

export const models: PathModel[] = [
  createModel(
    'As a visitor, request an e-mail at /forgotpassword, and open the link in it, in data/outbox: /resetpassword/….',
    {},
  ),
  createModel(
    'As a visitor, request an e-mail at /forgotpassword?notme=1, and open the link in it, in data/outbox: /resetpassword/…?notme=1.',
    { notme: '1' },
  ),
];
