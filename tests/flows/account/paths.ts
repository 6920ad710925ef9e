import { accountMachine } from '../../../machines/account/account.ts';
import { flowInput, problems, rejections, type PathModel } from '../../support/path-model.ts';
import { accountDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

const record = {
  instanceId: 'i1',
  titleId: '1001',
  name: 'The Keeper’s Third Log',
  purchasedAt: '2026-01-01T00:00:00Z',
  transId: 't1',
  paid: { amount: 9.99, currency: 'USD', symbol: '$' },
};

export const models: PathModel[] = [
  {
    name: 'account',
    machine: accountMachine,
    description: accountDescription,
    given: 'Signed in, open /account.',
    input: flowInput({ flow: 'account', path: '/account' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.purchaseRecords': [described('some', { output: [record] }), described('none', { output: [] })],
      'xstate.error.actor.purchaseRecords': rejections(problems.offline, problems.unauthorized),
    },
  },
];
