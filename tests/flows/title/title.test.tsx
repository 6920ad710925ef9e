import { subscriberAccess, ownedAccess } from '../../../machines/path-models/access.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { titleMachine } from '../../../machines/browsing/title.ts';
import type { RelatedShelf } from '../../../machines/browsing/title-setup.ts';
import { titleScreens } from '../../../src/flows/title/TitleView.tsx';
import { openShop, type ShopAnswers } from '../../support/views/shop.tsx';
import { fullTitle, store, summaries } from '../../support/views/fixtures.ts';
import { resolvesTo, callInTurn, neverSettles, rejectsWith } from '../../support/views/world.ts';

const path = '/id:1/The-Ferry-Ledger';
const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const openTitle = (title: Partial<Title> = {}, environment: ShopAnswers = {}) =>
  openShop(path, { title: resolvesTo({ ...fullTitle, ...title }), ...environment });
const findHeading = () => screen.findByRole('heading', { level: 1, name: 'The Ferry Ledger' });

test('every state has a screen', () => {
  expect(Object.keys(titleScreens).toSorted()).toEqual(Object.keys(titleMachine.states).toSorted());
});

test('a title that is loading says so', async () => {
  const { readFlowState } = openShop(path, { title: neverSettles });
  expect(await screen.findByText('Taking it off the shelf…')).toBeTruthy();
  expect(readFlowState('title')).toBe('loading');
});

test('a title shows its details', async () => {
  const { container } = openTitle();
  await findHeading();
  const details = [...container.querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(details).toEqual([
    ['Format', 'eBook (EPUB)'],
    ['Pages', '1,240'],
    ['Duration', '01:02:05'],
    ['Language', 'French'],
    ['Publisher', 'Lamplight'],
    ['Published', '2 May 2024'],
    ['ISBN', '9780000000002'],
  ]);
  expect(screen.getByText('$9.50', { ignore: 'li *' })).toBeTruthy();
  const cover = screen.getByRole('img', { name: 'Cover of The Ferry Ledger' });
  expect(['width', 'height', 'fetchpriority', 'loading'].map((name) => cover.getAttribute(name))).toEqual([
    '600',
    '900',
    'high',
    'eager',
  ]);
  const categories = screen.getByRole('navigation', { name: 'Categories of this title' });
  expect(within(categories).getByRole('link', { name: 'Sea Stories' }).getAttribute('href')).toBe('/all/sea-stories/12');
  expect(document.title).toBe('The Ferry Ledger · The Lamplight Press');
});

test('a description with markup is sanitised before it is shown', async () => {
  openTitle();
  await findHeading();
  const description = screen.getByRole('region', { name: 'Description' });
  expect(await within(description).findByText('will not')).toHaveProperty('tagName', 'EM');
  expect(description.querySelector('script')).toBeNull();
  expect(description.textContent).toBe('A ledger that will not add up.');
});

test('a plain description keeps its paragraphs and its characters', async () => {
  openTitle({ description: 'One < two.\n\nTwo > one.' });
  await findHeading();
  const description = screen.getByRole('region', { name: 'Description' });
  expect([...description.querySelectorAll('p')].map((paragraph) => paragraph.textContent)).toEqual(['One < two.', 'Two > one.']);
});

test('a visitor’s press on Buy leads to the purchase', async () => {
  const { visitedPaths, user } = openTitle();
  await user.click(await screen.findByRole('link', { name: 'Buy for $9.50' }));
  expect(visitedPaths).toEqual(['/title/purchase?titleid=1']);
});

test('a visitor who opens a sample goes to the viewer', async () => {
  const { visitedPaths, user } = openTitle();
  expect(await screen.findByText('You need a free account for the sample.')).toBeDefined();
  await user.click(await screen.findByRole('link', { name: 'Read a sample' }));
  expect(visitedPaths[0]).toBe('/viewer?instanceid=1&sample=1');
});

test('a free title is offered for free', async () => {
  openTitle({ free: true, prices: [], hasSample: false });
  expect(await screen.findByRole('button', { name: 'Get it for free' })).toBeTruthy();
  expect(within(screen.getByRole('main')).getByText('Free', { ignore: 'li *' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Read a sample' })).toBeNull();
});

const freeFields = { free: true, prices: [{ amount: 0, currency: 'USD', symbol: '$' }] };

test('a customer gets a free title by one press, and can open it', async () => {
  const grantedTitleIds: string[] = [];
  const { visitedPaths, user } = openTitle(freeFields, {
    restoredUser: resolvesTo(customer),
    grant: async ({ titleId }) => {
      grantedTitleIds.push(titleId);
      return 'copy-7';
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Get it for free' }));
  await user.click(await screen.findByRole('link', { name: 'Read' }));
  expect(grantedTitleIds).toEqual(['1']);
  expect(visitedPaths).toEqual(['/viewer?instanceid=copy-7']);
});

test('a free title that cannot be granted shows the reason, and can be retried', async () => {
  const grant = callInTurn<string>(rejectsWith({ kind: 'offline' }), resolvesTo('copy-7'));
  const { user } = openTitle(freeFields, { restoredUser: resolvesTo(customer), grant });
  await user.click(await screen.findByRole('button', { name: 'Get it for free' }));
  expect((await screen.findByRole('alert')).textContent).toContain('We can’t reach the shop.');
  await user.click(screen.getByRole('button', { name: 'Get it for free' }));
  expect(await screen.findByRole('link', { name: 'Read' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a visitor who presses for a free title is asked to sign in first', async () => {
  const { visitedPaths, user } = openTitle(freeFields);
  await user.click(await screen.findByRole('button', { name: 'Get it for free' }));
  expect(visitedPaths).toEqual(['/signin?return=%2Fid%3A1%2FThe-Ferry-Ledger&action=get']);
});

test('an owned title is marked as in the library and has no price', async () => {
  openTitle({}, { restoredUser: resolvesTo(customer), ownership: resolvesTo(ownedAccess('copy-7')) });
  expect(await screen.findByText('In your library')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Read' })).toBeTruthy();
  expect(screen.queryByText('$9.50', { ignore: 'li *' })).toBeNull();
});

test('a title that is not for sale has no link to buy it', async () => {
  openTitle({ forSale: false });
  await findHeading();
  expect(screen.getByText('Not for sale', { ignore: 'li *' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /Buy/ })).toBeNull();
});

test('a store that hides its prices has none on Buy', async () => {
  openTitle({}, { store: resolvesTo({ ...store, showTitlePrice: false }) });
  expect(await screen.findByRole('link', { name: 'Buy' })).toBeTruthy();
  expect(screen.queryByText(/9\.50/, { ignore: 'li *' })).toBeNull();
});

test('a store that sells nothing has no link to buy', async () => {
  openTitle({}, { store: resolvesTo({ ...store, showBuyTitle: false }) });
  await findHeading();
  expect(screen.queryByRole('link', { name: /Buy/ })).toBeNull();
});

test('a customer’s button is disabled until ownership is known', async () => {
  const { readFlowState } = openTitle({}, { restoredUser: resolvesTo(customer), ownership: neverSettles });
  expect(await screen.findByRole('button', { name: 'One moment…' })).toHaveProperty('disabled', true);
  expect(readFlowState('title')).toMatchObject({ shown: { ownership: 'checking' } });
});

test('a customer opens an owned title', async () => {
  const { visitedPaths, user } = openTitle(
    { type: 'audio', medium: 'audio' },
    { restoredUser: resolvesTo(customer), ownership: resolvesTo(ownedAccess('copy-7')) },
  );
  await user.click(await screen.findByRole('link', { name: 'Listen' }));
  expect(visitedPaths).toEqual(['/viewer?instanceid=copy-7']);
});

test('a title included in the subscription is read at once, and can be bought as well', async () => {
  const grant = callInTurn(rejectsWith({ kind: 'offline' }), resolvesTo('copy-8'));
  const { visitedPaths, user } = openTitle(
    {},
    { restoredUser: resolvesTo(customer), ownership: resolvesTo(subscriberAccess(null)), grant },
  );
  expect(await screen.findByText('It’s included in your subscription.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Buy for $9.50' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Read' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Read' }));
  await waitFor(() => expect(visitedPaths).toEqual(['/viewer?instanceid=copy-8']));
});

test('a title included in a subscription links to the plans, for other customers', async () => {
  openTitle({ inSubscription: true });
  await findHeading();
  expect(screen.getByRole('link', { name: 'See subscriptions' }).getAttribute('href')).toBe('/subscription');
});

test('in a store without a reader, an owned title is to be opened in the app', async () => {
  openTitle(
    {},
    {
      restoredUser: resolvesTo(customer),
      ownership: resolvesTo(ownedAccess('copy-7')),
      store: resolvesTo({ ...store, enableWebReader: false }),
    },
  );
  expect(await screen.findByText('This title is in your library. Open it in the app.')).toBeTruthy();
});

test('the link is copied, or shown to be copied by hand', async () => {
  const copy = callInTurn<null>(rejectsWith({ kind: 'offline' }), resolvesTo(null));
  const { user } = openTitle({}, { copy });
  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText(/^Your browser didn’t allow copying/)).toHaveProperty(
    'textContent',
    'Your browser didn’t allow copying. Here’s the link: https://shop.example/id:1/The-Ferry-Ledger',
  );
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText('Link copied.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});

test('a browser that supports sharing has a button for it', async () => {
  openTitle({}, { ways: resolvesTo({ link: 'https://shop.example/id:1', sharesHere: true }) });
  expect(await screen.findByRole('button', { name: 'Share' })).toBeTruthy();
});

test('comments have a heading once they are loaded', async () => {
  const { readFlowState } = openTitle({}, { store: resolvesTo({ ...store, enableMblurb: true }) });
  expect(await screen.findByRole('heading', { name: 'Comments' })).toBeTruthy();
  expect(readFlowState('title')).toMatchObject({ shown: { comments: 'shown' } });
});

test('comments that fail to load are not mentioned', async () => {
  const { readFlowState } = openTitle(
    {},
    { store: resolvesTo({ ...store, enableMblurb: true }), comments: rejectsWith({ kind: 'offline' }) },
  );
  await findHeading();
  await expect.poll(() => readFlowState('title')).toMatchObject({ shown: { comments: 'hidden' } });
  expect(screen.queryByText('Comments')).toBeNull();
});

const readLinks = (section: HTMLElement) =>
  within(section)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

test('each author links to all their titles, and a series to its list', async () => {
  const { container } = openTitle({
    authors: ['Ines Marlow', 'A. & B. <Bell>'],
    series: { name: 'The <b>Tides</b>', number: 2.5, titles: 3 },
  });
  await findHeading();
  const byline = [...container.querySelectorAll('main p')].find(({ textContent }) => textContent?.startsWith('by '));
  expect(byline?.textContent).toBe('by Ines Marlow and A. & B. <Bell>');
  expect(readLinks(byline as HTMLElement)).toEqual([
    ['Ines Marlow', '/all?author=Ines%20Marlow'],
    ['A. & B. <Bell>', '/all?author=A.%20%26%20B.%20%3CBell%3E'],
  ]);
  const series = screen.getByRole('link', { name: 'Book 2.5 of The <b>Tides</b>' });
  expect(series.getAttribute('href')).toBe('/all?series=The%20%3Cb%3ETides%3C%2Fb%3E');
});

test.each<[Partial<Title>, string]>([
  [{ type: 'video', medium: 'video', series: { name: 'Tides', number: 2, titles: 0 } }, 'Part 2 of Tides'],
  [{ series: { name: 'Tides', number: null, titles: 0 } }, 'Part of the series Tides'],
])('the series of %j is displayed as “%s”', async (title, name) => {
  openTitle(title);
  expect(await screen.findByRole('link', { name })).toBeTruthy();
});

test('the series and the author’s other titles have their own rows, which link to the full lists', async () => {
  const requests: object[] = [];
  const [firstTitle, secondTitle, thirdTitle] = summaries;
  const related = async (input: object): Promise<RelatedShelf[]> => {
    requests.push(input);
    return [
      { kind: 'series', titles: [secondTitle] },
      { kind: 'author', titles: [thirdTitle] },
      { kind: 'similar', titles: [firstTitle] },
    ] as RelatedShelf[];
  };
  openTitle({ series: { name: 'Tides', number: 1, titles: 1 }, authorTitles: 1 }, { related });
  const series = await screen.findByRole('region', { name: 'More in Tides' });
  expect(readLinks(series)[0]).toEqual(['See all: More in Tides', '/all?series=Tides']);
  const author = screen.getByRole('region', { name: 'More by Ines Marlow' });
  expect(readLinks(author)[0]).toEqual(['See all: More by Ines Marlow', '/all?author=Ines%20Marlow']);
  expect(requests).toEqual([{ titleId: '1', series: 'Tides', author: 'Ines Marlow' }]);
});

test('related titles are listed with links to their pages', async () => {
  const shop = openTitle();
  const row = await screen.findByRole('region', { name: 'You may also like' });
  expect(
    within(row)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/id:2/Night-Signals', '/id:3/Low-Tide']);
  expect(shop.readFlowState('title')).toEqual({ shown: { ownership: 'notOwned', related: 'listed', comments: 'hidden' } });
});

test.each([
  ['loading', neverSettles],
  ['hidden', rejectsWith({ kind: 'offline' })],
] as const)('related titles that are %s are not mentioned', async (state, related) => {
  const { readFlowState } = openTitle({}, { related });
  await findHeading();
  await expect.poll(() => readFlowState('title')).toMatchObject({ shown: { related: state } });
  expect(screen.queryByRole('region', { name: 'You may also like' })).toBeNull();
});

test('an unknown title is reported as such, not as a failure', async () => {
  const { readFlowState } = openShop(path, { title: rejectsWith({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'We don’t have that title' })).toBeTruthy();
  expect(readFlowState('title')).toBe('notFound');
});

test('a title that fails to load shows the reason, and “Try again” loads it', async () => {
  const title = callInTurn<Title>(
    rejectsWith({ kind: 'malformed', call: 'title', field: 'name', message: '' }),
    resolvesTo(fullTitle),
  );
  const { readFlowState, user } = openShop(path, { title });
  expect((await screen.findByRole('alert')).textContent).toContain('an unexpected response');
  expect(readFlowState('title')).toBe('failed');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await findHeading()).toBeTruthy();
});
