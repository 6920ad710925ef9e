import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Terms } from '../../../server/payment/port.ts';
import { gateways } from '../support/gateways/all.ts';
import { DAY_MS, type GatewayHarness } from '../support/gateways/harness.ts';
import { monthlyTerms, createIntentRequest } from '../support/gateways/requests.ts';

/** The rules for every payment provider that renews subscriptions. */
describe.each(Object.entries(gateways))('subscriptions of the gateway %s', (_, startHarness) => {
  let harness: GatewayHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  beforeEach(({ skip }) => {
    const { subscriptions } = harness.unsupported ?? {};
    if (subscriptions !== undefined) skip(subscriptions);
  });

  test('a subscription starts with its first payment, renews, and ends after its cancellation', async () => {
    const request = createIntentRequest({ subscription: monthlyTerms });
    const { url, id } = await harness.gateway.port.create(request);
    expect(await harness.pay(url, 'good')).toBe(true);
    const { state, subscription } = await harness.gateway.port.capture(id);
    expect([state, subscription]).toMatchObject(['captured', { state: 'active', renewals: 0, cancelled: false }]);
    const subscriptionId = subscription?.id ?? '';
    expect(((subscription?.until ?? 0) - Date.now()) / DAY_MS).toBeGreaterThan(27);
    expect(await harness.gateway.port.capture(id)).toMatchObject({ state: 'captured', subscription: { id: subscriptionId } });
    harness.advanceDays(32);
    expect(await harness.gateway.port.readSubscription(subscriptionId)).toMatchObject({ state: 'active', renewals: 1 });
    const cancelledAt = Date.now() + 33 * DAY_MS;
    const response = await harness.gateway.port.cancelSubscription(subscriptionId, { at: cancelledAt, atOnce: false });
    expect(response).toMatchObject({ state: 'active', renewals: 1, cancelled: true });
    harness.advanceDays(35);
    expect(await harness.gateway.port.readSubscription(subscriptionId)).toMatchObject({ state: 'ended', renewals: 1 });
    expect(await harness.gateway.port.cancelSubscription(subscriptionId, { at: cancelledAt, atOnce: true })).toMatchObject({
      state: 'ended',
    });
  });

  test('nothing is charged during the trial', async () => {
    const request = createIntentRequest({ subscription: { ...monthlyTerms, trialDays: 3 }, amountMinor: 0 });
    const { url, id } = await harness.gateway.port.create(request);
    await harness.pay(url, 'good');
    const { subscription } = await harness.gateway.port.capture(id);
    expect(subscription).toMatchObject({ state: 'active', renewals: 0 });
    harness.advanceDays(4);
    expect(await harness.gateway.port.readSubscription(subscription?.id ?? '')).toMatchObject({ state: 'active', renewals: 1 });
  });

  /** Starts a monthly subscription whose first payment is captured. */
  const startSubscription = async (card: 'good' | 'once' = 'good', trialDays = 0) => {
    const request = createIntentRequest({ subscription: { ...monthlyTerms, trialDays } });
    const { url, id } = await harness.gateway.port.create(request);
    await harness.pay(url, card);
    const { subscription } = await harness.gateway.port.capture(id);
    if (!subscription) throw new Error(`The gateway started no subscription for ${request.reference}.`);
    return subscription;
  };

  test.each([0, 3])('a cancelled subscription is resumed before its end, if supported, with %i trial days', async (trialDays) => {
    const subscriptionId = (await startSubscription('good', trialDays)).id;
    const readSubscription = () => harness.gateway.port.readSubscription(subscriptionId);
    const cancelSubscription = async () =>
      harness.gateway.port.cancelSubscription(subscriptionId, {
        at: ((await readSubscription())?.until ?? 0) - DAY_MS,
        atOnce: false,
      });
    expect(await cancelSubscription()).toMatchObject({ cancelled: true });
    if (!harness.gateway.port.resumes)
      return expect(harness.gateway.port.resumeSubscription(subscriptionId)).rejects.toMatchObject({ code: 'not_resumable' });
    const resumedState = { ...(await readSubscription()), cancelled: false };
    for (let time = 0; time < 2; time += 1)
      expect(await harness.gateway.port.resumeSubscription(subscriptionId)).toEqual(resumedState);
    harness.advanceDays(32);
    expect(await readSubscription()).toMatchObject({ state: 'active', renewals: 1, cancelled: false });
    await cancelSubscription();
    harness.advanceDays(35);
    expect(await harness.gateway.port.resumeSubscription(subscriptionId)).toMatchObject({ state: 'ended', renewals: 1 });
    expect(await harness.gateway.port.resumeSubscription('sub_000')).toBeUndefined();
  });

  const makeYearlyChange = (at = Date.now()) => ({
    reference: `s1/${randomUUID()}`,
    description: 'Yearly',
    terms: { amountMinor: 9000, period: 'year', trialDays: 0 } as Terms,
    currency: 'EUR',
    at,
  });

  test('a more expensive plan starts at once, minus the unused part of the month, and charges the quoted amount once', async ({
    skip,
  }) => {
    const { id, until } = await startSubscription();
    harness.advanceDays(15);
    const change = makeYearlyChange(until - 15 * DAY_MS);
    const countAddedDays = (remote: { until: number } | undefined) => Math.round(((remote?.until ?? 0) - until) / DAY_MS);
    const quotedMinor = await harness.gateway.port.quoteChange(id, change);
    const { immediatePlanChange } = harness.unsupported ?? {};
    if (immediatePlanChange !== undefined) {
      expect(quotedMinor).toBeUndefined();
      await expect(harness.gateway.port.changePlan(id, { ...change, starts: 'now' })).rejects.toMatchObject({
        code: 'plan_unchanged',
      });
      skip(immediatePlanChange);
    }
    // About half of the month's 900 is unused.
    expect(quotedMinor).toBeGreaterThan(8500);
    expect(quotedMinor).toBeLessThan(8600);
    const responses = await Promise.all([1, 2].map(() => harness.gateway.port.changePlan(id, { ...change, starts: 'now' })));
    const expectedChange = { state: 'active', renewals: 0, renewalsBefore: 0, chargedMinor: quotedMinor };
    expect(responses).toMatchObject([expectedChange, expectedChange]);
    expect(countAddedDays(responses[0])).toBeGreaterThan(345);
    expect(await harness.gateway.port.changePlan(id, { ...change, starts: 'now' })).toMatchObject(expectedChange);
    expect(await harness.gateway.port.readSubscription(id)).toMatchObject({ renewals: 0, state: 'active' });
    harness.advanceDays(370);
    const renewedSubscription = await harness.gateway.port.readSubscription(id);
    expect(renewedSubscription).toMatchObject({ renewals: 1, state: 'active' });
    expect(countAddedDays(renewedSubscription)).toBeGreaterThan(710);
    // A retry a year after a lost response returns the same charge.
    expect(await harness.gateway.port.changePlan(id, { ...change, starts: 'now' })).toMatchObject({
      ...expectedChange,
      renewals: 1,
    });
  });

  test('the plan stays unchanged when the card does not pay', async ({ skip }) => {
    const { immediatePlanChange } = harness.unsupported ?? {};
    if (immediatePlanChange !== undefined) skip(immediatePlanChange);
    const subscription = await startSubscription('once');
    const change = { ...makeYearlyChange(), starts: 'now' } as const;
    await expect(harness.gateway.port.changePlan(subscription.id, change)).rejects.toMatchObject({ code: 'card_declined' });
    expect(await harness.gateway.port.readSubscription(subscription.id)).toEqual(subscription);
  });

  test('a plan change for the renewal charges nothing before the renewal', async () => {
    const subscription = await startSubscription();
    const change = { ...makeYearlyChange(), starts: 'renewal' } as const;
    const response = await harness.gateway.port.changePlan(subscription.id, change);
    expect(response).toMatchObject({
      state: 'active',
      renewals: 0,
      renewalsBefore: 0,
      chargedMinor: 0,
      until: subscription.until,
    });
    await harness.gateway.port.changePlan(subscription.id, change);
    harness.advanceDays(32);
    const renewedSubscription = await harness.gateway.port.readSubscription(subscription.id);
    expect(renewedSubscription).toMatchObject({ state: 'active', renewals: 1 });
    expect(((renewedSubscription?.until ?? 0) - subscription.until) / DAY_MS).toBeGreaterThan(360);
    expect(await harness.gateway.port.changePlan(subscription.id, change)).toMatchObject({
      renewals: 1,
      renewalsBefore: 0,
      chargedMinor: 0,
    });
  });

  test('a pending plan change is undone by a change to the current plan', async () => {
    const subscription = await startSubscription();
    await harness.gateway.port.changePlan(subscription.id, { ...makeYearlyChange(), starts: 'renewal' });
    const currentPlan = { ...makeYearlyChange(), terms: monthlyTerms, description: 'The Salt <Road>' };
    await harness.gateway.port.changePlan(subscription.id, { ...currentPlan, starts: 'renewal' });
    harness.advanceDays(32);
    const renewedSubscription = await harness.gateway.port.readSubscription(subscription.id);
    expect(renewedSubscription).toMatchObject({ state: 'active', renewals: 1 });
    expect(((renewedSubscription?.until ?? 0) - subscription.until) / DAY_MS).toBeLessThan(32);
  });

  test('the last payment of a subscription is refunded once, and the total refunded is returned', async () => {
    const { id } = await startSubscription();
    expect(await harness.gateway.port.readRefunds(id)).toEqual({ totalMinor: 0, isLastWhole: false });
    const responses = await Promise.all([1, 2, 3].map(() => harness.gateway.port.refundLastPayment(id)));
    expect(responses.at(-1)).toEqual({ totalMinor: 900, isLastWhole: true });
    expect(await harness.gateway.port.refundLastPayment(id)).toEqual({ totalMinor: 900, isLastWhole: true });
    harness.advanceDays(32);
    expect(await harness.gateway.port.readSubscription(id)).toMatchObject({ renewals: 1 });
    expect(await harness.gateway.port.readRefunds(id)).toEqual({ totalMinor: 900, isLastWhole: false });
    expect(await harness.gateway.port.refundLastPayment(id)).toEqual({ totalMinor: 1800, isLastWhole: true });
    expect(await harness.gateway.port.readRefunds(id)).toEqual({ totalMinor: 1800, isLastWhole: true });
  });

  test('nothing is refunded during the trial', async () => {
    const { id } = await startSubscription('good', 3);
    expect(await harness.gateway.port.refundLastPayment(id)).toEqual({ totalMinor: 0, isLastWhole: false });
  });

  test('a plan change keeps the trial days', async () => {
    const subscription = await startSubscription('good', 3);
    expect(await harness.gateway.port.quoteChange(subscription.id, makeYearlyChange())).toBeUndefined();
    const response = await harness.gateway.port.changePlan(subscription.id, { ...makeYearlyChange(), starts: 'renewal' });
    expect(response).toMatchObject({ state: 'active', renewals: 0, chargedMinor: 0, until: subscription.until });
  });

  test('a subscription with an unpaid renewal is past due until the end of the unpaid period', async () => {
    const { url, id } = await harness.gateway.port.create(
      createIntentRequest({ subscription: { ...monthlyTerms, period: 'week' } }),
    );
    await harness.pay(url, 'once');
    const { subscription } = await harness.gateway.port.capture(id);
    const untilBefore = subscription?.until ?? 0;
    harness.advanceDays(8);
    const response = await harness.gateway.port.readSubscription(subscription?.id ?? '');
    expect(response).toMatchObject({ state: 'past_due', renewals: 0 });
    expect(Math.round(((response?.until ?? 0) - untilBefore) / DAY_MS)).toBe(7);
  });
  afterEach(() => expect(harness.unknownRequests).toEqual([]));
  afterAll(() => harness.close());
});
