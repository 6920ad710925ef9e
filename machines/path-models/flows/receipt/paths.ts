import { receiptMachine } from '../../../buying/receipt.ts';
import type { HeldSubscription } from '../../../model/buying/subscription.ts';
import { describeCase } from '../../description.ts';
import {
  createFlowInput,
  problems,
  createRejectionCase,
  toRejectionCases,
  titleSummary,
  type PathModel,
} from '../../path-model.ts';
import { parsePath } from '../../route-at.ts';
import { receiptDescription } from './descriptions.ts';

const receipt = {
  transId: 't1',
  titleId: '1001',
  instanceId: 'i1',
  name: titleSummary.name,
  amount: 9.99,
  currency: 'USD',
  symbol: '$',
  paidAt: '2026-01-01T00:00:00Z',
  cover: null,
};

const gift = { deliverOn: '2026-12-24', pii: { name: 'Bo Quay', email: 'bo@example.com' } };

const heldSubscription: HeldSubscription = {
  planId: 'monthly',
  name: 'Monthly',
  status: 'active',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  credits: 2,
  until: '2026-02-01T00:00:00Z',
};

const giftCase = describeCase(
  'for a title given as a gift',
  { output: { ...receipt, gift } },
  'Give the title to another person instead (“Give as a gift”)',
);

export const models: PathModel[] = [
  {
    name: 'receipt',
    machine: receiptMachine,
    description: receiptDescription,
    startInstruction: 'Signed in, open the success page without a purchase: /title/purchase/success.',
    input: createFlowInput({ flow: 'receipt' }),
  },
  {
    name: 'receipt',
    machine: receiptMachine,
    description: receiptDescription,
    startInstruction: 'Signed in, buy a title with 4242 4242 4242 4242, which leads to /title/purchase/success?transId=….',
    input: createFlowInput({ flow: 'receipt', params: { transId: 't1' } }, { signedIn: true }),
    cases: {
      'xstate.done.actor.purchaseInfo': [describeCase('for a bought title', { output: receipt }), giftCase],
      'xstate.error.actor.print': [
        createRejectionCase(problems.malformed, 'In the console, `window.print = () => { throw new Error(); }`'),
      ],
      'xstate.error.actor.purchaseInfo': toRejectionCases(problems.offline, problems.unauthorized, problems.notFound),
    },
  },
  {
    name: 'receipt',
    machine: receiptMachine,
    description: receiptDescription,
    startInstruction:
      'Signed in, give a title as a gift and pay with 4242 4242 4242 4242, which leads to /title/purchase/success?transId=…&isgift=true.',
    input: createFlowInput({ flow: 'receipt', params: { transId: 't1', isgift: 'true' } }, { signedIn: true }),
    cases: {
      'xstate.done.actor.purchaseInfo': [giftCase],
      'xstate.error.actor.print': [
        createRejectionCase(problems.malformed, 'In the console, `window.print = () => { throw new Error(); }`'),
      ],
      'xstate.error.actor.purchaseInfo': toRejectionCases(problems.offline, problems.notFound),
    },
  },
  {
    name: 'receipt',
    machine: receiptMachine,
    description: receiptDescription,
    startInstruction: 'As a customer who has subscribed, open /subscription/purchase/success.',
    input: createFlowInput(parsePath('/subscription/purchase/success'), { signedIn: true }),
    cases: {
      'xstate.done.actor.loadSubscription': [
        describeCase('one', { output: heldSubscription }),
        describeCase('none', { output: null }, 'Take a customer who has not subscribed'),
      ],
      'xstate.error.actor.loadSubscription': toRejectionCases(problems.offline),
    },
  },
];
