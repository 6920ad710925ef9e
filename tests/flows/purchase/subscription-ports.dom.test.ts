import { beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '@testing-library/react';
import { flow } from '../../../src/flows/purchase/ports.ts';
import { getPlanCodeStorage } from '../../../src/storage/stored-code.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { createFakeServer } from '../../support/client/fake-environment.ts';
import { makeFlowInput, store, startUnderShop } from '../../support/views/flow.ts';

const makeResponse = (type: string, text: string, status = 200) =>
  new Response(text, { status, headers: { 'content-type': type } });
const xml = (text: string, status?: number) => makeResponse('application/xml', text, status);
const json = (value: unknown) => makeResponse('application/json', JSON.stringify(value));

type Answers = Record<string, () => Response>;

const refusedResponse = (status: number, code: string) =>
  xml(`<Error><StatusCode>${status}</StatusCode><Code>${code}</Code><Message>No</Message></Error>`, status);

const cardXml =
  '<Card><CardId>c1</CardId><Brand>Visa</Brand><LastFour>4242</LastFour><ExpiryMonth>8</ExpiryMonth><ExpiryYear>2099</ExpiryYear></Card>';

const usualAnswers: Answers = {
  'plans/monthly': () =>
    xml(
      '<Plan><PlanId>monthly</PlanId><Name>Monthly</Name><Amount>4.90</Amount><Currency>USD</Currency><Interval>month</Interval></Plan>',
    ),
  'redeem/apply': () =>
    xml('<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId><TrialDays>30</TrialDays></Redemption>'),
  'card/all': () => xml(`<Cards>${cardXml}</Cards>`),
};

/** Opens the purchase of a plan on a server with these answers, by path. */
const openSubscription = (search: string, answers: Answers = {}) => {
  history.replaceState(null, '', `/subscription/purchase${search}`);
  const params = Object.fromEntries(new URLSearchParams(search));
  const { api, requests } = createFakeServer([
    () => {
      const path = requests.at(-1)?.path.replace('/api/', '') ?? '';
      const answer = answers[path] ?? usualAnswers[path];
      return answer === undefined ? refusedResponse(404, 'not_found') : answer();
    },
  ]);
  const ports = flow(createShopEnvironment(() => api, { address: () => location, token: () => 'a-token' }));
  const { actor, receivedEvents } = startUnderShop(
    ports,
    makeFlowInput({ of: 'subscription', ...params }, { signedIn: true, store: { ...store, enableSubscription: true } }),
  );
  const waitForState = (state: string) => waitFor(() => expect(actor.getSnapshot().value).toBe(state));
  const getQueries = (path: string) => requests.filter((request) => request.path === `/api/${path}`).map(({ query }) => query);
  return {
    actor,
    receivedEvents,
    waitForState,
    getQueries,
    getPlan: () => actor.getSnapshot().context.plan,
    getCalls: () => requests.map(({ path }) => path),
  };
};

beforeEach(() => sessionStorage.clear());

test('the code in the address is sent again after a declined card, also if the address no longer has it', async () => {
  const shop = openSubscription('?planid=monthly&code=TRIAL', {
    'subscription/purchase': () => refusedResponse(402, 'card_declined'),
  });
  await shop.waitForState('ready');
  expect(shop.getPlan()).toMatchObject({ trialDays: 30 });
  shop.actor.send({ type: 'pay.pressed' });
  await shop.waitForState('failed');
  history.replaceState(null, '', '/subscription/purchase?planid=monthly');
  shop.actor.send({ type: 'retry.pressed' });
  await shop.waitForState('ready');
  expect(shop.getPlan()).toMatchObject({ trialDays: 30 });
  shop.actor.send({ type: 'pay.pressed' });
  await shop.waitForState('failed');
  expect(shop.getQueries('subscription/purchase').map(({ code }) => code)).toEqual(['TRIAL', 'TRIAL']);
});

test('a code removed while offline gives no trial days and is not sent again', async () => {
  let isDown = false;
  const shop = openSubscription('?planid=monthly&code=TRIAL', {
    'plans/monthly': () => {
      if (isDown) throw new TypeError('Failed to fetch');
      return (usualAnswers['plans/monthly'] as () => Response)();
    },
    'subscription/purchase': () => refusedResponse(402, 'card_declined'),
  });
  await shop.waitForState('ready');
  isDown = true;
  shop.actor.send({ type: 'code.removed' });
  await shop.waitForState('ready');
  expect(shop.getPlan()).toMatchObject({ trialDays: 0 });
  expect(location.search).toBe('?planid=monthly');
  shop.actor.send({ type: 'pay.pressed' });
  await shop.waitForState('failed');
  expect(shop.getQueries('subscription/purchase').map(({ code }) => code)).toEqual([undefined]);
});

test('a code is sent for a plan that the server spells differently than the address', async () => {
  const shop = openSubscription('?planid=MONTHLY&code=TRIAL', {
    'plans/MONTHLY': usualAnswers['plans/monthly'] as () => Response,
    'subscription/purchase': () => refusedResponse(402, 'card_declined'),
  });
  await shop.waitForState('ready');
  shop.actor.send({ type: 'pay.pressed' });
  await shop.waitForState('failed');
  expect(shop.getQueries('subscription/purchase').map(({ code }) => code)).toEqual(['TRIAL']);
});

test('a code of a new link replaces the stored one', async () => {
  getPlanCodeStorage('monthly').keep('OLD');
  const shop = openSubscription('?planid=monthly&code=NEW');
  await shop.waitForState('ready');
  expect(shop.getQueries('redeem/apply').map(({ code }) => code)).toEqual(['NEW']);
});

test('a code refused at the payment is dropped; the refusal concerns the code, not the price', async () => {
  sessionStorage.setItem('colophon.code', 'FOR-TITLES');
  const shop = openSubscription('?planid=monthly&code=TRIAL', {
    'subscription/purchase': () => refusedResponse(409, 'code_used'),
  });
  await shop.waitForState('ready');
  shop.actor.send({ type: 'pay.pressed' });
  await shop.waitForState('failed');
  expect(shop.actor.getSnapshot().context.problem).toMatchObject({ kind: 'refused', code: 'code_used' });
  expect(getPlanCodeStorage('monthly').read()).toBe('');
  expect(sessionStorage.getItem('colophon.code')).toBe('FOR-TITLES');
});

const pendingStatus = { transId: 's1', status: 'pending', intentId: 'pi_1', url: 'https://pay.example/1' };

test('when a customer comes back from the bank’s page by hand, the status is read and nothing is confirmed', async () => {
  const shop = openSubscription('?planid=monthly', {
    'subscription/purchase': () => json({ subscriptionId: 's1', intentId: 'pi_1', url: 'https://pay.example/1' }),
    'checkout/session/status': () => json(pendingStatus),
  });
  await shop.waitForState('ready');
  shop.actor.send({ type: 'pay.pressed' });
  await vi.waitFor(() => expect(shop.receivedEvents.filter(({ type }) => type === 'leave')).toHaveLength(1));
  shop.actor.send({ type: 'page.returned' });
  await vi.waitFor(() => expect(shop.getQueries('checkout/session/status')).toHaveLength(1));
  expect(shop.actor.getSnapshot().value).toBe('paying');
  expect(shop.getQueries('subscription/confirm')).toEqual([]);
});

test('a return from the gateway is confirmed at once', async () => {
  const shop = openSubscription('?planid=monthly&subscriptionid=s1&intentId=pi_1', {
    'subscription/confirm': () => json({ status: 'active' }),
  });
  await shop.waitForState('succeeded');
  expect(shop.getQueries('subscription/confirm')).toMatchObject([{ subscriptionId: 's1', intentId: 'pi_1' }]);
  expect(shop.getCalls()).not.toContain('/api/checkout/session/status');
});
