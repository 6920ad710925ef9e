import { checkoutMachine } from '../../machines/checkout.ts';
import type { Outcome } from '../../machines/payment.ts';
import { paymentMachine } from '../../machines/payment.ts';
import { flowInput, problems, rejections, summary, type PathModel } from './model.ts';

const [price] = summary.prices;
const quote = { title: summary, price, instanceId: null, key: 'k1', transId: null };
const order = { titleId: '1001', price, free: false, key: 'k1', transId: null };
const status = { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null };

const ended = (outcome: Outcome) => ({
  output: { outcome, titleId: '1001', transId: 't1', problem: outcome === 'failed' ? problems.declined : null },
});

const quoteCases = {
  'session.changed': [{ signedIn: true }, { signedIn: false }],
  leave: [{ url: 'https://pay.example/1' }],
  'xstate.done.actor.quote': [
    { output: quote },
    { output: { ...quote, transId: 't0' } },
    { output: { ...quote, instanceId: 'i1' } },
    { output: { ...quote, title: { ...summary, forSale: false } } },
  ],
  'xstate.error.actor.quote': rejections(problems.offline, problems.notFound, problems.unauthorized),
  'xstate.done.actor.payment': (
    ['succeeded', 'failed', 'cancelled', 'priceChanged', 'owned', 'none', 'notFound', 'expired'] as const
  ).map(ended),
};

const paymentCases = {
  'xstate.done.actor.startPayment': [
    { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } },
    { output: { transId: 't1', provider: '', url: '' } },
  ],
  'xstate.error.actor.startPayment': rejections(
    problems.timeout,
    problems.unauthorized,
    problems.alreadyOwned,
    problems.priceChanged,
    problems.declined,
  ),
  'xstate.error.actor.confirmPayment': rejections(
    problems.timeout,
    problems.unauthorized,
    problems.declined,
    problems.alreadyOwned,
  ),
  'xstate.done.actor.statusBeforeCancel': [
    { output: { ...status, status: 'pending' } },
    { output: { ...status, status: 'paid' } },
  ],
  'xstate.error.actor.statusBeforeCancel': rejections(problems.offline, problems.unauthorized),
  'xstate.done.actor.paymentStatus': [
    { output: { ...status, status: 'pending' } },
    { output: { ...status, status: 'pending', url: null } },
    { output: { ...status, status: 'authorized' } },
    { output: { ...status, status: 'paid' } },
    { output: { ...status, status: 'failed', reason: 'card_declined' } },
    { output: { ...status, status: 'cancelled' } },
    { output: { ...status, status: 'owned' } },
    { output: { ...status, status: 'none' } },
  ],
  'xstate.error.actor.paymentStatus': rejections(problems.offline, problems.unauthorized, problems.notFound),
};

const checkout = (part: Partial<PathModel>): PathModel => ({
  name: 'checkout',
  machine: checkoutMachine,
  input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }),
  cases: quoteCases,
  ...part,
});

/** A machine that starts differently for different inputs is explored from each of them. */
export const purchaseModels: PathModel[] = [
  checkout({}),
  checkout({
    input: flowInput({ flow: 'checkout', params: { titleid: '1001' } }, { signedIn: true, resume: 'pay' }),
  }),
  checkout({ input: flowInput({ flow: 'checkout', params: { transId: 't1' } }, { signedIn: true }) }),
  checkout({ input: flowInput({ flow: 'checkout' }) }),
  { name: 'payment', machine: paymentMachine, input: order, cases: paymentCases },
  { name: 'payment', machine: paymentMachine, input: { ...order, transId: 't1' }, cases: paymentCases },
];
