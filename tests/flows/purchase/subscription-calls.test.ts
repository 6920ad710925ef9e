import { expect, test } from 'vitest';
import {
  fetchCodeTrial,
  confirmSubscription,
  startSubscriptionByCard,
  startSubscription,
} from '../../../src/flows/purchase/calls/subscription.ts';
import { json, catchRejection, environment, xml } from '../../support/client/fake-environment.ts';

const signal = new AbortController().signal;

test('a session names the plan, and the code in the address if there is one [S7.checkout/subscription/session]', async () => {
  const answer = () => json({ transId: 't1', provider: 'test', url: 'https://pay.example/pay/1' });
  const { api, asked } = environment([answer, answer]);
  expect(await startSubscription(api, { planId: 'monthly', code: '' }, signal)).toEqual({
    url: 'https://pay.example/pay/1',
    transId: 't1',
  });
  await startSubscription(api, { planId: 'monthly', code: 'HALF' }, signal);
  expect(asked.map(({ path, query }) => [path, query['planId'], query['code'], query['method']])).toEqual([
    ['/api/checkout/subscription/session', 'monthly', undefined, 'card'],
    ['/api/checkout/subscription/session', 'monthly', 'HALF', 'card'],
  ]);
});

test('a code’s trial days apply to its plan, until the customer has used it [S7.redeem/apply]', async () => {
  const { api, asked } = environment([
    xml('<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId><TrialDays>30</TrialDays></Redemption>'),
    xml(
      '<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId><TrialDays>30</TrialDays><Redeemed>true</Redeemed></Redemption>',
    ),
    xml('<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId></Redemption>'),
    xml('<Redemption><Kind>titles</Kind></Redemption>'),
    xml('<Redemption><PlanId>monthly</PlanId></Redemption>'),
    xml('<Redemption/>'),
  ]);
  expect(await fetchCodeTrial(api, 'T', signal)).toEqual({ planId: 'monthly', trialDays: 30 });
  for (const _ of ['used', 'no days', 'for titles']) expect(await fetchCodeTrial(api, 'T', signal)).toBeNull();
  // When the server does not say, the payment decides.
  expect(await fetchCodeTrial(api, 'T', signal)).toEqual({ planId: 'monthly', trialDays: 0 });
  expect(await fetchCodeTrial(api, 'T', signal)).toEqual({ planId: null, trialDays: 0 });
  expect(asked[0]).toMatchObject({ path: '/api/redeem/apply', query: { code: 'T', subscription: 'true' } });
});

test.each(['javascript:alert(1)', 'data:text/html,x', ''])('%j is not a payment page', async (url) => {
  const { api } = environment([json({ transId: 't1', url })]);
  expect(await catchRejection(startSubscription(api, { planId: 'monthly', code: '' }, signal))).toMatchObject({
    kind: 'malformed',
  });
});

test('a saved card is named by its id; the bank’s request is a page [S7.subscription/purchase]', async () => {
  const answer = { subscriptionId: 's1', status: 'actionRequired', intentId: 'pi_1', url: null, reason: null };
  const { api, asked } = environment([
    json(answer),
    json({ ...answer, url: 'https://pay.example/pay/1' }),
    json({ ...answer, intentId: null }),
  ]);
  const wanted = { planId: 'monthly', cardId: 'c1', code: '' };
  expect(await startSubscriptionByCard(api, wanted, signal)).toEqual({ subscriptionId: 's1', intentId: 'pi_1', url: null });
  expect(asked).toMatchObject([{ path: '/api/subscription/purchase', query: { planId: 'monthly', cardId: 'c1' } }]);
  expect(await startSubscriptionByCard(api, wanted, signal)).toMatchObject({ url: 'https://pay.example/pay/1' });
  expect(await catchRejection(startSubscriptionByCard(api, wanted, signal))).toMatchObject({
    kind: 'malformed',
    field: 'intentId',
  });
});

test('a confirmation with an empty success means that the subscription has started', async () => {
  for (const answer of [new Response(null, { status: 204 }), new Response(''), json({}), json({ Status: 'Trialing' })])
    await confirmSubscription(environment([answer]).api, { subscriptionId: 's1', intentId: 'pi_1' });
});

test('only a running subscription is confirmed; the client does not retry a lost answer [S7.subscription/confirm]', async () => {
  const returned = { subscriptionId: 's1', intentId: 'pi_1' };
  const { api, asked } = environment([json({ subscriptionId: 's1', status: 'active', intentId: 'pi_1' })]);
  await confirmSubscription(api, returned);
  expect(asked).toMatchObject([{ path: '/api/subscription/confirm', query: returned }]);
  const other = environment([json({ subscriptionId: 's1', status: 'actionRequired' })]);
  expect(await catchRejection(confirmSubscription(other.api, returned))).toMatchObject({ kind: 'malformed', field: 'status' });
  const broken = environment([() => new Response('', { status: 503 })]);
  expect(await catchRejection(confirmSubscription(broken.api, returned))).toMatchObject({ kind: 'http', status: 503 });
  expect(broken.asked).toHaveLength(1);
});
