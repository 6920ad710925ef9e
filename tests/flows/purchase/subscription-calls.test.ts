import { expect, test } from 'vitest';
import {
  fetchCodeTrial,
  confirmSubscription,
  startSubscriptionByCard,
  startSubscription,
} from '../../../src/flows/purchase/calls/subscription.ts';
import { json, catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const signal = new AbortController().signal;

test('a session names the plan, and the code if there is one [S7.checkout/subscription/session]', async () => {
  const response = () => json({ transId: 't1', provider: 'test', url: 'https://pay.example/pay/1' });
  const { api, requests } = createFakeServer([response, response]);
  expect(await startSubscription(api, { planId: 'monthly', code: '' }, signal)).toEqual({
    url: 'https://pay.example/pay/1',
    transId: 't1',
  });
  await startSubscription(api, { planId: 'monthly', code: 'HALF' }, signal);
  expect(requests.map(({ path, query }) => [path, query['planId'], query['code'], query['method']])).toEqual([
    ['/api/checkout/subscription/session', 'monthly', undefined, 'card'],
    ['/api/checkout/subscription/session', 'monthly', 'HALF', 'card'],
  ]);
});

test('a code’s trial days apply to its plan, until the customer has used it [S7.redeem/apply]', async () => {
  const { api, requests } = createFakeServer([
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
  // The server does not state the days of the trial: the payment decides.
  expect(await fetchCodeTrial(api, 'T', signal)).toEqual({ planId: 'monthly', trialDays: 0 });
  expect(await fetchCodeTrial(api, 'T', signal)).toEqual({ planId: null, trialDays: 0 });
  expect(requests[0]).toMatchObject({ path: '/api/redeem/apply', query: { code: 'T', subscription: 'true' } });
});

test.each(['javascript:alert(1)', 'data:text/html,x', ''])('%j is not a payment page', async (url) => {
  const { api } = createFakeServer([json({ transId: 't1', url })]);
  expect(await catchRejection(startSubscription(api, { planId: 'monthly', code: '' }, signal))).toMatchObject({
    kind: 'malformed',
  });
});

test('a saved card is sent by its id, and the bank’s page is returned [S7.subscription/purchase]', async () => {
  const response = { subscriptionId: 's1', status: 'actionRequired', intentId: 'pi_1', url: null, reason: null };
  const { api, requests } = createFakeServer([
    json(response),
    json({ ...response, url: 'https://pay.example/pay/1' }),
    json({ ...response, intentId: null }),
  ]);
  const purchaseRequest = { planId: 'monthly', cardId: 'c1', code: '' };
  expect(await startSubscriptionByCard(api, purchaseRequest, signal)).toEqual({
    subscriptionId: 's1',
    intentId: 'pi_1',
    url: null,
  });
  expect(requests).toMatchObject([{ path: '/api/subscription/purchase', query: { planId: 'monthly', cardId: 'c1' } }]);
  expect(await startSubscriptionByCard(api, purchaseRequest, signal)).toMatchObject({ url: 'https://pay.example/pay/1' });
  expect(await catchRejection(startSubscriptionByCard(api, purchaseRequest, signal))).toMatchObject({
    kind: 'malformed',
    field: 'intentId',
  });
});

test('an empty successful response to a confirmation means that the subscription has started', async () => {
  for (const response of [new Response(null, { status: 204 }), new Response(''), json({}), json({ Status: 'Trialing' })])
    await confirmSubscription(createFakeServer([response]).api, { subscriptionId: 's1', intentId: 'pi_1' });
});

test('only a running subscription counts as confirmed, and a failed confirmation is not retried [S7.subscription/confirm]', async () => {
  const confirmation = { subscriptionId: 's1', intentId: 'pi_1' };
  const { api, requests } = createFakeServer([json({ subscriptionId: 's1', status: 'active', intentId: 'pi_1' })]);
  await confirmSubscription(api, confirmation);
  expect(requests).toMatchObject([{ path: '/api/subscription/confirm', query: confirmation }]);
  const actionRequiredServer = createFakeServer([json({ subscriptionId: 's1', status: 'actionRequired' })]);
  expect(await catchRejection(confirmSubscription(actionRequiredServer.api, confirmation))).toMatchObject({
    kind: 'malformed',
    field: 'status',
  });
  const failingServer = createFakeServer([() => new Response('', { status: 503 })]);
  expect(await catchRejection(confirmSubscription(failingServer.api, confirmation))).toMatchObject({
    kind: 'http',
    status: 503,
  });
  expect(failingServer.requests).toHaveLength(1);
});
