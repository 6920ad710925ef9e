import { expect, test } from 'vitest';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { flowInput, problems, store } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, failed } from '../../support/steps.ts';

const price = { amount: 4.99, currency: 'USD', symbol: '$' };
const plan = { id: 'yearly', name: 'Yearly', description: '', price, interval: 'year', trialDays: 0, credits: 0 };
const held = { planId: 'monthly', name: 'Monthly', status: 'active', price, interval: 'month', credits: 0, changeable: true };

test('why a plan was not changed is told until another one is pressed', () => {
  const input = flowInput({ flow: 'subscription' }, { signedIn: true, store: { ...store, enableSubscription: true } });
  const pressed = { type: 'change.pressed', planId: 'yearly' };
  const shown = [done('loadPlans', [plan]), done('loadSubscription', held), pressed, failed('quotePlan', problems.offline)];
  expect(contextOf(after(subscriptionMachine, input, ...shown))['problem']).toEqual(problems.offline);
  const again = after(subscriptionMachine, input, ...shown, pressed);
  expect(again.snapshot.value).toBe('quoting');
  expect(contextOf(again)['problem']).toBeNull();
});
