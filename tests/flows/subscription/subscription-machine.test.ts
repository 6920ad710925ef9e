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
  const changePressed = { type: 'change.pressed', planId: 'yearly' };
  const events = [
    doneEvent('loadPlans', [plan]),
    doneEvent('loadSubscription', heldSubscription),
    changePressed,
    errorEvent('quotePlan', problems.offline),
  ];
  expect(getContext(stepThrough(subscriptionMachine, input, ...events))['problem']).toEqual(problems.offline);
  const changedStep = stepThrough(subscriptionMachine, input, ...events, changePressed);
  expect(changedStep.snapshot.value).toBe('quoting');
  expect(getContext(changedStep)['problem']).toBeNull();
});
