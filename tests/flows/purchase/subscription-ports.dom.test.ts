import { beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '@testing-library/react';
import { flow } from '../../../src/flows/purchase/ports.ts';
import { planCode } from '../../../src/storage/kept-code.ts';
import { shopWorld } from '../../support/client/shop-world.ts';
import { world } from '../../support/client/world.ts';
import { flowInput, store, underShop } from '../../support/views/flow.ts';

const answer = (type: string, text: string, status = 200) => new Response(text, { status, headers: { 'content-type': type } });
const xml = (text: string, status?: number) => answer('application/xml', text, status);
const json = (value: unknown) => answer('application/json', JSON.stringify(value));

type Answers = Record<string, () => Response>;

const refused = (status: number, code: string) =>
  xml(`<Error><StatusCode>${status}</StatusCode><Code>${code}</Code><Message>No</Message></Error>`, status);

const card =
  '<Card><CardId>c1</CardId><Brand>Visa</Brand><LastFour>4242</LastFour><ExpiryMonth>8</ExpiryMonth><ExpiryYear>2099</ExpiryYear></Card>';

const usual: Answers = {
  'plans/monthly': () =>
    xml(
      '<Plan><PlanId>monthly</PlanId><Name>Monthly</Name><Amount>4.90</Amount><Currency>USD</Currency><Interval>month</Interval></Plan>',
    ),
  'redeem/apply': () =>
    xml('<Redemption><Kind>subscription</Kind><PlanId>monthly</PlanId><TrialDays>30</TrialDays></Redemption>'),
  'card/all': () => xml(`<Cards>${card}</Cards>`),
};

/** Opens the purchase of the monthly plan on a server that answers so, by path. */
const open = (search: string, given: Answers = {}) => {
  history.replaceState(null, '', `/subscription/purchase${search}`);
  const params = Object.fromEntries(new URLSearchParams(search));
  const { api, asked } = world([
    () => {
      const path = asked.at(-1)?.path.replace('/api/', '') ?? '';
      const answer = given[path] ?? usual[path];
      return answer === undefined ? refused(404, 'not_found') : answer();
    },
  ]);
  const ports = flow(shopWorld(() => api, { address: () => location, token: () => 'a-token' }));
  const { actor, told } = underShop(
    ports,
    flowInput({ of: 'subscription', ...params }, { signedIn: true, store: { ...store, enableSubscription: true } }),
  );
  const isIn = (state: string) => waitFor(() => expect(actor.getSnapshot().value).toBe(state));
  const queries = (path: string) => asked.filter((each) => each.path === `/api/${path}`).map(({ query }) => query);
  return { actor, told, isIn, queries, plan: () => actor.getSnapshot().context.plan, calls: () => asked.map(({ path }) => path) };
};

beforeEach(() => sessionStorage.clear());

test('a code of the address is sent again after a declined card, whose address has none', async () => {
  const shop = open('?planid=monthly&code=TRIAL', { 'subscription/purchase': () => refused(402, 'card_declined') });
  await shop.isIn('ready');
  expect(shop.plan()).toMatchObject({ trialDays: 30 });
  shop.actor.send({ type: 'pay.pressed' });
  await shop.isIn('failed');
  history.replaceState(null, '', '/subscription/purchase?planid=monthly');
  shop.actor.send({ type: 'retry.pressed' });
  await shop.isIn('ready');
  expect(shop.plan()).toMatchObject({ trialDays: 30 });
  shop.actor.send({ type: 'pay.pressed' });
  await shop.isIn('failed');
  expect(shop.queries('subscription/purchase').map(({ code }) => code)).toEqual(['TRIAL', 'TRIAL']);
});

test('a removed code gives no free days and is sent no more, also where the network is down', async () => {
  let isDown = false;
  const shop = open('?planid=monthly&code=TRIAL', {
    'plans/monthly': () => {
      if (isDown) throw new TypeError('Failed to fetch');
      return (usual['plans/monthly'] as () => Response)();
    },
    'subscription/purchase': () => refused(402, 'card_declined'),
  });
  await shop.isIn('ready');
  isDown = true;
  shop.actor.send({ type: 'code.removed' });
  await shop.isIn('ready');
  expect(shop.plan()).toMatchObject({ trialDays: 0 });
  expect(location.search).toBe('?planid=monthly');
  shop.actor.send({ type: 'pay.pressed' });
  await shop.isIn('failed');
  expect(shop.queries('subscription/purchase').map(({ code }) => code)).toEqual([undefined]);
});

test('a code is sent for a plan that the server spells otherwise than the address', async () => {
  const shop = open('?planid=MONTHLY&code=TRIAL', {
    'plans/MONTHLY': usual['plans/monthly'] as () => Response,
    'subscription/purchase': () => refused(402, 'card_declined'),
  });
  await shop.isIn('ready');
  shop.actor.send({ type: 'pay.pressed' });
  await shop.isIn('failed');
  expect(shop.queries('subscription/purchase').map(({ code }) => code)).toEqual(['TRIAL']);
});

test('a code of a new link replaces the one that was kept', async () => {
  planCode('monthly').keep('OLD');
  const shop = open('?planid=monthly&code=NEW');
  await shop.isIn('ready');
  expect(shop.queries('redeem/apply').map(({ code }) => code)).toEqual(['NEW']);
});

test('a code that is refused at the payment is dropped; the refusal is of the code, not of the price', async () => {
  sessionStorage.setItem('colophon.code', 'FOR-TITLES');
  const shop = open('?planid=monthly&code=TRIAL', { 'subscription/purchase': () => refused(409, 'code_used') });
  await shop.isIn('ready');
  shop.actor.send({ type: 'pay.pressed' });
  await shop.isIn('failed');
  expect(shop.actor.getSnapshot().context.problem).toMatchObject({ kind: 'refused', code: 'code_used' });
  expect(planCode('monthly').read()).toBe('');
  expect(sessionStorage.getItem('colophon.code')).toBe('FOR-TITLES');
});

const pending = { transId: 's1', status: 'pending', intentId: 'pi_1', url: 'https://pay.example/1' };

test('the bank’s page is left open: the server is asked, and nothing is confirmed', async () => {
  const shop = open('?planid=monthly', {
    'subscription/purchase': () => json({ subscriptionId: 's1', intentId: 'pi_1', url: 'https://pay.example/1' }),
    'checkout/session/status': () => json(pending),
  });
  await shop.isIn('ready');
  shop.actor.send({ type: 'pay.pressed' });
  await vi.waitFor(() => expect(shop.told.filter(({ type }) => type === 'leave')).toHaveLength(1));
  shop.actor.send({ type: 'page.returned' });
  await vi.waitFor(() => expect(shop.queries('checkout/session/status')).toHaveLength(1));
  expect(shop.actor.getSnapshot().value).toBe('paying');
  expect(shop.queries('subscription/confirm')).toEqual([]);
});

test('a return from the gateway is confirmed at once', async () => {
  const shop = open('?planid=monthly&subscriptionid=s1&intentId=pi_1', {
    'subscription/confirm': () => json({ status: 'active' }),
  });
  await shop.isIn('succeeded');
  expect(shop.queries('subscription/confirm')).toMatchObject([{ subscriptionId: 's1', intentId: 'pi_1' }]);
  expect(shop.calls()).not.toContain('/api/checkout/session/status');
});
