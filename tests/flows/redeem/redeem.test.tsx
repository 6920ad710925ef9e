import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { redeemMachine } from '../../../machines/buying/redeem.ts';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { CodeOffer, OfferKind, RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';
import type { Plan } from '../../../machines/model/buying/subscription.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { throwProblem } from '../../../src/client/wire/problem.ts';
import { RedeemView } from '../../../src/flows/redeem/RedeemView.tsx';
import { titleSummary } from '../../../machines/path-models/path-model.ts';
import {
  answeringPort,
  makeFlowInput,
  rejectingPort,
  store,
  startUnderShop,
  pendingPort,
  type Port,
} from '../../support/views/flow.ts';
import { isDenied, findPressable, renderInShop, readState } from '../../support/views/show.tsx';
import { createCodeOffer } from '../../../machines/path-models/flows/redeem/paths.ts';

type RedeemInput = { kind: OfferKind; titleId: string };
type Ports = { lookUp?: Port<CodeOffer, undefined>; redeem?: Port<string | null, RedeemInput> };

const plan: Plan = {
  id: 'monthly',
  name: 'All the lamps',
  description: '',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 14,
  credits: 2,
};
const otherSummary = { ...titleSummary, id: '1002', name: 'Insufficient Postage' };
const bothTitles = [titleSummary, otherSummary];
const titleCode = createCodeOffer({ titles: [titleSummary] });

const refusedProblem = (code: string): Problem => ({ kind: 'refused', code, message: 'The server’s own words.' });
const codesOff = { enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false };
const inputWithoutCode = { route: { ...makeFlowInput().route, params: {} } };

const start = (ports: Ports, flowInput: Partial<FlowInput> = {}, storeOverrides: Partial<StoreProperties> = {}) => {
  const storedCodes: unknown[] = [];
  const shop = { ...store, supportEmail: 'help@lamplight.example', ...storeOverrides };
  const machine = redeemMachine.provide({
    actors: {
      saveCode: safePort<null, { pii: { form: RedeemForm | null } }>(
        async ({ input }) => {
          storedCodes.push(input.pii.form);
          return null;
        },
        () => null,
      ),
      readSavedCode: safePort<{ pii: { form: RedeemForm | null } }>(
        async () => ({ pii: { form: { code: 'AB-12' } } }),
        () => ({ pii: { form: null } }),
      ),
      lookUp: ports.lookUp ?? answeringPort<CodeOffer, undefined>(titleCode),
      redeem: ports.redeem ?? answeringPort<string | null, RedeemInput>('i1'),
    },
  });
  const { actor, receivedEvents } = startUnderShop(machine, makeFlowInput({ secret: '…' }, { ...flowInput, store: shop }));
  return { storedCodes, events: receivedEvents, actor, container: renderInShop(<RedeemView actor={actor} />, '/redeem/x', shop) };
};
const waitForState = (container: HTMLElement, state: string) => waitFor(() => expect(readState(container, 'redeem')).toBe(state));
const readHrefs = (container: HTMLElement) => [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
const visitorInput = { signedIn: false };

test('a typed code is cleaned and stored, and no event has it', async () => {
  const { container, storedCodes, events } = start({}, inputWithoutCode);
  expect(readState(container, 'redeem')).toBe('typing');
  expect(container.textContent).toContain('Codes can be redeemed for titles, credits, a subscription or a discount.');
  await userEvent.click(findPressable(container, 'code.submitted'));
  expect(container.textContent).toContain('Please fill in this field.');
  await userEvent.type(screen.getByLabelText('Code'), ' ../gift 9081 {Enter}');
  await waitForState(container, 'kept');
  expect(storedCodes).toEqual([{ code: '/gift9081' }]);
  expect(events).toEqual([{ type: 'go', to: '/redeem/…', replace: true }]);
});

test.each([
  [true, false, 'Codes can be redeemed for titles, credits or a discount.'],
  [false, true, 'Codes can be redeemed for a subscription.'],
])('the uses of codes are shown: titles %s, subscriptions %s', (titles, subscriptions, expectedText) => {
  const properties = { enableWebTitleRedeem: titles, enableWebSubscriptionRedeem: subscriptions };
  expect(start({}, inputWithoutCode, properties).container.textContent).toContain(expectedText);
});

test('a store that takes no codes says so, and sends no request', async () => {
  const { container } = start({ lookUp: rejectingPort(refusedProblem('asked')) }, inputWithoutCode, codesOff);
  expect(readState(container, 'redeem')).toBe('closed');
  expect(container.textContent).toContain('This shop doesn’t accept codes.');
  expect(readHrefs(container)).toEqual(['mailto:help@lamplight.example', '/all']);
});

test.each([true, false])('a gift shows its giver and their message, in any store (codes: %s)', async (takesCodes) => {
  const gift = { ...titleCode, pii: { giver: 'Ann Ferry', message: 'Happy birthday!\nYours, A.' } };
  const properties = { enableWebTitleRedeem: takesCodes, enableWebSubscriptionRedeem: takesCodes };
  const { container } = start({ lookUp: answeringPort(gift) }, visitorInput, properties);
  await waitForState(container, 'offered');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Ann Ferry is giving you a title');
  expect(container.querySelector('blockquote')?.textContent).toBe('Happy birthday!\nYours, A.');
  expect(container.textContent).toContain('Sign in to add it to your library.');
  await userEvent.click(findPressable(container, 'another.pressed'));
  await waitForState(container, takesCodes ? 'typing' : 'closed');
});

test('a visitor sees what a code gives, and is asked to sign in for it', async () => {
  const { container, events } = start({ redeem: rejectingPort(refusedProblem('asked')) }, visitorInput);
  await waitForState(container, 'offered');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your code gives you a title');
  expect(container.textContent).toContain(titleSummary.name);
  expect(findPressable(container, 'redeem.pressed').textContent).toBe('Sign in and redeem');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  expect(events).toEqual([{ type: 'signIn.needed', action: 'redeem' }]);
  expect(readState(container, 'redeem')).toBe('offered');
});

test('one press grants the title, and another one opens it', async () => {
  const { container, events } = start({});
  await waitForState(container, 'offered');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  await waitForState(container, 'redeemed');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You’ve redeemed this code');
  expect(readHrefs(container)).toEqual(['/mylibrary']);
  await userEvent.click(findPressable(container, 'read.pressed'));
  expect(events).toEqual([
    { type: 'action.started', action: 'redeem' },
    { type: 'action.ended' },
    { type: 'go', to: '/viewer?instanceid=i1', replace: false },
  ]);
});

test('a pressed button accepts no second press', async () => {
  const { container } = start({ redeem: pendingPort<string | null, RedeemInput>() });
  await waitForState(container, 'offered');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  expect(readState(container, 'redeem')).toBe('redeeming');
  expect(isDenied(findPressable(container, 'redeem.pressed'))).toBe(true);
});

test('a redemption pressed before sign-in is completed after it', async () => {
  const { container } = start({}, { resume: 'redeem' });
  await waitForState(container, 'redeemed');
});

test('a store whose titles are read in an app links to the library only', async () => {
  const { container } = start({}, { resume: 'redeem' }, { enableWebReader: false });
  await waitForState(container, 'redeemed');
  expect(container.querySelector('[data-event="read.pressed"]')).toBeNull();
  expect(readHrefs(container)).toEqual(['/mylibrary']);
});

test('one of several titles is chosen, from those not owned yet', async () => {
  const redeemInputs: RedeemInput[] = [];
  const thirdTitle = { ...titleSummary, id: '1003', name: 'The Weighing Room' };
  const choice = createCodeOffer({ kind: 'titles', titles: [titleSummary, otherSummary, thirdTitle], owned: ['1001'] });
  const redeem = requestPort<string | null, RedeemInput>(async ({ input }) => {
    redeemInputs.push(input);
    return 'i2';
  });
  const { container } = start({ lookUp: answeringPort<CodeOffer, undefined>(choice), redeem }, { resume: 'redeem' });
  await waitForState(container, 'choosing');
  expect(findPressable(container, 'redeem.pressed').hasAttribute('disabled')).toBe(true);
  expect(container.querySelector('[data-value="1001"]')).toBeNull();
  expect(container.textContent).toContain('In your library');
  await userEvent.click(screen.getByRole('button', { name: 'Choose: The Weighing Room' }));
  await userEvent.click(screen.getByRole('button', { name: 'Choose: Insufficient Postage' }));
  expect(screen.getByRole('button', { name: 'Chosen: Insufficient Postage' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('button', { name: 'Choose: The Weighing Room' }).getAttribute('aria-pressed')).toBe('false');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  await waitForState(container, 'redeemed');
  expect(redeemInputs).toEqual([{ kind: 'titles', titleId: '1002' }]);
  expect(container.textContent).toContain('Insufficient Postage');
  expect(container.textContent).not.toContain('The Weighing Room');
});

test.each([
  [createCodeOffer({ kind: 'credits', credits: 1 }), {}, 'Your code gives you credits', '1 Credit'],
  [createCodeOffer({ kind: 'credits', credits: 7 }), { creditCurrency: 'Lanterns' }, 'Your code gives you credits', '7 Lanterns'],
  [
    createCodeOffer({ kind: 'subscription', plan }),
    {},
    'Your code gives you a subscription',
    'One month of this subscription is free.',
  ],
])('code offer %# is explained', async (codeOffer, properties, heading, expectedText) => {
  const { container } = start({ lookUp: answeringPort<CodeOffer, undefined>(codeOffer) }, visitorInput, properties);
  await waitForState(container, 'offered');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  expect(container.textContent).toContain(expectedText);
  expect(container.textContent).toContain('Your code hasn’t been used yet.');
});

test('granted credits are shown with a link to the account', async () => {
  const credits = createCodeOffer({ kind: 'credits', credits: 3 });
  const { container } = start({
    lookUp: answeringPort<CodeOffer, undefined>(credits),
    redeem: answeringPort<string | null, RedeemInput>(null),
  });
  await waitForState(container, 'offered');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  await waitForState(container, 'redeemed');
  expect(container.textContent).toContain('3 Credits');
  expect(readHrefs(container)).toEqual(['/account']);
});

test('a granted subscription leads to the thank-you page, after a reload', async () => {
  const subscription = createCodeOffer({ kind: 'subscription', plan });
  const { container, events } = start({
    lookUp: answeringPort<CodeOffer, undefined>(subscription),
    redeem: answeringPort<string | null, RedeemInput>(null),
  });
  await waitForState(container, 'offered');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  await waitForState(container, 'redeemed');
  expect(events.at(-1)).toEqual({ type: 'leave', url: '/subscription/purchase/success' });
});

test.each([
  [
    createCodeOffer({ kind: 'subscription', plan, trialDays: 30 }),
    'The first 30 days are free.',
    '/subscription/purchase?planid=monthly&code=%E2%80%A6',
  ],
  [
    createCodeOffer({ kind: 'discount', percentOff: 20, titles: [titleSummary] }),
    'Your code takes 20% off',
    '/title/purchase?titleid=1001&code=%E2%80%A6',
  ],
  [createCodeOffer({ kind: 'discount', percentOff: 20 }), 'Your code takes 20% off', '/all'],
])('code offer %# leads to the payment', async (codeOffer, expectedText, to) => {
  const { container, events } = start({ lookUp: answeringPort<CodeOffer, undefined>(codeOffer) }, visitorInput);
  await waitForState(container, 'payable');
  expect(container.textContent).toContain(expectedText);
  await userEvent.click(findPressable(container, 'continue.pressed'));
  expect(events).toEqual([{ type: 'go', to, replace: false }]);
});

test('a refused code offers no record of the visit, also in a shop that takes no codes', async () => {
  const lookUp = rejectingPort<CodeOffer, undefined>(refusedProblem('title_codes_off'));
  const { container } = start({ lookUp }, {}, { enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false });
  await waitForState(container, 'refused');
  expect(screen.getByRole('alert').textContent).toContain('This shop doesn’t accept codes for titles.');
  expect(screen.queryByRole('button', { name: 'Save a record of this visit' })).toBeNull();
});

test.each([
  ['not_found', 'We don’t recognise this code.'],
  ['code_used', 'This code has already been used.'],
  ['code_expired', 'This code has expired.'],
  ['code_withdrawn', 'This code is no longer valid. The shop has withdrawn it.'],
  ['code_elsewhere', 'This code is for another shop.'],
  ['title_codes_off', 'This shop doesn’t accept codes for titles.'],
  ['subscription_codes_off', 'This shop doesn’t accept codes for subscriptions.'],
  ['already_subscribed', 'You’re already subscribed.'],
  ['something_new', 'The server’s own words.'],
])('a code refused as %s says so, and stays in the field to be corrected', async (code, expectedText) => {
  const { container, storedCodes } = start({ lookUp: rejectingPort<CodeOffer, undefined>(refusedProblem(code)) });
  await waitForState(container, 'refused');
  expect(screen.getByRole('alert').textContent).toContain(expectedText);
  const field = await screen.findByDisplayValue('AB-12');
  await userEvent.clear(field);
  await userEvent.click(findPressable(container, 'code.submitted'));
  expect(container.textContent).toContain('Please fill in this field.');
  expect(screen.getByRole('alert').textContent).toContain(expectedText);
  await userEvent.type(field, 'AB-13{Enter}');
  await waitForState(container, 'kept');
  expect(storedCodes).toEqual([{ code: 'AB-13' }]);
});

test('a refused code shows no form in a store that takes no codes', async () => {
  const { container } = start({ lookUp: rejectingPort<CodeOffer, undefined>(refusedProblem('code_used')) }, {}, codesOff);
  await waitForState(container, 'refused');
  expect(container.querySelector('form')).toBeNull();
});

test.each([
  ['already_owned', 'You already own this title.'],
  ['conflict', 'You’re paying for the same thing in another window.'],
])('a redemption refused as %s says that the code is still valid', async (code, expectedText) => {
  const { container } = start({ redeem: rejectingPort<string | null, RedeemInput>(refusedProblem(code)) });
  await waitForState(container, 'offered');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  await waitForState(container, 'refused');
  expect(container.textContent).toContain(expectedText);
  expect(container.textContent).toContain('Your code hasn’t been used.');
});

test('after too many guesses the customer must wait, and can retry', async () => {
  const { container } = start({ lookUp: rejectingPort<CodeOffer, undefined>(refusedProblem('too_many_requests')) });
  await waitForState(container, 'failed');
  expect(container.textContent).toContain('Too many attempts. Please try again later.');
  expect(findPressable(container, 'retry.pressed')).toBeDefined();
});

test('a redemption whose response was lost can be retried', async () => {
  let attemptCount = 0;
  const redeem = requestPort<string | null, RedeemInput>(async () => {
    attemptCount += 1;
    return attemptCount === 1 ? throwProblem({ kind: 'timeout' }) : 'i1';
  });
  const { container } = start({ redeem });
  await waitForState(container, 'offered');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  await waitForState(container, 'unknown');
  expect(container.textContent).toContain('Trying again won’t use it twice.');
  await userEvent.click(findPressable(container, 'retry.pressed'));
  await waitForState(container, 'redeemed');
});

test.each([
  [createCodeOffer({ titles: [titleSummary], owned: ['1001'] }), 'You already own this title'],
  [createCodeOffer({ kind: 'titles', titles: bothTitles, owned: ['1001', '1002'] }), 'You already own these titles'],
])('code offer %#, of which the customer owns all titles, is not redeemed', async (codeOffer, expectedText) => {
  const { container } = start({ lookUp: answeringPort<CodeOffer, undefined>(codeOffer) });
  await waitForState(container, 'owned');
  expect(container.textContent).toContain(expectedText);
  expect(container.textContent).toContain('You can pass it on to someone else.');
});

test('a customer who opens their used code again sees what it gave', async () => {
  const usedOffer = createCodeOffer({
    kind: 'titles',
    titles: [otherSummary],
    owned: ['1002'],
    redeemed: true,
    instanceId: 'i2',
  });
  const { container, events } = start({ lookUp: answeringPort<CodeOffer, undefined>(usedOffer) });
  await waitForState(container, 'redeemed');
  expect(container.textContent).toContain('Insufficient Postage');
  await userEvent.click(findPressable(container, 'read.pressed'));
  expect(events).toEqual([{ type: 'go', to: '/viewer?instanceid=i2', replace: false }]);
});

test('a visitor is asked to sign in when the server shows codes to customers only', async () => {
  const { container, events } = start({ lookUp: rejectingPort({ kind: 'unauthorized' }) }, visitorInput);
  await waitForState(container, 'signInNeeded');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in to use your code');
  await userEvent.click(findPressable(container, 'signIn.pressed'));
  expect(events).toEqual([{ type: 'signIn.needed', action: null }]);
});

test('a free month that only the payment grants leads there with the code, and no longer says “No card needed”', async () => {
  const { container, events } = start({
    lookUp: answeringPort<CodeOffer, undefined>(createCodeOffer({ kind: 'subscription', plan })),
    redeem: rejectingPort(refusedProblem('code_at_payment')),
  });
  await waitForState(container, 'offered');
  expect(container.textContent).toContain('No card needed');
  await userEvent.click(findPressable(container, 'redeem.pressed'));
  await waitForState(container, 'payable');
  expect(container.textContent).not.toContain('No card needed');
  expect(events.at(-1)).toMatchObject({ type: 'go', to: '/subscription/purchase?planid=monthly&code=%E2%80%A6' });
});
