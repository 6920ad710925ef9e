import { expect, test } from 'vitest';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { createFlowInput, problems, store } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent } from '../../support/steps.ts';

const price = { amount: 4.99, currency: 'USD', symbol: '$' };
const plan = { id: 'yearly', name: 'Yearly', description: '', price, interval: 'year', trialDays: 0, credits: 0 };
const heldSubscription = {
  planId: 'monthly',
  name: 'Monthly',
  status: 'active',
  price,
  interval: 'month',
  credits: 0,
  changeable: true,
};

test('the reason for a failed plan change is shown until another change is pressed', () => {
  const input = createFlowInput({ flow: 'subscription' }, { signedIn: true, store: { ...store, enableSubscription: true } });
  const pressed = { type: 'change.pressed', planId: 'yearly' };
  const shown = [
    doneEvent('loadPlans', [plan]),
    doneEvent('loadSubscription', heldSubscription),
    pressed,
    errorEvent('quotePlan', problems.offline),
  ];
  expect(getContext(stepThrough(subscriptionMachine, input, ...shown))['problem']).toEqual(problems.offline);
  const again = stepThrough(subscriptionMachine, input, ...shown, pressed);
  expect(again.snapshot.value).toBe('quoting');
  expect(getContext(again)['problem']).toBeNull();
});
