import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { StoreProperties } from '../../machines/model/store/store.ts';
import { openShop, type World } from '../support/views/shop.tsx';
import { store } from '../support/views/fixtures.ts';
import { gives, inTurn, never, refuses } from '../support/views/world.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const inBanner = () => within(screen.getByRole('banner'));
/** Also of what only wide windows show: this browser knows no widths and takes every window for a narrow one. */
const linksIn = (name: string) =>
  within(screen.getByRole('navigation', { name, hidden: true }))
    .getAllByRole('link', { hidden: true })
    .map((link) => link.textContent);

test('until the store is known the shop says that it opens', () => {
  const { stateOf } = openShop('/', { store: never });
  expect(screen.getByText('Opening the shop…')).toBeTruthy();
  expect([stateOf('app'), stateOf('boot')]).toEqual(['opening', 'loading']);
});

test('a server that cannot be reached is said to be so, and Retry opens the shop', async () => {
  const { stateOf, user } = openShop('/about', { store: inTurn<StoreProperties>(refuses({ kind: 'offline' }), gives(store)) });
  expect(await screen.findByRole('heading', { level: 1, name: 'The shop can’t be reached' })).toBeTruthy();
  expect([stateOf('app'), stateOf('boot')]).toEqual(['opening', 'unreachable']);
  const retry = screen.getByRole('button', { name: 'Retry' });
  expect(retry.getAttribute('data-event')).toBe('retry.pressed');
  await user.click(retry);
  expect(await screen.findByText('Two people and a lamp.')).toBeTruthy();
});

test('a shop that does not exist sends to /invalid [S2.invalid-page] [S2.blocked]', async () => {
  const { stateOf, visited } = openShop('/all', { store: refuses({ kind: 'invalidStore' }) });
  expect(await screen.findByRole('heading', { name: 'Oops! You seem to be lost' })).toBeTruthy();
  expect(stateOf('app')).toBe('invalid');
  expect(visited).toEqual(['/invalid']);
});

test('an unknown path says so and leads home [S2.wrong-turn] [S8.not-found]', async () => {
  const { stateOf, visited, user } = openShop('/no/such/page');
  expect(await screen.findByRole('heading', { level: 1, name: 'Oops! Wrong Turn' })).toBeTruthy();
  expect(stateOf('notFound')).toBe('shown');
  await user.click(screen.getByRole('link', { name: 'Back to Home' }));
  expect(visited).toEqual(['/']);
  expect(await screen.findByRole('heading', { level: 1, name: /The Lamplight Press/ })).toBeTruthy();
});

test('the top bar leads everywhere, in the words of the store [S1.topbar] [S1.brand] [S2.frame/default]', async () => {
  openShop('/all');
  await screen.findByRole('heading', { level: 1, name: 'Titles' });
  expect(inBanner().getByRole('link', { name: 'Home', hidden: true }).getAttribute('href')).toBe('/');
  expect(linksIn('Explore')).toEqual(['Titles', 'eBooks', 'Recordings', 'Films']);
  expect(linksIn('Your account')).toEqual(['My Library', '', 'Sign in']);
  expect(inBanner().getByRole('link', { name: 'Wish list' }).getAttribute('href')).toBe('/wishlist');
  expect(linksIn('Categories')).toEqual(['Fiction', 'Sea Stories', 'Craft / Kitchen']);
  expect(inBanner().getByRole('img', { name: 'The Lamplight Press' }).getAttribute('src')).toBe('/logo.svg');
});

test('the foot names the shop’s own pages and its address', async () => {
  openShop('/all');
  const foot = within(await screen.findByRole('contentinfo'));
  await foot.findByRole('link', { name: 'About' });
  expect(foot.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['About', '/about'],
    ['Help', '/about'],
    ['Terms', '/terms'],
    ['Privacy', '/privacy'],
    ['help@lamplight.example', 'mailto:help@lamplight.example'],
  ]);
});

test('the landing page hides Home, an information page nearly everything [S2.frame/landing] [S2.frame/information]', async () => {
  const landing = openShop('/');
  await screen.findByRole('region', { name: 'New on the shelves' });
  expect(linksIn('Explore')).toEqual(['Titles', 'eBooks', 'Recordings', 'Films']);
  expect(inBanner().queryByRole('link', { name: 'Home', hidden: true })).toBeNull();
  landing.app.send({ type: 'go', to: '/privacy', replace: false });
  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy policy' })).toBeTruthy();
  expect(inBanner().getByRole('link', { name: 'Home', hidden: true }).getAttribute('href')).toBe('/');
  expect(inBanner().queryByRole('navigation', { name: 'Explore', hidden: true })).toBeNull();
  expect(screen.queryByRole('search')).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Categories', hidden: true })).toBeNull();
  expect(inBanner().queryByRole('link', { name: 'Sign in' })).toBeNull();
});

test('the menu has the kinds of titles and the categories, drawn once it is opened [S2.layout/sidebar]', async () => {
  const { container } = openShop('/all');
  await screen.findByRole('heading', { level: 1, name: 'Titles' });
  const menu = inBanner().getByRole('button', { name: 'Menu' });
  const panel = container.querySelector(`[id="${menu.getAttribute('popovertarget')}"]`);
  if (!(panel instanceof HTMLElement)) throw new Error('The menu opens nothing.');
  expect(panel.getAttribute('popover')).toBe('auto');
  expect(within(panel).queryAllByRole('link', { hidden: true })).toEqual([]);
  fireEvent(panel, new Event('beforetoggle'));
  const inPanel = (name: string) => within(panel).getByRole('navigation', { name, hidden: true }).textContent;
  expect(inPanel('Explore')).toBe('HomeTitleseBooksRecordingsFilmsWish list');
  expect(inPanel('Categories')).toBe('FictionSea StoriesCraft / Kitchen');
});

test('the search of the top bar goes through the whole shop', async () => {
  const { visited, user } = openShop('/ebook');
  await user.type(await screen.findByRole('combobox', { name: 'Search the shop' }), ' ferry & fog {Enter}');
  expect(visited).toEqual(['/all?search=ferry%20%26%20fog']);
  expect(screen.getByRole('combobox', { name: 'Search the shop' })).toHaveProperty('value', 'ferry & fog');
});

test('a customer sees who they are and signs out [S4.logout]', async () => {
  const { user } = openShop('/all', { restored: gives(customer) });
  expect(await screen.findByText('reader@example.com')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Logout', hidden: true }));
  expect(await screen.findByRole('link', { name: 'Sign in' })).toBeTruthy();
  expect(screen.queryByText('reader@example.com')).toBeNull();
});

test('another language is asked of the machine [S2.language]', async () => {
  const { app, user } = openShop('/all');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Français');
  await expect.poll(() => app.getSnapshot().context.locale).toBe('fr');
});

test('the skip link moves the focus and not the address', async () => {
  const { visited, user } = openShop('/all');
  await user.click(await screen.findByRole('link', { name: 'Skip to content' }));
  expect(document.activeElement).toBe(screen.getByRole('main'));
  expect(visited).toEqual([]);
});

test.each([
  ['/404', 'Looks like you got lost', 'The page you’re looking for doesn’t exist or has been moved.'],
  ['/500', 'Internal Server Error', 'Something went wrong. Please try again later.'],
])('%s says %j [S2./404] [S2./500] [S2.template-404] [S2.template-500]', async (path, heading, text) => {
  const { visited, user } = openShop(path);
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'BACK HOME' }));
  expect(visited).toEqual(['/']);
});

test('a screen that takes another’s place takes the focus, and its name is said', async () => {
  const { app, container } = openShop('/all');
  await screen.findByRole('main');
  const said = () => container.querySelector('[aria-live]')?.textContent;
  await expect.poll(said).toBe('Titles · The Lamplight Press');
  app.send({ type: 'go', to: '/about', replace: false });
  await expect.poll(said).toBe('About · The Lamplight Press');
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('a part that does not arrive offers to reload [S2.loading-failed] [S8.loading-failed]', async () => {
  const { stateOf } = openShop('/all', { fetchFlow: () => Promise.reject(new Error('no network')) });
  expect((await screen.findByRole('alert')).textContent).toContain('Loading failed! Please reload.');
  expect(stateOf('screen')).toBe('unfetched');
  expect(document.title).toBe('Loading failed! Please reload.');
});

test('where something broke, the record of the visit is offered', async () => {
  const { saveRecord, user } = openShop('/all', { fetchFlow: () => Promise.reject(new Error('no network')) });
  await user.click(await screen.findByRole('button', { name: 'Save a record of this visit' }));
  expect(saveRecord).toHaveBeenCalledTimes(1);
});

test.each<[string, string, World]>([
  ['the store that cannot be reached', '/', { store: refuses({ kind: 'offline' }) }],
  ['the landing page', '/', { carousels: refuses({ kind: 'timeout' }) }],
  ['a list', '/all', { titles: refuses({ kind: 'http', status: 500, message: '' }) }],
  ['a title’s page', '/id:1001', { title: refuses({ kind: 'offline' }) }],
])('%s that failed offers the record of the visit, once and below Retry', async (_, path, world) => {
  const { saveRecord, user } = openShop(path, world);
  const offer = await screen.findByRole('button', { name: 'Save a record of this visit' });
  const retry = screen.getByRole('button', { name: 'Retry' });
  expect(retry.compareDocumentPosition(offer) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  await user.click(offer);
  expect(saveRecord).toHaveBeenCalledTimes(1);
});

test('the store’s own pages are cleaned, or point to where the store keeps them [S2./about] [S2./terms] [S2./privacy]', async () => {
  const about = openShop('/about');
  const words = await screen.findByText('Two people and a lamp.');
  expect(words.getAttribute('onclick')).toBeNull();
  expect(about.container.querySelector('script')).toBeNull();
  expect(screen.getByRole('heading', { level: 1, name: 'About The Lamplight Press' })).toBeTruthy();
  about.app.send({ type: 'go', to: '/terms', replace: false });
  const outside = await screen.findByRole('link', { name: 'Read it on the shop’s website' });
  expect(outside.getAttribute('href')).toBe('https://lamplight.example/terms');
  about.app.send({ type: 'go', to: '/privacy', replace: false });
  expect(await screen.findByText('This page hasn’t been written yet.')).toBeTruthy();
});
