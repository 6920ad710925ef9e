import { resetPasswordMachine } from '../../../account/reset-password.ts';
import type { Problem } from '../../../model/problem.ts';
import type { ResetWay } from '../../../model/account/reset.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, type PathModel } from '../../path-model.ts';
import { resetPasswordDescription } from './descriptions.ts';

const linkOver: Problem = { kind: 'refused', code: 'link_over', message: 'This link has been used' };

const laptop: ResetWay = {
  kind: 'device',
  id: 'd1',
  name: 'Chrome, Linux',
  usedAt: '2026-01-02T00:00:00.000Z',
  goesAnyway: false,
};
const passkey: ResetWay = { kind: 'passkey', id: 'p1', name: 'Laptop', usedAt: '', goesAnyway: true };
const typed = { password: 'lamp and oil', again: 'lamp and oil' };

const model = (given: string, query: Record<string, string>): PathModel => ({
  name: 'resetPassword',
  machine: resetPasswordMachine,
  description: resetPasswordDescription,
  given,
  input: flowInput({ flow: 'resetPassword', path: '/resetpassword/…', params: { secret: '…' }, query }),
  cases: {
    'password.submitted': [
      described('nothing is ticked', { pii: { form: { ...typed, removed: [] } } }),
      described('the device is ticked', { pii: { form: { ...typed, removed: [{ kind: 'device', id: 'd1' }] } } }),
    ],
    'password.rejected': [{ fields: { again: 'mismatch' } }],
    'xstate.done.actor.checkLink': [
      described('it is', { output: true }),
      described('it has been used, or is too old', { output: false }, 'Set a password by the link once'),
    ],
    'xstate.error.actor.checkLink': rejections(problems.offline),
    'xstate.done.actor.loadWays': [
      described('none', { output: [] }),
      described('a device', { output: [laptop] }, 'Sign in to the account in another browser'),
      described(
        'a device, and a passkey that goes in any case',
        { output: [laptop, passkey] },
        'Add a passkey to an account whose address was never confirmed, and sign in to it in another browser',
      ),
    ],
    'xstate.error.actor.loadWays': [
      described('the link has been used meanwhile', { error: linkOver }, 'Set a password by the same link in another tab'),
      ...rejections(problems.offline),
    ],
    'xstate.done.actor.savePassword': [{ output: {} }],
    'xstate.error.actor.savePassword': [
      described('the link has been used meanwhile', { error: linkOver }, 'Set a password by the same link in another tab'),
      ...rejections(problems.offline),
    ],
  },
});

export const models: PathModel[] = [
  model('As a visitor, ask for a letter at /forgotpassword, and open the link in it, in data/outbox: /resetpassword/….', {}),
  model(
    'As a visitor, ask for a letter at /forgotpassword?notme=1, and open the link in it, in data/outbox: /resetpassword/…?notme=1.',
    { notme: '1' },
  ),
];
