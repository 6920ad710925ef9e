import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { libraryMachine, type LibraryQuery } from '../../../machines/reading/library.ts';
import type { Library, OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import { LibraryView } from '../../../src/flows/library/LibraryView.tsx';
import {
  answeringPort,
  makeFlowInput,
  rejectingPort,
  store,
  startUnderShop,
  pendingPort,
  type Port,
} from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';
import { makeOwnedTitle } from '../../support/views/titles.ts';

const start = (purchases: Port<Library, LibraryQuery>, params: Record<string, string> = {}) => {
  const { actor, receivedEvents } = startUnderShop(libraryMachine.provide({ actors: { purchases } }), makeFlowInput(params));
  return { events: receivedEvents, container: renderInShop(<LibraryView actor={actor} />) };
};

test('the store’s app is linked, if there is one [S2.frame/library-app]', () => {
  const { actor } = startUnderShop(libraryMachine.provide({ actors: { purchases: pendingPort() } }), makeFlowInput({}));
  renderInShop(<LibraryView actor={actor} />, '/', { ...store, appStoreUrls: [] });
  expect(screen.queryByRole('complementary', { name: 'The app' })).toBeNull();
  // Without a configured app, the link searches for the store's name.
  const containerWithoutApp = renderInShop(<LibraryView actor={actor} />, '/', {
    ...store,
    shelfName: 'Keeper & Co',
    appStoreUrls: null,
  });
  expect(
    within(containerWithoutApp)
      .getAllByRole('link', { name: /Play|App Store/ })
      .map((link) => link.getAttribute('href')),
  ).toEqual([
    'https://play.google.com/store/search?c=apps&q=Keeper%20%26%20Co',
    'https://www.apple.com/us/search/Keeper%20%26%20Co',
  ]);
  cleanup();
  const appStoreUrls = [
    { type: 'GooglePlay' as const, url: 'https://play.example/harbour' },
    { type: 'Apple' as const, url: 'https://apps.example/harbour' },
  ];
  renderInShop(<LibraryView actor={actor} />, '/', { ...store, appStoreUrls });
  const prompt = within(screen.getByRole('complementary', { name: 'The app' }));
  expect(prompt.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Google Play', 'https://play.example/harbour'],
    ['App Store', 'https://apps.example/harbour'],
  ]);
});

const noTitles: OwnedTitle[] = [];
const ownedTitles = [
  makeOwnedTitle('i-1', 0.42),
  makeOwnedTitle('i-2', 0, { name: 'Harbour Voices', type: 'audio' }),
  makeOwnedTitle('i-3', 1, { name: 'Slow Light', type: 'video' }),
];

test('each owned title shows the progress and how to continue', async () => {
  const { container, events } = start(answeringPort({ titles: ownedTitles, left: null }));
  await waitFor(() => expect(readState(container, 'library')).toBe('shown'));
  const cards = screen.getAllByRole('article');
  expect(cards.map((card) => within(card).getByRole('button').textContent)).toEqual([
    'ContinueThe Ferry Ledger',
    'ListenHarbour Voices',
    'WatchSlow Light',
  ]);
  expect(screen.getAllByRole<HTMLProgressElement>('progressbar').map(({ value }) => value)).toEqual([0.42, 0, 1]);
  expect(screen.getByText('42%')).toBeDefined();
  expect(screen.getByText('Finished')).toBeDefined();
  expect(screen.getByText('3 titles')).toBeDefined();
  await userEvent.click(findPressable(container, 'title.opened', 'i-2'));
  expect(events).toEqual([{ type: 'go', to: '/viewer?instanceid=i-2', replace: false }]);
});

test('refunded titles are listed with their receipts, even in an empty library', async () => {
  const commonFields = { titleId: '1', name: 'The Ferry Ledger', purchasedAt: '2026-11-01T08:00:00Z', recent: true };
  const refunds = [
    {
      ...commonFields,
      transId: 't1',
      titles: 1,
      refundedAt: '2026-11-20T08:00:00Z',
      paid: { amount: 9.9, currency: 'EUR', symbol: '€' },
    },
    {
      ...commonFields,
      transId: 't2',
      titles: 2,
      refundedAt: '2026-11-19T08:00:00Z',
      paid: { amount: 12, currency: 'EUR', symbol: '€' },
    },
    { ...commonFields, transId: 't3', titles: 1, refundedAt: '2026-11-18T08:00:00Z', paid: null, credits: 2 },
  ];
  const { container } = start(answeringPort({ titles: noTitles, left: null, refunds }));
  await waitFor(() => expect(readState(container, 'library')).toBe('empty'));
  const text = container.textContent ?? '';
  expect(text).toContain(
    '“The Ferry Ledger” was refunded on 20 November 2026 and has left your library. €9.90 goes back to the card',
  );
  expect(text).toContain('2 titles were refunded on 19 November 2026 and have left your library.');
  expect(text).toMatch(/You’ve got 2 .+ back\./);
  const links = screen.getAllByRole('link', { name: 'Receipt for The Ferry Ledger' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['t1', 't2', 't3'].map((id) => `/title/purchase/success?transId=${id}`),
  );
});

test('tabs are links to the kinds that the store has, the current one marked', async () => {
  start(answeringPort({ titles: ownedTitles, left: null }), { type: 'audio' });
  const tabs = within(screen.getByRole('navigation', { name: 'Types of title' })).getAllByRole('link');
  expect(tabs.map((tab) => tab.getAttribute('href'))).toEqual([
    '/mylibrary',
    '/mylibrary/ebook',
    '/mylibrary/audio',
    '/mylibrary/video',
  ]);
  expect(tabs.filter((tab) => tab.hasAttribute('aria-current')).map((tab) => tab.textContent)).toEqual(['Audio Books']);
});

test('choosing a sort order changes the address', async () => {
  const { events } = start(answeringPort({ titles: ownedTitles, left: null }));
  await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Title');
  expect(events).toEqual([{ type: 'go', to: '/mylibrary?sort=name', replace: true }]);
});

test('an empty library links to the shop', async () => {
  const { container } = start(answeringPort({ titles: noTitles, left: null }));
  await waitFor(() => expect(readState(container, 'library')).toBe('empty'));
  expect(screen.getByRole('link', { name: 'Browse the shop' }).getAttribute('href')).toBe('/all');
});

test('a library that is loading or has failed says so, and a failure can be retried', async () => {
  start(pendingPort());
  expect(screen.getByRole('status').textContent).toContain('Loading your titles');
  const { container } = start(rejectingPort({ kind: 'offline' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('We can’t reach the shop'));
  expect(findPressable(container, 'retry.pressed')).toBeDefined();
});

test('titles that left with an ended subscription are counted, whether or not other titles remain', async () => {
  const withdrawal = { count: 2, at: '2026-01-31T12:00:00Z' };
  start(answeringPort({ titles: [{ ...makeOwnedTitle('i-1', 0.1), withSubscription: true }], left: withdrawal }));
  expect(await screen.findByText(/Your subscription ended on 31 January 2026/)).toBeTruthy();
  expect(screen.getByText(/2 titles that it included have left your library/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See subscriptions' }).getAttribute('href')).toBe('/subscription');
  expect(screen.getByText('With your subscription')).toBeTruthy();
  start(answeringPort({ titles: noTitles, left: { ...withdrawal, count: 1 } }));
  expect(await screen.findByText(/1 title that it included has left/)).toBeTruthy();
});
