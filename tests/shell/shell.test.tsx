import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { StoreProperties } from '../../machines/model/store/store.ts';
import { openShop, type ShopAnswers } from '../support/views/shop.tsx';
import { store } from '../support/views/fixtures.ts';
import { resolvesTo, callInTurn, neverSettles, rejectsWith } from '../support/views/world.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const withinBanner = () => within(screen.getByRole('banner'));
/**
 * Includes links that are hidden in narrow windows: jsdom treats every window as narrow.
 */
const readLinks = (name: string) =>
  within(screen.getByRole('navigation', { name, hidden: true }))
    .getAllByRole('link', { hidden: true })
    .map((link) => link.textContent);

test('until the store is loaded, the shop says that it is opening', () => {
  const { readFlowState } = openShop('/', { store: neverSettles });
  expect(screen.getByText('Opening the shop…')).toBeTruthy();
  expect([readFlowState('app'), readFlowState('boot')]).toEqual(['opening', 'loading']);
});

test('an unreachable server is reported, and “Try again” opens the shop', async () => {
  const { readFlowState, user } = openShop('/about', {
    store: callInTurn<StoreProperties>(rejectsWith({ kind: 'offline' }), resolvesTo(store)),
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'The shop can’t be reached' })).toBeTruthy();
  expect([readFlowState('app'), readFlowState('boot')]).toEqual(['opening', 'unreachable']);
  const retry = screen.getByRole('button', { name: 'Try again' });
  expect(retry.getAttribute('data-event')).toBe('retry.pressed');
  await user.click(retry);
  expect(await screen.findByText('Two people and a lamp.')).toBeTruthy();
});

test('a missing store redirects to /invalid [S2.invalid-page] [S2.blocked]', async () => {
  const { readFlowState, visitedPaths } = openShop('/all', { store: rejectsWith({ kind: 'invalidStore' }) });
  expect(await screen.findByRole('heading', { name: 'Oops! You seem to be lost' })).toBeTruthy();
  expect(readFlowState('app')).toBe('invalid');
  expect(visitedPaths).toEqual(['/invalid']);
});

test('an unknown path says so and links home [S2.wrong-turn] [S8.not-found]', async () => {
  const { readFlowState, visitedPaths, user } = openShop('/no/such/page');
  expect(await screen.findByRole('heading', { level: 1, name: 'Oops! Wrong Turn' })).toBeTruthy();
  expect(readFlowState('notFound')).toBe('shown');
  await user.click(screen.getByRole('link', { name: 'Back to Home' }));
  expect(visitedPaths).toEqual(['/']);
  expect(await screen.findByRole('heading', { level: 1, name: /The Lamplight Press/ })).toBeTruthy();
});

test('the top bar links to all lists and the account, with the store’s texts [S1.topbar] [S1.brand] [S2.frame/default]', async () => {
  openShop('/all');
  await screen.findByRole('heading', { level: 1, name: 'Titles' });
  expect(withinBanner().getByRole('link', { name: 'Home', hidden: true }).getAttribute('href')).toBe('/');
  expect(readLinks('Explore')).toEqual(['Titles', 'eBooks', 'Recordings', 'Films']);
  expect(readLinks('Your account')).toEqual(['My Library', '', 'Sign in']);
  expect(withinBanner().getByRole('link', { name: 'Wish list' }).getAttribute('href')).toBe('/wishlist');
  expect(readLinks('Categories')).toEqual(['Fiction', 'Sea Stories', 'Craft / Kitchen']);
  expect(withinBanner().getByRole('img', { name: 'The Lamplight Press' }).getAttribute('src')).toBe('/logo.svg');
});

test('the footer has the shop’s own pages and its address', async () => {
  openShop('/all');
  const footer = within(await screen.findByRole('contentinfo'));
  await footer.findByRole('link', { name: 'About' });
  expect(footer.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['About', '/about'],
    ['Help', '/about'],
    ['Terms', '/terms'],
    ['Privacy', '/privacy'],
    ['help@lamplight.example', 'mailto:help@lamplight.example'],
  ]);
});

test('the landing page hides the link Home, and an information page nearly all links [S2.frame/landing] [S2.frame/information]', async () => {
  const landing = openShop('/');
  await screen.findByRole('region', { name: 'New on the shelves' });
  expect(readLinks('Explore')).toEqual(['Titles', 'eBooks', 'Recordings', 'Films']);
  expect(withinBanner().queryByRole('link', { name: 'Home', hidden: true })).toBeNull();
  landing.app.send({ type: 'go', to: '/privacy', replace: false });
  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy policy' })).toBeTruthy();
  expect(withinBanner().getByRole('link', { name: 'Home', hidden: true }).getAttribute('href')).toBe('/');
  expect(withinBanner().queryByRole('navigation', { name: 'Explore', hidden: true })).toBeNull();
  expect(screen.queryByRole('search')).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Categories', hidden: true })).toBeNull();
  expect(withinBanner().queryByRole('link', { name: 'Sign in' })).toBeNull();
});

test('the menu has the kinds of titles and the categories, rendered when it is opened [S2.layout/sidebar]', async () => {
  const { container } = openShop('/all');
  await screen.findByRole('heading', { level: 1, name: 'Titles' });
  const menu = withinBanner().getByRole('button', { name: 'Menu' });
  const panel = container.querySelector(`[id="${menu.getAttribute('popovertarget')}"]`);
  if (!(panel instanceof HTMLElement)) throw new Error('The menu’s button controls no element.');
  expect(panel.getAttribute('popover')).toBe('auto');
  expect(within(panel).queryAllByRole('link', { hidden: true })).toEqual([]);
  fireEvent(panel, new Event('beforetoggle'));
  const readPanel = (name: string) => within(panel).getByRole('navigation', { name, hidden: true }).textContent;
  expect(readPanel('Explore')).toBe('HomeTitleseBooksRecordingsFilmsWish list');
  expect(readPanel('Categories')).toBe('FictionSea StoriesCraft / Kitchen');
});

test('the top bar searches the whole shop', async () => {
  const { visitedPaths, user } = openShop('/ebook');
  await user.type(await screen.findByRole('combobox', { name: 'Search the shop' }), ' ferry & fog {Enter}');
  expect(visitedPaths).toEqual(['/all?search=ferry%20%26%20fog']);
  expect(screen.getByRole('combobox', { name: 'Search the shop' })).toHaveProperty('value', 'ferry & fog');
});

test('a customer sees their name and can sign out [S4.logout]', async () => {
  const { user } = openShop('/all', { restoredUser: resolvesTo(customer) });
  expect(await screen.findByText('reader@example.com')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Logout', hidden: true }));
  expect(await screen.findByRole('link', { name: 'Sign in' })).toBeTruthy();
  expect(screen.queryByText('reader@example.com')).toBeNull();
});

test('choosing a language changes the locale of the app [S2.language]', async () => {
  const { app, user } = openShop('/all');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Français');
  await expect.poll(() => app.getSnapshot().context.locale).toBe('fr');
});

test('the skip link moves the focus and not the address', async () => {
  const { visitedPaths, user } = openShop('/all');
  await user.click(await screen.findByRole('link', { name: 'Skip to content' }));
  expect(document.activeElement).toBe(screen.getByRole('main'));
  expect(visitedPaths).toEqual([]);
});

test.each([
  ['/404', 'Looks like you got lost', 'The page you’re looking for doesn’t exist or has been moved.'],
  ['/500', 'Internal Server Error', 'Something went wrong. Please try again later.'],
])('%s says %j [S2./404] [S2./500] [S2.template-404] [S2.template-500]', async (path, heading, text) => {
  const { visitedPaths, user } = openShop(path);
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'BACK HOME' }));
  expect(visitedPaths).toEqual(['/']);
});

test('a new screen takes the focus, and its name is announced', async () => {
  const { app, container } = openShop('/all');
  await screen.findByRole('main');
  const readAnnouncement = () => container.querySelector('[aria-live]')?.textContent;
  await expect.poll(readAnnouncement).toBe('Titles · The Lamplight Press');
  app.send({ type: 'go', to: '/about', replace: false });
  await expect.poll(readAnnouncement).toBe('About · The Lamplight Press');
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('a chunk that does not load offers a reload [S2.loading-failed] [S8.loading-failed]', async () => {
  const { readFlowState } = openShop('/all', { fetchFlow: () => Promise.reject(new Error('no network')) });
  expect((await screen.findByRole('alert')).textContent).toContain('Loading failed! Please reload.');
  expect(readFlowState('screen')).toBe('unfetched');
  expect(document.title).toBe('Loading failed! Please reload.');
});

test('a chunk that does not load offers the record of the visit', async () => {
  const { saveRecord, user } = openShop('/all', { fetchFlow: () => Promise.reject(new Error('no network')) });
  await user.click(await screen.findByRole('button', { name: 'Save a record of this visit' }));
  expect(saveRecord).toHaveBeenCalledTimes(1);
});

test.each<[string, string, ShopAnswers]>([
  ['the store that cannot be reached', '/', { store: rejectsWith({ kind: 'offline' }) }],
  ['the landing page', '/', { carousels: rejectsWith({ kind: 'timeout' }) }],
  ['a list', '/all', { titles: rejectsWith({ kind: 'http', status: 500, message: '' }) }],
  ['a title’s page', '/id:1001', { title: rejectsWith({ kind: 'offline' }) }],
])('%s that failed offers the record of the visit, below “Try again”', async (_, path, environment) => {
  const { saveRecord, user } = openShop(path, environment);
  const offer = await screen.findByRole('button', { name: 'Save a record of this visit' });
  const retry = screen.getByRole('button', { name: 'Try again' });
  expect(retry.compareDocumentPosition(offer) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  await user.click(offer);
  expect(saveRecord).toHaveBeenCalledTimes(1);
});

test('the store’s own pages are sanitised, or link to the store’s website [S2./about] [S2./terms] [S2./privacy]', async () => {
  const about = openShop('/about');
  const paragraph = await screen.findByText('Two people and a lamp.');
  expect(paragraph.getAttribute('onclick')).toBeNull();
  expect(about.container.querySelector('script')).toBeNull();
  expect(screen.getByRole('heading', { level: 1, name: 'About The Lamplight Press' })).toBeTruthy();
  about.app.send({ type: 'go', to: '/terms', replace: false });
  const externalLink = await screen.findByRole('link', { name: 'Read it on the shop’s website' });
  expect(externalLink.getAttribute('href')).toBe('https://lamplight.example/terms');
  about.app.send({ type: 'go', to: '/privacy', replace: false });
  expect(await screen.findByText('This page hasn’t been written yet.')).toBeTruthy();
});
