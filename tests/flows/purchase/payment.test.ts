import { expect, test } from 'vitest';
import { paymentMachine } from '../../../machines/buying/payment.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { makeOrder as createOrder } from '../../support/purchase.ts';
import { stepThrough, doneEvent, errorEvent, isSendEffect } from '../../support/steps.ts';

const order = createOrder({ transId: 't1' });
const status = { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null };
const stepToStatus = (overrides: object) =>
  stepThrough(paymentMachine, order, doneEvent('paymentStatus', { ...status, ...overrides }));

test('a status without a title keeps the ordered title', () => {
  expect(stepToStatus({ status: 'paid', titleId: '' }).snapshot.output).toMatchObject({ outcome: 'succeeded', titleId: '1001' });
  expect(stepToStatus({ status: 'paid', titleId: '1002' }).snapshot.output).toMatchObject({ titleId: '1002' });
});

test('an authorised payment without an intent cannot be confirmed', () => {
  expect(stepToStatus({ status: 'authorized', intentId: null }).snapshot.value).toBe('none');
});

test('a payment page without an address cannot be opened', () => {
  const pendingStatus = { ...status, status: 'pending', url: '' };
  const { fired } = stepThrough(paymentMachine, order, doneEvent('paymentStatus', pendingStatus), { type: 'continue.pressed' });
  expect(fired).toEqual([]);
});

test('an unknown outcome is checked after 3 s, then at doubled intervals, at most a minute', () => {
  const checkFailed = errorEvent('paymentStatus', problems.offline);
  const checkDue = { type: 'xstate.after.checkAgain.payment.unknown' };
  const delays = [1, 2, 3, 4, 5, 6, 7].map((times) => {
    const events = Array.from({ length: times }, (_, index) => (index === 0 ? [checkFailed] : [checkDue, checkFailed])).flat();
    return stepThrough(paymentMachine, order, ...events)
      .effects.filter(isSendEffect)
      .map(({ delay }) => delay);
  });
  expect(delays.flat()).toEqual([3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000]);
});

const creditOrder = { ...order, transId: null, credits: { amount: 2, currency: 'CREDITS' } };

test.each([problems.offline, problems.timeout])(
  'after a lost response to a payment by credits, the outcome is unknown until the status is checked',
  (problem) => {
    const lostStep = stepThrough(paymentMachine, creditOrder, errorEvent('startPayment', problem));
    expect(lostStep.snapshot.value).toBe('unknown');
    const checkedStep = stepThrough(paymentMachine, creditOrder, errorEvent('startPayment', problem), { type: 'status.pressed' });
    expect(checkedStep.snapshot.value).toBe('reconciling');
    expect(
      stepThrough(paymentMachine, { ...creditOrder, credits: null }, errorEvent('startPayment', problem)).snapshot.value,
    ).toBe('unreachable');
  },
);

test('a status without a transaction keeps the id of the started one', () => {
  expect(stepToStatus({ status: 'paid', transId: '' }).snapshot.output).toMatchObject({ outcome: 'succeeded', transId: 't1' });
});

const session = doneEvent('startPayment', { transId: 't1', provider: 'test', url: 'https://pay.example/1' });

test.each([
  ['is opened, if it has an address', 'https://bank.example/1', [{ type: 'leave', url: 'https://bank.example/1' }]],
  ['is waited for, if it has no address', null, []],
])('a bank’s page for a saved card %s', (_, url, expectedEvents) => {
  const verificationNeeded = doneEvent('payByCard', { ...status, status: 'pending', url });
  const { snapshot, effects } = stepThrough(
    paymentMachine,
    { ...order, transId: null, cardId: 'c1' },
    session,
    verificationNeeded,
  );
  expect(snapshot.value).toBe('actionRequired');
  expect(effects.filter(isSendEffect).map(({ event }) => event)).toEqual(expectedEvents);
});
