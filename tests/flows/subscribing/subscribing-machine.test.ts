import { expect, test } from 'vitest';
import { subscribingMachine } from '../../../machines/buying/subscribing.ts';
import { flowInput, problems, store } from '../../../machines/path-models/path-model.ts';
import { after, failed, isSend } from '../../support/steps.ts';

const inputOf = (params: Record<string, string>) =>
  flowInput({ flow: 'subscribing', params: { planid: 'monthly', ...params } }, { store: { ...store, enableSubscription: true } });
const returned = { subscriptionid: 's1', intentId: 'pi_1' };

test.each([
  [returned, 'confirming'],
  [{ subscriptionid: 's1' }, 'loading'],
  [{ intentId: 'pi_1' }, 'loading'],
  [{ ...returned, page: 'subscription/purchase/success' }, 'welcoming'],
])('%j: %s', (params, value) => {
  expect(after(subscribingMachine, inputOf(params)).snapshot.value).toBe(value);
});

test('an unknown outcome is asked for after 3 s, then twice as long each time, at most a minute', () => {
  const asked = failed('confirmSubscription', problems.offline);
  const again = { type: 'xstate.after.checkAgain.subscribing.unknown' };
  const waits = [1, 2, 3, 4, 5, 6, 7].map((times) => {
    const events = Array.from({ length: times }, (_, at) => (at === 0 ? [asked] : [again, asked])).flat();
    return after(subscribingMachine, inputOf(returned), ...events)
      .effects.filter(isSend)
      .map(({ delay }) => delay);
  });
  expect(waits.flat()).toEqual([3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000]);
});
