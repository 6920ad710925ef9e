import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Terms } from '../../../server/payment/port.ts';
import { gateways } from '../support/gateways/all.ts';
import { DAY_MS, type PlayedGateway } from '../support/gateways/harness.ts';
import { monthly, newRequest } from '../support/gateways/requests.ts';

/** The rules for every payment provider that renews subscriptions. */
describe.each(Object.entries(gateways))('subscriptions of the gateway %s', (_, play) => {
  let played: PlayedGateway;
  beforeAll(async () => {
    played = await play();
  });
  beforeEach(({ skip }) => {
    const { subscriptions } = played.unsupported ?? {};
    if (subscriptions !== undefined) skip(subscriptions);
  });

  test('starts a subscription with its first payment, renews it, and cancels it at the end', async () => {
    const request = newRequest({ subscription: monthly });
    const { url, id } = await played.gateway.port.create(request);
    expect(await played.pay(url, 'good')).toBe(true);
    const { state, subscription } = await played.gateway.port.capture(id);
    expect([state, subscription]).toMatchObject(['captured', { state: 'active', renewals: 0, cancelled: false }]);
    const own = subscription?.id ?? '';
    expect(((subscription?.until ?? 0) - Date.now()) / DAY_MS).toBeGreaterThan(27);
    expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured', subscription: { id: own } });
    played.advanceDays(32);
    expect(await played.gateway.port.readSubscription(own)).toMatchObject({ state: 'active', renewals: 1 });
    const at = Date.now() + 33 * DAY_MS;
    const told = await played.gateway.port.cancelSubscription(own, { at, atOnce: false });
    expect(told).toMatchObject({ state: 'active', renewals: 1, cancelled: true });
    played.advanceDays(35);
    expect(await played.gateway.port.readSubscription(own)).toMatchObject({ state: 'ended', renewals: 1 });
    expect(await played.gateway.port.cancelSubscription(own, { at, atOnce: true })).toMatchObject({ state: 'ended' });
  });

  test('charges nothing during the trial', async () => {
    const request = newRequest({ subscription: { ...monthly, trialDays: 3 }, amountMinor: 0 });
    const { url, id } = await played.gateway.port.create(request);
    await played.pay(url, 'good');
    const { subscription } = await played.gateway.port.capture(id);
    expect(subscription).toMatchObject({ state: 'active', renewals: 0 });
    played.advanceDays(4);
    expect(await played.gateway.port.readSubscription(subscription?.id ?? '')).toMatchObject({ state: 'active', renewals: 1 });
  });

  /** A subscription that is paid for a month. */
  const subscribed = async (card: 'good' | 'once' = 'good', trialDays = 0) => {
    const request = newRequest({ subscription: { ...monthly, trialDays } });
    const { url, id } = await played.gateway.port.create(request);
    await played.pay(url, card);
    const { subscription } = await played.gateway.port.capture(id);
    if (!subscription) throw new Error('No subscription was started.');
    return subscription;
  };

  test.each([0, 3])('resumes a cancelled subscription that still runs, if supported, with %i trial days', async (trialDays) => {
    const own = (await subscribed('good', trialDays)).id;
    const read = () => played.gateway.port.readSubscription(own);
    const cancel = async () =>
      played.gateway.port.cancelSubscription(own, { at: ((await read())?.until ?? 0) - DAY_MS, atOnce: false });
    expect(await cancel()).toMatchObject({ cancelled: true });
    if (!played.gateway.port.resumes)
      return expect(played.gateway.port.resumeSubscription(own)).rejects.toMatchObject({ code: 'not_resumable' });
    const goesOn = { ...(await read()), cancelled: false };
    for (let time = 0; time < 2; time += 1) expect(await played.gateway.port.resumeSubscription(own)).toEqual(goesOn);
    played.advanceDays(32);
    expect(await read()).toMatchObject({ state: 'active', renewals: 1, cancelled: false });
    await cancel();
    played.advanceDays(35);
    expect(await played.gateway.port.resumeSubscription(own)).toMatchObject({ state: 'ended', renewals: 1 });
    expect(await played.gateway.port.resumeSubscription('sub_000')).toBeUndefined();
  });

  const yearly = (at = Date.now()) => ({
    reference: `s1/${randomUUID()}`,
    description: 'Yearly',
    terms: { amountMinor: 9000, period: 'year', trialDays: 0 } as Terms,
    currency: 'EUR',
    at,
  });

  test('starts a more expensive plan at once, minus the unused part of the month, and charges the quoted amount once', async ({
    skip,
  }) => {
    const { id, until } = await subscribed();
    played.advanceDays(15);
    const change = yearly(until - 15 * DAY_MS);
    const daysMore = (told: { until: number } | undefined) => Math.round(((told?.until ?? 0) - until) / DAY_MS);
    const due = await played.gateway.port.quoteChange(id, change);
    const { immediatePlanChange } = played.unsupported ?? {};
    if (immediatePlanChange !== undefined) {
      expect(due).toBeUndefined();
      await expect(played.gateway.port.changePlan(id, { ...change, starts: 'now' })).rejects.toMatchObject({
        code: 'plan_unchanged',
      });
      skip(immediatePlanChange);
    }
    // About half of the month's 900 is unused.
    expect(due).toBeGreaterThan(8500);
    expect(due).toBeLessThan(8600);
    const answers = await Promise.all([1, 2].map(() => played.gateway.port.changePlan(id, { ...change, starts: 'now' })));
    const changed = { state: 'active', renewals: 0, renewalsBefore: 0, chargedMinor: due };
    expect(answers).toMatchObject([changed, changed]);
    expect(daysMore(answers[0])).toBeGreaterThan(345);
    expect(await played.gateway.port.changePlan(id, { ...change, starts: 'now' })).toMatchObject(changed);
    expect(await played.gateway.port.readSubscription(id)).toMatchObject({ renewals: 0, state: 'active' });
    played.advanceDays(370);
    const renewed = await played.gateway.port.readSubscription(id);
    expect(renewed).toMatchObject({ renewals: 1, state: 'active' });
    expect(daysMore(renewed)).toBeGreaterThan(710);
    // A retry a year after a lost response returns the same.
    expect(await played.gateway.port.changePlan(id, { ...change, starts: 'now' })).toMatchObject({ ...changed, renewals: 1 });
  });

  test('leaves the plan unchanged when the card does not pay', async ({ skip }) => {
    const { immediatePlanChange } = played.unsupported ?? {};
    if (immediatePlanChange !== undefined) skip(immediatePlanChange);
    const before = await subscribed('once');
    const change = { ...yearly(), starts: 'now' } as const;
    await expect(played.gateway.port.changePlan(before.id, change)).rejects.toMatchObject({ code: 'card_declined' });
    expect(await played.gateway.port.readSubscription(before.id)).toEqual(before);
  });

  test('starts another plan with the next renewal, and charges nothing before', async () => {
    const before = await subscribed();
    const change = { ...yearly(), starts: 'renewal' } as const;
    const told = await played.gateway.port.changePlan(before.id, change);
    expect(told).toMatchObject({ state: 'active', renewals: 0, renewalsBefore: 0, chargedMinor: 0, until: before.until });
    await played.gateway.port.changePlan(before.id, change);
    played.advanceDays(32);
    const renewed = await played.gateway.port.readSubscription(before.id);
    expect(renewed).toMatchObject({ state: 'active', renewals: 1 });
    expect(((renewed?.until ?? 0) - before.until) / DAY_MS).toBeGreaterThan(360);
    expect(await played.gateway.port.changePlan(before.id, change)).toMatchObject({
      renewals: 1,
      renewalsBefore: 0,
      chargedMinor: 0,
    });
  });

  test('undoes a pending change, and replaces it with another', async () => {
    const before = await subscribed();
    await played.gateway.port.changePlan(before.id, { ...yearly(), starts: 'renewal' });
    const own = { ...yearly(), terms: monthly, description: 'The Salt <Road>' };
    await played.gateway.port.changePlan(before.id, { ...own, starts: 'renewal' });
    played.advanceDays(32);
    const renewed = await played.gateway.port.readSubscription(before.id);
    expect(renewed).toMatchObject({ state: 'active', renewals: 1 });
    expect(((renewed?.until ?? 0) - before.until) / DAY_MS).toBeLessThan(32);
  });

  test('refunds the last payment of a subscription once, and returns the total refunded', async () => {
    const { id } = await subscribed();
    expect(await played.gateway.port.readRefunds(id)).toEqual({ totalMinor: 0, isLastWhole: false });
    const answers = await Promise.all([1, 2, 3].map(() => played.gateway.port.refundLastPayment(id)));
    expect(answers.at(-1)).toEqual({ totalMinor: 900, isLastWhole: true });
    expect(await played.gateway.port.refundLastPayment(id)).toEqual({ totalMinor: 900, isLastWhole: true });
    played.advanceDays(32);
    expect(await played.gateway.port.readSubscription(id)).toMatchObject({ renewals: 1 });
    expect(await played.gateway.port.readRefunds(id)).toEqual({ totalMinor: 900, isLastWhole: false });
    expect(await played.gateway.port.refundLastPayment(id)).toEqual({ totalMinor: 1800, isLastWhole: true });
    expect(await played.gateway.port.readRefunds(id)).toEqual({ totalMinor: 1800, isLastWhole: true });
  });

  test('refunds nothing during the trial', async () => {
    const { id } = await subscribed('good', 3);
    expect(await played.gateway.port.refundLastPayment(id)).toEqual({ totalMinor: 0, isLastWhole: false });
  });

  test('keeps the trial days under another plan', async () => {
    const before = await subscribed('good', 3);
    expect(await played.gateway.port.quoteChange(before.id, yearly())).toBeUndefined();
    const told = await played.gateway.port.changePlan(before.id, { ...yearly(), starts: 'renewal' });
    expect(told).toMatchObject({ state: 'active', renewals: 0, chargedMinor: 0, until: before.until });
  });

  test('returns the end of access for a renewal that is not paid', async () => {
    const { url, id } = await played.gateway.port.create(newRequest({ subscription: { ...monthly, period: 'week' } }));
    await played.pay(url, 'once');
    const { subscription } = await played.gateway.port.capture(id);
    const before = subscription?.until ?? 0;
    played.advanceDays(8);
    const told = await played.gateway.port.readSubscription(subscription?.id ?? '');
    expect(told).toMatchObject({ state: 'past_due', renewals: 0 });
    expect(Math.round(((told?.until ?? 0) - before) / DAY_MS)).toBe(7);
  });
  afterEach(() => expect(played.unknown).toEqual([]));
  afterAll(() => played.close());
});
