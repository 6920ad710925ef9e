import { beforeEach, expect, test, vi } from 'vitest';
import type { AddedCard } from '../../../machines/model/buying/card.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { addReturnedCard } from '../../../src/flows/account/returned-card.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';

const token = 'setup_abcdefghijklmnopqrstuvwxyz012345';
const addedCard: AddedCard = { cards: [], addedId: 'c1' };

const currentPath = () => location.pathname + location.search;
const setUrl = (url: string): void => history.replaceState({ y: 7 }, '', url);
const mockAddCard = () => vi.fn<(token: string) => Promise<AddedCard>>(async () => addedCard);
const mockRejectingAddCard = (problem: Problem) =>
  vi.fn<(token: string) => Promise<AddedCard>>(() => Promise.reject(problem as never));

beforeEach(() => setUrl('/'));

test('a card is added by the token in the URL, which is then removed from the URL and the history', async () => {
  setUrl(`/account?cardtoken=${token}&lang=fr`);
  const lengthBefore = history.length;
  const onPopState = vi.fn();
  addEventListener('popstate', onPopState, { once: true });
  const addCard = mockAddCard();
  expect(await addReturnedCard(addCard)).toBe(addedCard);
  expect(addCard.mock.calls).toEqual([[token]]);
  expect(currentPath()).toBe('/account?lang=fr');
  expect([history.length, history.state]).toEqual([lengthBefore, { y: 7 }]);
  expect(onPopState).toHaveBeenCalled();
  expect(await addReturnedCard(addCard)).toBeNull();
  expect(addCard.mock.calls).toHaveLength(1);
});

test('the route that the machines receive has no token', () => {
  const route = parseRoute({ pathname: '/account', search: `?cardtoken=${token}` });
  expect(route.flow).toBe('account');
  expect(JSON.stringify(route)).not.toContain(token);
});

test.each(['', '…', 'short', '<script>', 'a b'])(
  '%j is not a token: no request is sent, and the parameter is removed',
  async (text) => {
    setUrl(`/account?cardtoken=${encodeURIComponent(text)}`);
    const addCard = mockAddCard();
    expect(await addReturnedCard(addCard)).toBeNull();
    expect([addCard.mock.calls.length, currentPath()]).toEqual([0, '/account']);
  },
);

test('a refused token is removed from the URL', async () => {
  setUrl(`/account?cardtoken=${token}`);
  const refusal: Problem = { kind: 'refused', code: 'card_over', message: 'No' };
  await expect(addReturnedCard(mockRejectingAddCard(refusal))).rejects.toEqual(refusal);
  expect(currentPath()).toBe('/account');
});

test.each<[string, Problem]>([
  ['a lost response', { kind: 'offline' }],
  ['a gateway that does not respond', { kind: 'refused', code: 'payment_unavailable', message: '' }],
  ['a session that has ended', { kind: 'unauthorized' }],
])('after %s the token stays in the URL, so that the addition can be retried', async (_, problem) => {
  setUrl(`/account?cardtoken=${token}`);
  await expect(addReturnedCard(mockRejectingAddCard(problem))).rejects.toEqual(problem);
  expect(currentPath()).toBe(`/account?cardtoken=${token}`);
  expect(await addReturnedCard(mockAddCard())).toBe(addedCard);
  expect(currentPath()).toBe('/account');
});

test('a customer who has navigated away while the card is added stays on the new page', async () => {
  setUrl(`/account?cardtoken=${token}`);
  await addReturnedCard(async () => {
    history.pushState(null, '', '/all?sort=newest');
    return addedCard;
  });
  expect(currentPath()).toBe('/all?sort=newest');
});
