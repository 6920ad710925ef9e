import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SubscriptionStatus } from '../../../machines/app/frame.ts';
import type { StoreProperties } from '../../../machines/model/store.ts';
import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
// Fetched late by the shop; here it is there before the clock of a test starts.
import '../../../src/views/Markup.tsx';
import { SubscriptionView } from '../../../src/flows/subscription/SubscriptionView.tsx';
import { answers, flowInput, rejects, store, underShop, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

type Status = Port<SubscriptionStatus, undefined>;

const start = (
  subscriptionStatus: Status,
  signedIn: boolean,
  properties: Partial<StoreProperties> = {},
  path = '/subscription',
) => {
  const shop = { ...store, ...properties };
  const input = flowInput({}, { signedIn, store: shop });
  const { actor, told } = underShop(subscriptionMachine.provide({ actors: { subscriptionStatus } }), input);
  return { told, container: show(<SubscriptionView actor={actor} />, path, shop) };
};
const links = (container: HTMLElement) => [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
const hasNone = answers<SubscriptionStatus, undefined>({ subscribed: false, data: null });

test('a visitor reads the store’s sanitised text, what each renewal brings, and where a code goes', async () => {
  const { container } = start(hasNone, false, {
    subscriptionMessageHtml: '<p>All of it for <b>one price</b>.</p><script>1</script>',
    creditsPerRenewal: 2,
    creditCurrency: 'Tokens',
  });
  expect(stateOf(container, 'subscription')).toBe('offered');
  await waitFor(() => expect(container.querySelector('b')?.textContent).toBe('one price'));
  expect(container.querySelector('script')).toBeNull();
  expect(container.textContent).toContain('Each renewal gives you 2 Tokens.');
  expect(links(container)).toEqual(expect.arrayContaining(['/redeem', '/signin?return=%2Fsubscription', '/all']));
});

test.each([
  [1, 'Each renewal gives you 1 credit.'],
  [3, 'Each renewal gives you 3 credits.'],
])('%i credits without a name of their own', (creditsPerRenewal, says) => {
  expect(start(hasNone, false, { creditsPerRenewal }).container.textContent).toContain(says);
});

test('credits under their usual English name are named in the customer’s language', () => {
  const { container } = start(hasNone, false, { creditsPerRenewal: 2, creditCurrency: 'Credits' });
  expect(container.textContent).toContain('Each renewal gives you 2 credits.');
});

test('the store’s word for its credits is text, whatever it looks like', () => {
  const { container } = start(hasNone, false, { creditsPerRenewal: 2, creditCurrency: '<0>Tokens</0>' });
  expect(container.textContent).toContain('Each renewal gives you 2 <0>Tokens</0>.');
});

test('signing in leads back with the code and the plan of the address', () => {
  const { container } = start(hasNone, false, {}, '/subscription?code=A%26B&planid=p1');
  const back = new URL(links(container).find((link) => link?.startsWith('/signin')) ?? '', 'https://shop.example');
  expect(back.searchParams.get('return')).toBe('/subscription?code=A%26B&planid=p1');
});

test('a store without subscription codes and without credits mentions neither', () => {
  const { container } = start(hasNone, false, { enableWebSubscriptionRedeem: false });
  expect(links(container)).not.toContain('/redeem');
  expect(container.textContent).not.toContain('renewal');
});

test('a customer is told whether they have subscribed', async () => {
  const has = start(answers({ subscribed: true, data: 'monthly' }), true);
  await waitFor(() => expect(stateOf(has.container, 'subscription')).toBe('subscribed'));
  expect(has.container.textContent).toContain('You’re subscribed.');
  const none = start(hasNone, true);
  await waitFor(() => expect(none.container.textContent).toContain('You don’t have a subscription.'));
});

test('a failure can be tried again', async () => {
  const failed = start(rejects({ kind: 'offline' }), true);
  await waitFor(() => expect(stateOf(failed.container, 'subscription')).toBe('failed'));
  expect(pressable(failed.container, 'retry.pressed')).toBeDefined();
});

test('a store with its subscriptions off says so, and leads to its titles', () => {
  const { container } = start(hasNone, true, { enableSubscription: false });
  expect(stateOf(container, 'subscription')).toBe('closed');
  expect(container.textContent).toContain('This shop doesn’t offer subscriptions.');
  expect(links(container)).toEqual(['/all']);
});
