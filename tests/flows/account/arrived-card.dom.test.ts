import { beforeEach, expect, test, vi } from 'vitest';
import type { AddedCard } from '../../../machines/model/buying/card.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { addReturnedCard } from '../../../src/flows/account/arrived-card.ts';
import { routeOf } from '../../../machines/flows/routes.ts';

const token = 'setup_abcdefghijklmnopqrstuvwxyz012345';
const added: AddedCard = { cards: [], addedId: 'c1' };

const here = () => location.pathname + location.search;
const arriveAt = (address: string): void => history.replaceState({ y: 7 }, '', address);
const takes = () => vi.fn<(token: string) => Promise<AddedCard>>(async () => added);
const fails = (problem: Problem) => vi.fn<(token: string) => Promise<AddedCard>>(() => Promise.reject(problem as never));

beforeEach(() => arriveAt('/'));

test('the card is added by the token in the address, which is then removed from address and history', async () => {
  arriveAt(`/account?cardtoken=${token}&lang=fr`);
  const before = history.length;
  const reported = vi.fn();
  addEventListener('popstate', reported, { once: true });
  const add = takes();
  expect(await addReturnedCard(add)).toBe(added);
  expect(add.mock.calls).toEqual([[token]]);
  expect(here()).toBe('/account?lang=fr');
  expect([history.length, history.state]).toEqual([before, { y: 7 }]);
  expect(reported).toHaveBeenCalled();
  expect(await addReturnedCard(add)).toBeNull();
  expect(add.mock.calls).toHaveLength(1);
});

test('no machine receives the token', () => {
  const route = routeOf({ pathname: '/account', search: `?cardtoken=${token}` });
  expect(route.flow).toBe('account');
  expect(JSON.stringify(route)).not.toContain(token);
});

test.each(['', '…', 'short', '<script>', 'a b'])('%j is not a token: no request is sent, and it is removed', async (text) => {
  arriveAt(`/account?cardtoken=${encodeURIComponent(text)}`);
  const add = takes();
  expect(await addReturnedCard(add)).toBeNull();
  expect([add.mock.calls.length, here()]).toEqual([0, '/account']);
});

test('a refused token is removed from the address', async () => {
  arriveAt(`/account?cardtoken=${token}`);
  const refused: Problem = { kind: 'refused', code: 'card_over', message: 'No' };
  await expect(addReturnedCard(fails(refused))).rejects.toEqual(refused);
  expect(here()).toBe('/account');
});

test.each<[string, Problem]>([
  ['a lost answer', { kind: 'offline' }],
  ['a gateway that is silent', { kind: 'refused', code: 'payment_unavailable', message: '' }],
  ['a session that has ended', { kind: 'unauthorized' }],
])('after %s the token stays, so that it can be tried again', async (_, problem) => {
  arriveAt(`/account?cardtoken=${token}`);
  await expect(addReturnedCard(fails(problem))).rejects.toEqual(problem);
  expect(here()).toBe(`/account?cardtoken=${token}`);
  expect(await addReturnedCard(takes())).toBe(added);
  expect(here()).toBe('/account');
});

test('a customer who has navigated away in the meantime stays there', async () => {
  arriveAt(`/account?cardtoken=${token}`);
  await addReturnedCard(async () => {
    history.pushState(null, '', '/all?sort=newest');
    return added;
  });
  expect(here()).toBe('/all?sort=newest');
});
