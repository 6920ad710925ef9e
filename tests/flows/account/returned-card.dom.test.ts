import { beforeEach, expect, test, vi } from 'vitest';
import type { AddedCard } from '../../../machines/model/buying/card.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { addReturnedCard } from '../../../src/flows/account/returned-card.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';

const token = 'setup_abcdefghijklmnopqrstuvwxyz012345';
const addedCard: AddedCard = { cards: [], addedId: 'c1' };

const currentPath = () => location.pathname + location.search;
const setUrl = (address: string): void => history.replaceState({ y: 7 }, '', address);
const addsCard = () => vi.fn<(token: string) => Promise<AddedCard>>(async () => addedCard);
const rejectsWith = (problem: Problem) => vi.fn<(token: string) => Promise<AddedCard>>(() => Promise.reject(problem as never));

beforeEach(() => setUrl('/'));

test('the card is added by the token in the address, which is then removed from address and history', async () => {
  setUrl(`/account?cardtoken=${token}&lang=fr`);
  const before = history.length;
  const reported = vi.fn();
  addEventListener('popstate', reported, { once: true });
  const add = addsCard();
  expect(await addReturnedCard(add)).toBe(addedCard);
  expect(add.mock.calls).toEqual([[token]]);
  expect(currentPath()).toBe('/account?lang=fr');
  expect([history.length, history.state]).toEqual([before, { y: 7 }]);
  expect(reported).toHaveBeenCalled();
  expect(await addReturnedCard(add)).toBeNull();
  expect(add.mock.calls).toHaveLength(1);
});

test('no machine receives the token', () => {
  const route = parseRoute({ pathname: '/account', search: `?cardtoken=${token}` });
  expect(route.flow).toBe('account');
  expect(JSON.stringify(route)).not.toContain(token);
});

test.each(['', '…', 'short', '<script>', 'a b'])('%j is not a token: no request is sent, and it is removed', async (text) => {
  setUrl(`/account?cardtoken=${encodeURIComponent(text)}`);
  const add = addsCard();
  expect(await addReturnedCard(add)).toBeNull();
  expect([add.mock.calls.length, currentPath()]).toEqual([0, '/account']);
});

test('a refused token is removed from the address', async () => {
  setUrl(`/account?cardtoken=${token}`);
  const refused: Problem = { kind: 'refused', code: 'card_over', message: 'No' };
  await expect(addReturnedCard(rejectsWith(refused))).rejects.toEqual(refused);
  expect(currentPath()).toBe('/account');
});

test.each<[string, Problem]>([
  ['a lost answer', { kind: 'offline' }],
  ['a gateway that is silent', { kind: 'refused', code: 'payment_unavailable', message: '' }],
  ['a session that has ended', { kind: 'unauthorized' }],
])('after %s the token stays, so that it can be tried again', async (_, problem) => {
  setUrl(`/account?cardtoken=${token}`);
  await expect(addReturnedCard(rejectsWith(problem))).rejects.toEqual(problem);
  expect(currentPath()).toBe(`/account?cardtoken=${token}`);
  expect(await addReturnedCard(addsCard())).toBe(addedCard);
  expect(currentPath()).toBe('/account');
});

test('a customer who has navigated away in the meantime stays there', async () => {
  setUrl(`/account?cardtoken=${token}`);
  await addReturnedCard(async () => {
    history.pushState(null, '', '/all?sort=newest');
    return addedCard;
  });
  expect(currentPath()).toBe('/all?sort=newest');
});
