import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Suggestion } from '../../../machines/app/search-box.ts';
import type { StoreProperties } from '../../../machines/model/store/store.ts';
import { openShop } from '../../support/views/shop.tsx';
import { store } from '../../support/views/fixtures.ts';
import { creditsChanged } from '../../../src/client/subscription/credits-changed.ts';
import { ownershipChanged } from '../../../src/client/library/ownership-changed.ts';
import { resolvesTo, callInTurn, rejectsWith } from '../../support/views/world.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const withStore = (overrides: Partial<StoreProperties>) => ({ store: resolvesTo({ ...store, ...overrides }) });
// The offer is below the top bar, since jsdom's windows are narrow.
const findSubscribeLink = () => screen.queryByRole('link', { name: /Subscribe|Join/ });
/** Waits for the frame: this field is in a menu of the top bar, which loads with the frame. */
const findBackground = () => screen.findByRole('combobox', { name: 'Background', hidden: true });

const suggestions: Suggestion[] = [
  { kind: 'author', text: 'Ines Marlow', path: '/all?search=Ines%20Marlow', title: null },
  {
    kind: 'title',
    text: 'The Ferry Ledger',
    path: '/id:1/The-Ferry-Ledger',
    title: { authors: ['Ines Marlow'], medium: 'audio', coverUrl: 'https://shop.example/cover.jpg' },
  },
];

test('a visitor is offered a subscription [S2.frame/subscribe]', async () => {
  openShop('/');
  await findBackground();
  expect(findSubscribeLink()?.getAttribute('href')).toBe('/subscription');
});

test('the offer of a subscription has the store’s text', async () => {
  openShop('/', withStore({ subscribeButtonText: 'Join the press', subscribeButtonSubText: 'From 3 a month' }));
  await findBackground();
  expect(findSubscribeLink()?.textContent).toBe('Join the pressFrom 3 a month');
});

test.each([
  ['with a subscription is not', resolvesTo({ subscribed: true, data: 'p1' }), false],
  ['without a subscription is', resolvesTo({ subscribed: false, data: null }), true],
  ['with an unknown status is', rejectsWith({ kind: 'offline' }), true],
] as const)('a customer %s offered a subscription [S3.subscription-status]', async (_, subscriptionStatus, isOffered) => {
  openShop('/', { restoredUser: resolvesTo(customer), subscriptionStatus });
  await findBackground();
  await expect.poll(() => findSubscribeLink() !== null).toBe(isOffered);
});

test('a store without subscriptions offers none', async () => {
  openShop('/', withStore({ enableSubscription: false }));
  await findBackground();
  expect(findSubscribeLink()).toBeNull();
});

test('the account’s menu has the profile, help and sign-out [S1.topbar-more]', async () => {
  openShop('/', { ...withStore({ faq: 'https://help.example/' }), restoredUser: resolvesTo(customer) });
  const profileLink = await screen.findByRole('link', { name: 'My Profile', hidden: true });
  expect(profileLink.getAttribute('href')).toBe('/account');
  expect(screen.getByRole('button', { name: 'Logout', hidden: true })).toBeDefined();
  const help = screen.getAllByRole('link', { name: 'Help', hidden: true });
  expect(help.map((link) => link.getAttribute('href'))).toEqual(['https://help.example/', 'https://help.example/']);
});

test('the cookie notice disappears once it is accepted, and the consent is saved', async () => {
  const savedConsents: string[] = [];
  const saveConsent = async () => {
    savedConsents.push('consent');
    return null;
  };
  const noticeAnswers = withStore({ showCookieConsent: true, cookieConsentUrl: 'https://lamplight.example/cookies' });
  const { user } = openShop('/', { ...noticeAnswers, saveConsent });
  const notice = within(await screen.findByRole('region', { name: 'Cookies' }));
  expect(notice.getByRole('link', { name: 'Read more' }).getAttribute('href')).toBe('https://lamplight.example/cookies');
  await user.click(notice.getByRole('button', { name: 'Got it' }));
  await expect.poll(() => screen.queryByRole('region', { name: 'Cookies' })).toBeNull();
  expect(savedConsents).toEqual(['consent']);
});

test('a visitor who has accepted cookies does not see the notice again', async () => {
  openShop('/', { ...withStore({ showCookieConsent: true }), consent: resolvesTo(true) });
  await findBackground();
  expect(screen.queryByRole('region', { name: 'Cookies' })).toBeNull();
});

test('bars and background take the chosen theme, which is stored [S2.theme] [S3.themes]', async () => {
  const savedAppearances: unknown[] = [];
  const saveAppearance = async (look: unknown) => {
    savedAppearances.push(look);
    return null;
  };
  const { user, container } = openShop('/', { saveAppearance });
  await user.selectOptions(await findBackground(), 'Night');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Top bar', hidden: true }), 'Plum');
  await expect.poll(() => container.querySelector('style')?.textContent).toMatch(/--brand-topBar:#4a2042\b/);
  expect(container.querySelector('style')?.textContent).toContain('color-scheme:dark');
  expect(savedAppearances.at(-1)).toEqual({ topBar: 'plum', sidebar: 'store', background: 'night' });
});

test('the store’s own colours override those derived from its colour, and the default top bar', async () => {
  const { user, container } = openShop('/', { theme: resolvesTo({ topBar: '#246810', sidebar: '#123456', footer: '#654321' }) });
  await findBackground();
  const readStyle = () => container.querySelector('style')?.textContent ?? '';
  await expect.poll(readStyle).toContain('--brand-sidebar:#123456');
  const topBar = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Top bar', hidden: true });
  expect([readStyle().includes('--brand-topBar:#246810'), topBar.value]).toEqual([true, 'store']);
  await user.selectOptions(topBar, 'Paper');
  await expect.poll(readStyle).not.toContain('#246810');
  expect(readStyle()).toContain('--brand-footer:#654321');
});

test('typing shows suggestions, and the arrow keys choose one', async () => {
  const typedTexts: string[] = [];
  const suggest = async ({ pii }: { pii: { typed: string } }) => {
    typedTexts.push(pii.typed);
    return suggestions;
  };
  const { user, visitedPaths } = openShop('/', { suggestions: suggest });
  await findBackground();
  const field = screen.getByRole('combobox', { name: 'Search the shop' });
  await user.type(field, 'fer');
  const options = await screen.findAllByRole('option', { name: /Ferry Ledger|Ines/ });
  expect(options.map(({ textContent }) => textContent)).toEqual(['Ines MarlowAuthor', 'The Ferry LedgerInes MarlowAudiobook']);
  expect(options.map((option) => option.querySelector('img')?.getAttribute('src'))).toEqual([
    undefined,
    'https://shop.example/cover.jpg',
  ]);
  expect(typedTexts).toEqual(['fer']);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(field.getAttribute('aria-activedescendant')).toBe(options[1]?.id);
  await user.keyboard('{Enter}');
  expect(visitedPaths).toEqual(['/id:1/The-Ferry-Ledger']);
  expect(screen.getByRole('combobox', { name: 'Search the shop' })).toHaveProperty('value', '');
  expect(screen.queryByRole('listbox', { name: 'Suggestions' })).toBeNull();
});

test('Escape closes the suggestions, and Enter without a chosen suggestion searches', async () => {
  const { user, visitedPaths } = openShop('/', { suggestions: resolvesTo(suggestions) });
  await findBackground();
  await user.type(screen.getByRole('combobox', { name: 'Search the shop' }), 'fer');
  await screen.findByRole('listbox', { name: 'Suggestions' });
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox', { name: 'Suggestions' })).toBeNull();
  expect(screen.getByRole('combobox', { name: 'Search the shop' })).toHaveProperty('value', 'fer');
  await user.keyboard('{ArrowDown}');
  await screen.findByRole('listbox', { name: 'Suggestions' });
  await user.keyboard('{Escape}{Enter}');
  expect(visitedPaths).toEqual(['/all?search=fer']);
});

describe('credits in the top bar', () => {
  const createBalanceAnswer = (amount: number, currency = 'Credits') => resolvesTo({ balance: amount, currency, accepted: true });
  const answersWithCredits = { ...withStore({ enableBuyWithCredits: true }), restoredUser: resolvesTo(customer) };
  const findCreditsLink = () => document.querySelector('header [data-credits]');

  test.each([
    [1, 'Credits', '1 Credit'],
    [3, 'Credits', '3 Credits'],
    [1200, 'Lanterns', '1,200 Lanterns'],
  ])('a balance of %i %s is in the top bar', async (amount, currency, text) => {
    openShop('/', { ...answersWithCredits, credits: createBalanceAnswer(amount, currency) });
    await expect.poll(() => findCreditsLink()?.textContent).toBe(text);
    expect(findCreditsLink()?.getAttribute('href')).toBe('/account?part=credits');
  });

  test('credits in the top bar follow purchases and redeemed codes, and disappear at sign-out [S4.logout-credits]', async () => {
    const { scoped, user } = openShop('/', {
      ...answersWithCredits,
      credits: callInTurn(createBalanceAnswer(3), createBalanceAnswer(2), createBalanceAnswer(5)),
    });
    await expect.poll(() => findCreditsLink()?.textContent).toBe('3 Credits');
    scoped(ownershipChanged).emit();
    await expect.poll(() => findCreditsLink()?.textContent).toBe('2 Credits');
    scoped(creditsChanged).emit();
    await expect.poll(() => findCreditsLink()?.textContent).toBe('5 Credits');
    await user.click(screen.getByRole('button', { name: 'Logout', hidden: true }));
    await expect.poll(findCreditsLink).toBeNull();
  });

  test.each([
    ['the balance is unknown', { credits: rejectsWith({ kind: 'offline' }), ...answersWithCredits }],
    ['the store takes none', { ...answersWithCredits, ...withStore({}), credits: createBalanceAnswer(3) }],
    ['a visitor is signed out', { ...answersWithCredits, restoredUser: resolvesTo(null), credits: createBalanceAnswer(3) }],
  ])('credits are not shown where %s', async (_, environment) => {
    openShop('/', environment);
    await findBackground();
    await expect.poll(findSubscribeLink).not.toBeNull();
    expect(findCreditsLink()).toBeNull();
  });
});
