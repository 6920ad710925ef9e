import { expect, test } from 'vitest';
import {
  codeTrial,
  confirmSubscription,
  purchaseSubscription,
  subscriptionSession,
} from '../../../src/flows/purchase/calls/subscription.ts';
import { json, rejection, world, xml } from '../../support/client/world.ts';

const signal = new AbortController().signal;

test('a session names the plan, and the code of the address where there is one [S7.checkout/subscription/session]', async () => {
  const answer = () => json({ transId: 't1', provider: 'test', url: 'https://pay.example/pay/1' });
  const { api, asked } = world([answer, answer]);
  expect(await subscriptionSession(api, { planId: 'monthly', code: '' }, signal)).toEqual({
    url: 'https://pay.example/pay/1',
    transId: 't1',
  });
  await subscriptionSession(api, { planId: 'monthly', code: 'HALF' }, signal);
  expect(asked.map(({ path, query }) => [path, query['planId'], query['code'], query['method']])).toEqual([
    ['/api/checkout/subscription/session', 'monthly', undefined, 'card'],
    ['/api/checkout/subscription/session', 'monthly', 'HALF', 'card'],
  ]);
});

test('the days that a code gives are those of its plan, while the customer has not used it [S7.redeem/apply]', async () => {
  const { api, asked } = world([
    xml('<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId><TrialDays>30</TrialDays></Redemption>'),
    xml(
      '<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId><TrialDays>30</TrialDays><Redeemed>true</Redeemed></Redemption>',
    ),
    xml('<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId></Redemption>'),
    xml('<Redemption><Kind>titles</Kind></Redemption>'),
    xml('<Redemption><PlanId>monthly</PlanId></Redemption>'),
    xml('<Redemption/>'),
  ]);
  expect(await codeTrial(api, 'T', signal)).toEqual({ planId: 'monthly', trialDays: 30 });
  for (const _ of ['used', 'no days', 'for titles']) expect(await codeTrial(api, 'T', signal)).toBeNull();
  // Of a server that does not tell, the payment finds out.
  expect(await codeTrial(api, 'T', signal)).toEqual({ planId: 'monthly', trialDays: 0 });
  expect(await codeTrial(api, 'T', signal)).toEqual({ planId: null, trialDays: 0 });
  expect(asked[0]).toMatchObject({ path: '/api/redeem/apply', query: { code: 'T', subscription: 'true' } });
});

test.each(['javascript:alert(1)', 'data:text/html,x', ''])('%j is no payment page', async (url) => {
  const { api } = world([json({ transId: 't1', url })]);
  expect(await rejection(subscriptionSession(api, { planId: 'monthly', code: '' }, signal))).toMatchObject({
    kind: 'malformed',
  });
});

test('a kept card is named by its id; what its bank asks is a page [S7.subscription/purchase]', async () => {
  const answer = { subscriptionId: 's1', status: 'actionRequired', intentId: 'pi_1', url: null, reason: null };
  const { api, asked } = world([
    json(answer),
    json({ ...answer, url: 'https://pay.example/pay/1' }),
    json({ ...answer, intentId: null }),
  ]);
  const wanted = { planId: 'monthly', cardId: 'c1', code: '' };
  expect(await purchaseSubscription(api, wanted, signal)).toEqual({ subscriptionId: 's1', intentId: 'pi_1', url: null });
  expect(asked).toMatchObject([{ path: '/api/subscription/purchase', query: { planId: 'monthly', cardId: 'c1' } }]);
  expect(await purchaseSubscription(api, wanted, signal)).toMatchObject({ url: 'https://pay.example/pay/1' });
  expect(await rejection(purchaseSubscription(api, wanted, signal))).toMatchObject({ kind: 'malformed', field: 'intentId' });
});

test('a subscription whose confirmation says no more than that it is done has begun', async () => {
  for (const answer of [new Response(null, { status: 204 }), new Response(''), json({}), json({ Status: 'Trialing' })])
    await confirmSubscription(world([answer]).api, { subscriptionId: 's1', intentId: 'pi_1' });
});

test('only a subscription that runs is confirmed; a lost answer is asked for by nobody but the machine [S7.subscription/confirm]', async () => {
  const returned = { subscriptionId: 's1', intentId: 'pi_1' };
  const { api, asked } = world([json({ subscriptionId: 's1', status: 'active', intentId: 'pi_1' })]);
  await confirmSubscription(api, returned);
  expect(asked).toMatchObject([{ path: '/api/subscription/confirm', query: returned }]);
  const other = world([json({ subscriptionId: 's1', status: 'actionRequired' })]);
  expect(await rejection(confirmSubscription(other.api, returned))).toMatchObject({ kind: 'malformed', field: 'status' });
  const broken = world([() => new Response('', { status: 503 })]);
  expect(await rejection(confirmSubscription(broken.api, returned))).toMatchObject({ kind: 'http', status: 503 });
  expect(broken.asked).toHaveLength(1);
});
