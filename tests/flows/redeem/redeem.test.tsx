import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { redeemMachine } from '../../../machines/buying/redeem.ts';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { Offer, OfferKind, RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';
import type { Plan } from '../../../machines/model/buying/subscription.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { raise } from '../../../src/client/wire/problem.ts';
import { RedeemView } from '../../../src/flows/redeem/RedeemView.tsx';
import { summary } from '../../../machines/path-models/path-model.ts';
import { answers, flowInput, rejects, store, underShop, waits, type Port } from '../../support/views/flow.ts';
import { isDenied, pressable, show, stateOf } from '../../support/views/show.tsx';
import { offer } from '../../../machines/path-models/flows/redeem/paths.ts';

type Use = { kind: OfferKind; titleId: string };
type Ports = { lookUp?: Port<Offer, undefined>; redeem?: Port<string | null, Use> };

const plan: Plan = {
  id: 'monthly',
  name: 'All the lamps',
  description: '',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 14,
  credits: 2,
};
const other = { ...summary, id: '1002', name: 'Insufficient Postage' };
const ofTitle = offer({ titles: [summary] });

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'The server’s own words.' });

const start = (ports: Ports, more: Partial<FlowInput> = {}, properties: Partial<StoreProperties> = {}) => {
  const kept: unknown[] = [];
  const shop = { ...store, supportEmail: 'help@lamplight.example', ...properties };
  const machine = redeemMachine.provide({
    actors: {
      keepCode: safePort<null, { pii: { form: RedeemForm | null } }>(
        async ({ input }) => {
          kept.push(input.pii.form);
          return null;
        },
        () => null,
      ),
      recallCode: safePort<{ pii: { form: RedeemForm | null } }>(
        async () => ({ pii: { form: { code: 'AB-12' } } }),
        () => ({ pii: { form: null } }),
      ),
      lookUp: ports.lookUp ?? answers<Offer, undefined>(ofTitle),
      redeem: ports.redeem ?? answers<string | null, Use>('i1'),
    },
  });
  const { actor, told } = underShop(machine, flowInput({ secret: '…' }, { ...more, store: shop }));
  return { kept, told, actor, container: show(<RedeemView actor={actor} />, '/redeem/x', shop) };
};
const isIn = (container: HTMLElement, state: string) => waitFor(() => expect(stateOf(container, 'redeem')).toBe(state));
const links = (container: HTMLElement) => [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
const visiting = { signedIn: false };

test('a code that is typed goes into the address, and nowhere else', async () => {
  const { container, kept, told } = start({}, { route: { ...flowInput().route, params: {} } });
  expect(stateOf(container, 'redeem')).toBe('typing');
  expect(container.textContent).toContain('Codes can be redeemed for titles or a subscription.');
  await userEvent.click(pressable(container, 'code.submitted'));
  expect(container.textContent).toContain('Please fill in this field.');
  await userEvent.type(screen.getByLabelText('Code'), ' ../gift 9081 {Enter}');
  await isIn(container, 'kept');
  expect(kept).toEqual([{ code: '/gift9081' }]);
  expect(told).toEqual([{ type: 'go', to: '/redeem/…', replace: true }]);
});

test.each([
  [true, false, 'Codes can be redeemed for titles.'],
  [false, true, 'Codes can be redeemed for a subscription.'],
])('what codes are good for is said: titles %s, subscriptions %s', (enableWebTitleRedeem, enableWebSubscriptionRedeem, says) => {
  const input = { route: { ...flowInput().route, params: {} } };
  expect(start({}, input, { enableWebTitleRedeem, enableWebSubscriptionRedeem }).container.textContent).toContain(says);
});

test('a store that takes none says so, and asks nobody', async () => {
  const off = { enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false };
  const typing = { route: { ...flowInput().route, params: {} } };
  const { container } = start({ lookUp: rejects(refused('asked')) }, typing, off);
  expect(stateOf(container, 'redeem')).toBe('closed');
  expect(container.textContent).toContain('This shop doesn’t accept codes.');
  expect(links(container)).toEqual(['mailto:help@lamplight.example', '/all']);
});

test.each([true, false])('a gift says who gives it and what they wish, in any store (codes: %s)', async (takesCodes) => {
  const gift = { ...ofTitle, pii: { giver: 'Ann Ferry', message: 'Happy birthday!\nYours, A.' } };
  const properties = { enableWebTitleRedeem: takesCodes, enableWebSubscriptionRedeem: takesCodes };
  const { container } = start({ lookUp: answers(gift) }, visiting, properties);
  await isIn(container, 'offered');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Ann Ferry is giving you a title');
  expect(container.querySelector('blockquote')?.textContent).toBe('Happy birthday!\nYours, A.');
  expect(container.textContent).toContain('To put it into your library, you need to be signed in.');
  await userEvent.click(pressable(container, 'another.pressed'));
  await isIn(container, takesCodes ? 'typing' : 'closed');
});

test('a visitor sees what a code gives, and is asked to sign in for it', async () => {
  const { container, told } = start({ redeem: rejects(refused('asked')) }, visiting);
  await isIn(container, 'offered');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your code gives you a title');
  expect(container.textContent).toContain(summary.name);
  expect(pressable(container, 'redeem.pressed').textContent).toBe('Sign in and redeem');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  expect(told).toEqual([{ type: 'signIn.needed', action: 'redeem' }]);
  expect(stateOf(container, 'redeem')).toBe('offered');
});

test('one press gives the title, and leads to it', async () => {
  const { container, told } = start({});
  await isIn(container, 'offered');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  await isIn(container, 'redeemed');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You’ve redeemed this code');
  expect(links(container)).toEqual(['/mylibrary']);
  await userEvent.click(pressable(container, 'read.pressed'));
  expect(told).toEqual([
    { type: 'action.begun', action: 'redeem' },
    { type: 'action.ended' },
    { type: 'go', to: '/viewer?instanceid=i1', replace: false },
  ]);
});

test('what is pressed is said to be on its way, and not pressed twice', async () => {
  const { container } = start({ redeem: waits<string | null, Use>() });
  await isIn(container, 'offered');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  expect(stateOf(container, 'redeem')).toBe('redeeming');
  expect(isDenied(pressable(container, 'redeem.pressed'))).toBe(true);
});

test('who has pressed before sign-in has the title after it', async () => {
  const { container } = start({}, { resume: 'redeem' });
  await isIn(container, 'redeemed');
});

test('a store whose titles are read in an app leads to the library alone', async () => {
  const { container } = start({}, { resume: 'redeem' }, { enableWebReader: false });
  await isIn(container, 'redeemed');
  expect(container.querySelector('[data-event="read.pressed"]')).toBeNull();
  expect(links(container)).toEqual(['/mylibrary']);
});

test('of several titles one is chosen, of those that are not owned yet', async () => {
  const asked: Use[] = [];
  const third = { ...summary, id: '1003', name: 'The Weighing Room' };
  const choice = offer({ kind: 'titles', titles: [summary, other, third], owned: ['1001'] });
  const redeem = requestPort<string | null, Use>(async ({ input }) => {
    asked.push(input);
    return 'i2';
  });
  const { container } = start({ lookUp: answers<Offer, undefined>(choice), redeem }, { resume: 'redeem' });
  await isIn(container, 'choosing');
  expect(pressable(container, 'redeem.pressed').hasAttribute('disabled')).toBe(true);
  expect(container.querySelector('[data-value="1001"]')).toBeNull();
  expect(container.textContent).toContain('In your library');
  await userEvent.click(screen.getByRole('button', { name: 'Choose: The Weighing Room' }));
  await userEvent.click(screen.getByRole('button', { name: 'Choose: Insufficient Postage' }));
  expect(screen.getByRole('button', { name: 'Chosen: Insufficient Postage' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('button', { name: 'Choose: The Weighing Room' }).getAttribute('aria-pressed')).toBe('false');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  await isIn(container, 'redeemed');
  expect(asked).toEqual([{ kind: 'titles', titleId: '1002' }]);
  expect(container.textContent).toContain('Insufficient Postage');
  expect(container.textContent).not.toContain('The Weighing Room');
});

test.each([
  [offer({ kind: 'credits', credits: 1 }), {}, 'Your code gives you credits', '1 Credit'],
  [offer({ kind: 'credits', credits: 7 }), { creditCurrency: 'Lanterns' }, 'Your code gives you credits', '7 Lanterns'],
  [offer({ kind: 'subscription', plan }), {}, 'Your code gives you a subscription', 'One month of this subscription is free.'],
])('%# is told in words', async (given, properties, heading, says) => {
  const { container } = start({ lookUp: answers<Offer, undefined>(given) }, visiting, properties);
  await isIn(container, 'offered');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  expect(container.textContent).toContain(says);
  expect(container.textContent).toContain('Your code hasn’t been used yet.');
});

test('credits that were given are in the account', async () => {
  const credits = offer({ kind: 'credits', credits: 3 });
  const { container } = start({ lookUp: answers<Offer, undefined>(credits), redeem: answers<string | null, Use>(null) });
  await isIn(container, 'offered');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  await isIn(container, 'redeemed');
  expect(container.textContent).toContain('3 Credits');
  expect(links(container)).toEqual(['/account']);
});

test('a subscription that was given leads to the page that says thank you, which is loaded anew', async () => {
  const subscription = offer({ kind: 'subscription', plan });
  const { container, told } = start({
    lookUp: answers<Offer, undefined>(subscription),
    redeem: answers<string | null, Use>(null),
  });
  await isIn(container, 'offered');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  await isIn(container, 'redeemed');
  expect(told.at(-1)).toEqual({ type: 'leave', url: '/subscription/purchase/success' });
});

test.each([
  [
    offer({ kind: 'subscription', plan, trialDays: 30 }),
    'The first 30 days are free.',
    '/subscription/purchase?planid=monthly&code=%E2%80%A6',
  ],
  [
    offer({ kind: 'discount', percentOff: 20, titles: [summary] }),
    'Your code takes 20% off',
    '/title/purchase?titleid=1001&code=%E2%80%A6',
  ],
  [offer({ kind: 'discount', percentOff: 20 }), 'Your code takes 20% off', '/all'],
])('%# goes along to the payment', async (given, says, to) => {
  const { container, told } = start({ lookUp: answers<Offer, undefined>(given) }, visiting);
  await isIn(container, 'payable');
  expect(container.textContent).toContain(says);
  await userEvent.click(pressable(container, 'continue.pressed'));
  expect(told).toEqual([{ type: 'go', to, replace: false }]);
});

test.each([
  ['not_found', 'We don’t know this code.'],
  ['code_used', 'This code has already been used.'],
  ['code_expired', 'This code has expired.'],
  ['code_withdrawn', 'This code is no longer valid. The shop has withdrawn it.'],
  ['code_elsewhere', 'This code is for another shop.'],
  ['title_codes_off', 'This shop doesn’t accept codes for titles.'],
  ['subscription_codes_off', 'This shop doesn’t accept codes for subscriptions.'],
  ['already_subscribed', 'You’re already subscribed.'],
  ['something_new', 'The server’s own words.'],
])('a code that is refused as %s says so, and stays in the field to be corrected', async (code, says) => {
  const { container, kept } = start({ lookUp: rejects<Offer, undefined>(refused(code)) });
  await isIn(container, 'refused');
  expect(screen.getByRole('alert').textContent).toContain(says);
  const field = await screen.findByDisplayValue('AB-12');
  await userEvent.clear(field);
  await userEvent.click(pressable(container, 'code.submitted'));
  expect(container.textContent).toContain('Please fill in this field.');
  expect(screen.getByRole('alert').textContent).toContain(says);
  await userEvent.type(field, 'AB-13{Enter}');
  await isIn(container, 'kept');
  expect(kept).toEqual([{ code: 'AB-13' }]);
});

test('a refused code is not asked for again in a store that takes none', async () => {
  const off = { enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false };
  const { container } = start({ lookUp: rejects<Offer, undefined>(refused('code_used')) }, {}, off);
  await isIn(container, 'refused');
  expect(container.querySelector('form')).toBeNull();
});

test.each([
  ['already_owned', 'You already have this title.'],
  ['conflict', 'You’re paying for the same thing in another window.'],
])('what is refused as %s at the press says that the code is still good', async (code, says) => {
  const { container } = start({ redeem: rejects<string | null, Use>(refused(code)) });
  await isIn(container, 'offered');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  await isIn(container, 'refused');
  expect(container.textContent).toContain(says);
  expect(container.textContent).toContain('Your code hasn’t been used.');
});

test('too many guesses are to wait, and can be tried again', async () => {
  const { container } = start({ lookUp: rejects<Offer, undefined>(refused('too_many_requests')) });
  await isIn(container, 'failed');
  expect(container.textContent).toContain('Too many attempts. Please try again later.');
  expect(pressable(container, 'retry.pressed')).toBeDefined();
});

test('a lost answer is asked for again, which uses nothing twice', async () => {
  let tries = 0;
  const redeem = requestPort<string | null, Use>(async () => {
    tries += 1;
    return tries === 1 ? raise({ kind: 'timeout' }) : 'i1';
  });
  const { container } = start({ redeem });
  await isIn(container, 'offered');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  await isIn(container, 'unknown');
  expect(container.textContent).toContain('Trying again won’t use it twice.');
  await userEvent.click(pressable(container, 'retry.pressed'));
  await isIn(container, 'redeemed');
});

test.each([
  [offer({ titles: [summary], owned: ['1001'] }), 'You already have this title'],
  [offer({ kind: 'titles', titles: [summary, other], owned: ['1001', '1002'] }), 'You already have these titles'],
])('%# of which the customer has all is not used', async (given, says) => {
  const { container } = start({ lookUp: answers<Offer, undefined>(given) });
  await isIn(container, 'owned');
  expect(container.textContent).toContain(says);
  expect(container.textContent).toContain('You can pass it on to somebody else.');
});

test('who comes back to a code that they have used finds what it gave', async () => {
  const used = offer({ kind: 'titles', titles: [other], owned: ['1002'], redeemed: true, instanceId: 'i2' });
  const { container, told } = start({ lookUp: answers<Offer, undefined>(used) });
  await isIn(container, 'redeemed');
  expect(container.textContent).toContain('Insufficient Postage');
  await userEvent.click(pressable(container, 'read.pressed'));
  expect(told).toEqual([{ type: 'go', to: '/viewer?instanceid=i2', replace: false }]);
});

test('a visitor is asked to sign in where the server shows codes to customers alone, and comes back to the code', async () => {
  const { container, told } = start({ lookUp: rejects({ kind: 'unauthorized' }) }, visiting);
  await isIn(container, 'signInNeeded');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in to use your code');
  await userEvent.click(pressable(container, 'signIn.pressed'));
  expect(told).toEqual([{ type: 'signIn.needed', action: null }]);
});

test('a month that the payment alone gives leads there with the code, and says nothing of a period without a card', async () => {
  const { container, told } = start({
    lookUp: answers<Offer, undefined>(offer({ kind: 'subscription', plan })),
    redeem: rejects(refused('code_at_payment')),
  });
  await isIn(container, 'offered');
  expect(container.textContent).toContain('needs no card');
  await userEvent.click(pressable(container, 'redeem.pressed'));
  await isIn(container, 'payable');
  expect(container.textContent).not.toContain('needs no card');
  expect(told.at(-1)).toMatchObject({ type: 'go', to: '/subscription/purchase?planid=monthly&code=%E2%80%A6' });
});
