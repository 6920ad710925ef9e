import { beforeEach, expect, test, vi } from 'vitest';
import type { AddedCard } from '../../../machines/model/buying/card.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { addArrivedCard } from '../../../src/flows/account/arrived-card.ts';
import { routeOf } from '../../../machines/flows/routes.ts';

const token = 'setup_abcdefghijklmnopqrstuvwxyz012345';
const added: AddedCard = { cards: [], addedId: 'c1' };

const here = () => location.pathname + location.search;
const arriveAt = (address: string): void => history.replaceState({ y: 7 }, '', address);
const takes = () => vi.fn<(token: string) => Promise<AddedCard>>(async () => added);
const fails = (problem: Problem) => vi.fn<(token: string) => Promise<AddedCard>>(() => Promise.reject(problem as never));

beforeEach(() => arriveAt('/'));

test('the card is added by the token of the address, which is out of it then, and out of the history', async () => {
  arriveAt(`/account?cardtoken=${token}&lang=fr`);
  const before = history.length;
  const reported = vi.fn();
  addEventListener('popstate', reported, { once: true });
  const add = takes();
  expect(await addArrivedCard(add)).toBe(added);
  expect(add.mock.calls).toEqual([[token]]);
  expect(here()).toBe('/account?lang=fr');
  expect([history.length, history.state]).toEqual([before, { y: 7 }]);
  expect(reported).toHaveBeenCalled();
  expect(await addArrivedCard(add)).toBeNull();
  expect(add.mock.calls).toHaveLength(1);
});

test('no machine sees the token', () => {
  const route = routeOf({ pathname: '/account', search: `?cardtoken=${token}` });
  expect(route.flow).toBe('account');
  expect(JSON.stringify(route)).not.toContain(token);
});

test.each(['', '…', 'short', '<script>', 'a b'])('%j is no token: nobody is asked, and it leaves the address', async (text) => {
  arriveAt(`/account?cardtoken=${encodeURIComponent(text)}`);
  const add = takes();
  expect(await addArrivedCard(add)).toBeNull();
  expect([add.mock.calls.length, here()]).toEqual([0, '/account']);
});

test('a token that is refused leaves the address', async () => {
  arriveAt(`/account?cardtoken=${token}`);
  const refused: Problem = { kind: 'refused', code: 'card_over', message: 'No' };
  await expect(addArrivedCard(fails(refused))).rejects.toEqual(refused);
  expect(here()).toBe('/account');
});

test.each<[string, Problem]>([
  ['a lost answer', { kind: 'offline' }],
  ['a gateway that is silent', { kind: 'refused', code: 'payment_unavailable', message: '' }],
  ['a session that has ended', { kind: 'unauthorized' }],
])('after %s it stays, so that it can be tried again', async (_, problem) => {
  arriveAt(`/account?cardtoken=${token}`);
  await expect(addArrivedCard(fails(problem))).rejects.toEqual(problem);
  expect(here()).toBe(`/account?cardtoken=${token}`);
  expect(await addArrivedCard(takes())).toBe(added);
  expect(here()).toBe('/account');
});

test('who has gone elsewhere meanwhile stays there', async () => {
  arriveAt(`/account?cardtoken=${token}`);
  await addArrivedCard(async () => {
    history.pushState(null, '', '/all?sort=newest');
    return added;
  });
  expect(here()).toBe('/all?sort=newest');
});
