import { subscribedTo, theirs } from '../../../machines/path-models/access.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { titleMachine } from '../../../machines/browsing/title.ts';
import type { Shelf } from '../../../machines/browsing/title-setup.ts';
import { titleScreens } from '../../../src/flows/title/TitleView.tsx';
import { openShop, type World } from '../../support/views/shop.tsx';
import { fullTitle, store, summaries } from '../../support/views/fixtures.ts';
import { gives, inTurn, never, refuses } from '../../support/views/world.ts';

const path = '/id:1/The-Ferry-Ledger';
const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const open = (title: Partial<Title> = {}, world: World = {}) =>
  openShop(path, { title: gives({ ...fullTitle, ...title }), ...world });
const shown = () => screen.findByRole('heading', { level: 1, name: 'The Ferry Ledger' });

test('every state has a screen', () => {
  expect(Object.keys(titleScreens).toSorted()).toEqual(Object.keys(titleMachine.states).toSorted());
});

test('a title that is on its way', async () => {
  const { stateOf } = openShop(path, { title: never });
  expect(await screen.findByText('Taking it off the shelf…')).toBeTruthy();
  expect(stateOf('title')).toBe('loading');
});

test('a title says what it is', async () => {
  const { container } = open();
  await shown();
  const facts = [...container.querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(facts).toEqual([
    ['Format', 'eBook (EPUB)'],
    ['Pages', '1,240'],
    ['Duration', '01:02:05'],
    ['Language', 'French'],
    ['Publisher', 'Lamplight'],
    ['Published', 'May 2, 2024'],
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

test('a description of markup is cleaned before it is shown', async () => {
  open();
  await shown();
  const description = screen.getByRole('region', { name: 'Description' });
  expect(await within(description).findByText('will not')).toHaveProperty('tagName', 'EM');
  expect(description.querySelector('script')).toBeNull();
  expect(description.textContent).toBe('A ledger that will not add up.');
});

test('a plain description keeps its paragraphs and its signs', async () => {
  open({ description: 'One < two.\n\nTwo > one.' });
  await shown();
  const description = screen.getByRole('region', { name: 'Description' });
  expect([...description.querySelectorAll('p')].map((paragraph) => paragraph.textContent)).toEqual(['One < two.', 'Two > one.']);
});

test('a visitor buys', async () => {
  const { visited, user } = open();
  await user.click(await screen.findByRole('link', { name: 'Buy for $9.50' }));
  expect(visited).toEqual(['/title/purchase?titleid=1']);
});

test('a visitor who samples is sent to the viewer, and from there to sign up', async () => {
  const { visited, user } = open();
  expect(await screen.findByText('You need a free account for the sample.')).toBeDefined();
  await user.click(await screen.findByRole('link', { name: 'Read a sample' }));
  expect(visited[0]).toBe('/viewer?instanceid=1&sample=1');
});

test('what is free is offered for free', async () => {
  open({ free: true, prices: [], hasSample: false });
  expect(await screen.findByRole('button', { name: 'Get it for free' })).toBeTruthy();
  expect(within(screen.getByRole('main')).getByText('Free', { ignore: 'li *' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Read a sample' })).toBeNull();
});

const free = { free: true, prices: [{ amount: 0, currency: 'USD', symbol: '$' }] };

test('a customer gets what is free by one press, and can open it', async () => {
  const asked: string[] = [];
  const { visited, user } = open(free, {
    restored: gives(customer),
    grant: async ({ titleId }) => {
      asked.push(titleId);
      return 'copy-7';
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Get it for free' }));
  await user.click(await screen.findByRole('link', { name: 'Read' }));
  expect(asked).toEqual(['1']);
  expect(visited).toEqual(['/viewer?instanceid=copy-7']);
});

test('a free title that does not come says why, and is asked for again', async () => {
  const grant = inTurn<string>(refuses({ kind: 'offline' }), gives('copy-7'));
  const { user } = open(free, { restored: gives(customer), grant });
  await user.click(await screen.findByRole('button', { name: 'Get it for free' }));
  expect((await screen.findByRole('alert')).textContent).toContain('We can’t reach the shop.');
  await user.click(screen.getByRole('button', { name: 'Get it for free' }));
  expect(await screen.findByRole('link', { name: 'Read' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a visitor who presses for what is free is asked to sign in first', async () => {
  const { visited, user } = open(free);
  await user.click(await screen.findByRole('button', { name: 'Get it for free' }));
  expect(visited).toEqual(['/signin?return=%2Fid%3A1%2FThe-Ferry-Ledger&action=get']);
});

test('a title of one’s own is in the library and has no price', async () => {
  open({}, { restored: gives(customer), ownership: gives(theirs('copy-7')) });
  expect(await screen.findByText('In your library')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Read' })).toBeTruthy();
  expect(screen.queryByText('$9.50', { ignore: 'li *' })).toBeNull();
});

test('what is not for sale has no Buy', async () => {
  open({ forSale: false });
  await shown();
  expect(screen.getByText('Not for sale', { ignore: 'li *' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /Buy/ })).toBeNull();
});

test('a store can hide its prices, and its Buy', async () => {
  open({}, { store: gives({ ...store, showTitlePrice: false }) });
  expect(await screen.findByRole('link', { name: 'Buy' })).toBeTruthy();
  expect(screen.queryByText(/9\.50/, { ignore: 'li *' })).toBeNull();
});

test('a store that sells nothing has no Buy', async () => {
  open({}, { store: gives({ ...store, showBuyTitle: false }) });
  await shown();
  expect(screen.queryByRole('link', { name: /Buy/ })).toBeNull();
});

test('a customer waits until it is known whether the title is theirs', async () => {
  const { stateOf } = open({}, { restored: gives(customer), ownership: never });
  expect(await screen.findByRole('button', { name: 'One moment…' })).toHaveProperty('disabled', true);
  expect(stateOf('title')).toMatchObject({ shown: { ownership: 'checking' } });
});

test('a customer opens a title of their own', async () => {
  const { visited, user } = open(
    { type: 'audio', medium: 'audio' },
    { restored: gives(customer), ownership: gives(theirs('copy-7')) },
  );
  await user.click(await screen.findByRole('link', { name: 'Listen' }));
  expect(visited).toEqual(['/viewer?instanceid=copy-7']);
});

test('what the subscription opens is read at once, and can be bought as well', async () => {
  const grant = inTurn(refuses({ kind: 'offline' }), gives('copy-8'));
  const { visited, user } = open({}, { restored: gives(customer), ownership: gives(subscribedTo(null)), grant });
  expect(await screen.findByText('It’s included in your subscription.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Buy for $9.50' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Read' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Read' }));
  await waitFor(() => expect(visited).toEqual(['/viewer?instanceid=copy-8']));
});

test('a title that a subscription opens leads to the subscriptions, where it is not theirs', async () => {
  open({ inSubscription: true });
  await shown();
  expect(screen.getByRole('link', { name: 'See subscriptions' }).getAttribute('href')).toBe('/subscription');
});

test('where the store has no reader, the library is pointed to', async () => {
  open({}, { restored: gives(customer), ownership: gives(theirs('copy-7')), store: gives({ ...store, enableWebReader: false }) });
  expect(await screen.findByText('This title is in your library. Open it in the app.')).toBeTruthy();
});

test('the link is copied, or shown to be copied by hand', async () => {
  const copy = inTurn<null>(refuses({ kind: 'offline' }), gives(null));
  const { user } = open({}, { copy });
  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText(/^Your browser didn’t allow copying/)).toHaveProperty(
    'textContent',
    'Your browser didn’t allow copying. Here’s the link: https://shop.example/id:1/The-Ferry-Ledger',
  );
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText('Link copied.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});

test('a browser that can share is asked to', async () => {
  open({}, { ways: gives({ link: 'https://shop.example/id:1', sharesHere: true }) });
  expect(await screen.findByRole('button', { name: 'Share' })).toBeTruthy();
});

test('comments have a heading once they are there', async () => {
  const { stateOf } = open({}, { store: gives({ ...store, enableMblurb: true }) });
  expect(await screen.findByRole('heading', { name: 'Comments' })).toBeTruthy();
  expect(stateOf('title')).toMatchObject({ shown: { comments: 'shown' } });
});

test('comments that do not come are not named', async () => {
  const { stateOf } = open({}, { store: gives({ ...store, enableMblurb: true }), comments: refuses({ kind: 'offline' }) });
  await shown();
  await expect.poll(() => stateOf('title')).toMatchObject({ shown: { comments: 'hidden' } });
  expect(screen.queryByText('Comments')).toBeNull();
});

const hrefs = (inside: HTMLElement) =>
  within(inside)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

test('each author leads to all that they wrote, and a series to its list', async () => {
  const { container } = open({
    authors: ['Ines Marlow', 'A. & B. <Bell>'],
    series: { name: 'The <b>Tides</b>', number: 2.5, titles: 3 },
  });
  await shown();
  const names = [...container.querySelectorAll('main p')].find(({ textContent }) => textContent?.startsWith('by '));
  expect(names?.textContent).toBe('by Ines Marlow and A. & B. <Bell>');
  expect(hrefs(names as HTMLElement)).toEqual([
    ['Ines Marlow', '/all?author=Ines%20Marlow'],
    ['A. & B. <Bell>', '/all?author=A.%20%26%20B.%20%3CBell%3E'],
  ]);
  const series = screen.getByRole('link', { name: 'Book 2.5 of The <b>Tides</b>' });
  expect(series.getAttribute('href')).toBe('/all?series=The%20%3Cb%3ETides%3C%2Fb%3E');
});

test.each<[Partial<Title>, string]>([
  [{ type: 'video', medium: 'video', series: { name: 'Tides', number: 2, titles: 0 } }, 'Part 2 of Tides'],
  [{ series: { name: 'Tides', number: null, titles: 0 } }, 'Part of the series Tides'],
])('%j is called %s', async (title, name) => {
  open(title);
  expect(await screen.findByRole('link', { name })).toBeTruthy();
});

test('its series and what else its author wrote have rows of their own, which lead to all of it', async () => {
  const asked: object[] = [];
  const [one, two, three] = summaries;
  const related = async (input: object): Promise<Shelf[]> => {
    asked.push(input);
    return [
      { kind: 'series', titles: [two] },
      { kind: 'author', titles: [three] },
      { kind: 'similar', titles: [one] },
    ] as Shelf[];
  };
  open({ series: { name: 'Tides', number: 1, titles: 1 }, authorTitles: 1 }, { related });
  const series = await screen.findByRole('region', { name: 'More in Tides' });
  expect(hrefs(series)[0]).toEqual(['See all: More in Tides', '/all?series=Tides']);
  const author = screen.getByRole('region', { name: 'More by Ines Marlow' });
  expect(hrefs(author)[0]).toEqual(['See all: More by Ines Marlow', '/all?author=Ines%20Marlow']);
  expect(asked).toEqual([{ titleId: '1', series: 'Tides', author: 'Ines Marlow' }]);
});

test('titles like it are listed, waited for, or left out', async () => {
  const listed = open();
  const row = await screen.findByRole('region', { name: 'You may also like' });
  expect(
    within(row)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/id:2/Night-Signals', '/id:3/Low-Tide']);
  expect(listed.stateOf('title')).toEqual({ shown: { ownership: 'notOwned', related: 'listed', comments: 'hidden' } });
});

test.each([
  ['loading', never],
  ['hidden', refuses({ kind: 'offline' })],
] as const)('titles like it that are %s are not named', async (state, related) => {
  const { stateOf } = open({}, { related: related });
  await shown();
  await expect.poll(() => stateOf('title')).toMatchObject({ shown: { related: state } });
  expect(screen.queryByRole('region', { name: 'You may also like' })).toBeNull();
});

test('an unknown title is told apart from a failure', async () => {
  const { stateOf } = openShop(path, { title: refuses({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'We don’t have that title' })).toBeTruthy();
  expect(stateOf('title')).toBe('notFound');
});

test('a failure is shown and Retry recovers from it', async () => {
  const title = inTurn<Title>(refuses({ kind: 'malformed', call: 'title', field: 'name', message: '' }), gives(fullTitle));
  const { stateOf, user } = openShop(path, { title });
  expect((await screen.findByRole('alert')).textContent).toContain('an unexpected response');
  expect(stateOf('title')).toBe('failed');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await shown()).toBeTruthy();
});
