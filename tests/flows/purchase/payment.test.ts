import { expect, test } from 'vitest';
import { paymentMachine } from '../../../machines/buying/payment.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { order as orderOf } from '../../support/purchase.ts';
import { after, done, failed, isSend } from '../../support/steps.ts';

const order = orderOf({ transId: 't1' });
const status = { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null };
const paid = (part: object) => after(paymentMachine, order, done('paymentStatus', { ...status, ...part }));

test('a status that names no title leaves the one that was ordered', () => {
  expect(paid({ status: 'paid', titleId: '' }).snapshot.output).toMatchObject({ outcome: 'succeeded', titleId: '1001' });
  expect(paid({ status: 'paid', titleId: '1002' }).snapshot.output).toMatchObject({ titleId: '1002' });
});

test('an authorised payment without an intent cannot be confirmed', () => {
  expect(paid({ status: 'authorized', intentId: null }).snapshot.value).toBe('none');
});

test('there is no going on to a payment page without an address', () => {
  const waiting = { ...status, status: 'pending', url: '' };
  const { fired } = after(paymentMachine, order, done('paymentStatus', waiting), { type: 'continue.pressed' });
  expect(fired).toEqual([]);
});

test('an unknown outcome is asked for after 3 s, then twice as long each time, at most a minute', () => {
  const asked = failed('paymentStatus', problems.offline);
  const again = { type: 'xstate.after.checkAgain.payment.unknown' };
  const waits = [1, 2, 3, 4, 5, 6, 7].map((times) => {
    const events = Array.from({ length: times }, (_, at) => (at === 0 ? [asked] : [again, asked])).flat();
    return after(paymentMachine, order, ...events)
      .effects.filter(isSend)
      .map(({ delay }) => delay);
  });
  expect(waits.flat()).toEqual([3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000]);
});

const forCredits = { ...order, transId: null, credits: { amount: 2, currency: 'CREDITS' } };

test.each([problems.offline, problems.timeout])(
  'credits may be gone when no answer comes: it is asked about, and not called untaken',
  (problem) => {
    const lost = after(paymentMachine, forCredits, failed('startPayment', problem));
    expect(lost.snapshot.value).toBe('unknown');
    const asked = after(paymentMachine, forCredits, failed('startPayment', problem), { type: 'status.pressed' });
    expect(asked.snapshot.value).toBe('reconciling');
    expect(after(paymentMachine, { ...forCredits, credits: null }, failed('startPayment', problem)).snapshot.value).toBe(
      'unreachable',
    );
  },
);

test('a status that names no payment leaves the one that was begun', () => {
  expect(paid({ status: 'paid', transId: '' }).snapshot.output).toMatchObject({ outcome: 'succeeded', transId: 't1' });
});

const session = done('startPayment', { transId: 't1', provider: 'test', url: 'https://pay.example/1' });

test.each([
  ['leads to its page, where it has one', 'https://bank.example/1', [{ type: 'leave', url: 'https://bank.example/1' }]],
  ['is waited for, where it has none', null, []],
])('a bank that asks about a kept card %s', (_, url, sent) => {
  const asks = done('payByCard', { ...status, status: 'pending', url });
  const { snapshot, effects } = after(paymentMachine, { ...order, transId: null, cardId: 'c1' }, session, asks);
  expect(snapshot.value).toBe('actionRequired');
  expect(effects.filter(isSend).map(({ event }) => event)).toEqual(sent);
});
