import { beforeEach, expect, test } from 'vitest';
import { mostWishes, type Wish } from '../../machines/model/buying/wish-list.ts';
import type { Api } from '../../src/client/wire/client.ts';
import { wishList } from '../../src/client/cart/wish-list.ts';
import { safeLocalStorage, store, stored } from '../../src/storage/storage.ts';
import * as v from 'valibot';
import { shopWorld } from '../support/client/shop-world.ts';
import { json, world, xml } from '../support/client/world.ts';

const name = 'colophon.wishes';
const inBrowser = (): unknown => stored(name, v.unknown(), []);

beforeEach(() => safeLocalStorage.removeItem(name));

/** A server that keeps a list, and may be full, or fail. */
const account = (had: Wish[] = [], { room = mostWishes, fails = false } = {}) => {
  let wishes = had;
  const calls: string[] = [];
  const { api } = world([], {
    fetch: async (request) => {
      calls.push(request.method);
      if (fails) return xml('<Error><StatusCode>409</StatusCode><Message>No.</Message></Error>', 409);
      if (request.method === 'POST') {
        const { changes } = (await request.json()) as { changes: (Wish & { isSaved: boolean })[] };
        for (const { titleId, savedAt, isSaved } of changes) {
          const has = wishes.some((wish) => wish.titleId === titleId);
          if (!isSaved) wishes = wishes.filter((wish) => wish.titleId !== titleId);
          else if (!has && wishes.length < room) wishes = [{ titleId, savedAt }, ...wishes];
        }
      }
      return json({ titles: wishes });
    },
  });
  return { open: () => api, calls, ids: () => wishes.map(({ titleId }) => titleId) };
};

const nobody = (): never => {
  throw new Error('A visitor asks nobody.');
};
const wishesOf = (open: () => Api = nobody) => wishList(shopWorld(open));
const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
const idsOf = (wishes: Wish[]): string[] => wishes.map(({ titleId }) => titleId);
const visitorSaves = (...ids: string[]) =>
  wishesOf().change({ signedIn: false, changes: ids.map((titleId) => ({ titleId, isSaved: true })) });

test('a visitor’s list is kept in the browser, the latest first and each title once', async () => {
  await visitorSaves('1');
  await wishesOf().change({ signedIn: false, changes: [{ titleId: '2', isSaved: true, savedAt: at(1) }] });
  expect(idsOf(await visitorSaves('1'))).toEqual(['1', '2']);
  expect(idsOf(await wishesOf().read(false))).toEqual(['1', '2']);
  expect(idsOf(await wishesOf().change({ signedIn: false, changes: [{ titleId: '1', isSaved: false }] }))).toEqual(['2']);
  expect(idsOf(await wishesOf().read(false))).toEqual(['2']);
});

test('a list in the browser that is none is an empty one', async () => {
  store(name, [{ titleId: '<b>', savedAt: '' }]);
  expect(await wishesOf().read(false)).toEqual([]);
});

test('a visitor’s list has an end, too', async () => {
  store(
    name,
    Array.from({ length: mostWishes }, (_, id) => ({ titleId: String(id), savedAt: at(1) })),
  );
  await expect(visitorSaves('new')).rejects.toMatchObject({ kind: 'refused', code: 'wish_list_full' });
  expect(inBrowser()).toHaveLength(mostWishes);
});

test('at sign-in the browser’s list goes to the account, once, and is there alone', async () => {
  await visitorSaves('1', '2');
  const { open, calls, ids } = account([{ titleId: '2', savedAt: at(1) }]);
  expect(idsOf(await wishesOf(open).read(true)).toSorted()).toEqual(['1', '2']);
  expect(inBrowser()).toEqual([]);
  await wishesOf(open).change({ signedIn: true, changes: [{ titleId: '1', isSaved: false }] });
  expect(idsOf(await wishesOf(open).read(true))).toEqual(['2']);
  expect(ids()).toEqual(['2']);
  expect(calls).toEqual(['POST', 'POST', 'GET']);
});

test('two tabs that sign in at once do not bring back what is removed meanwhile', async () => {
  await visitorSaves('1');
  const { open, calls } = account();
  await Promise.all([wishesOf(open).read(true), wishesOf(open).read(true)]);
  expect(calls).toEqual(['POST', 'GET']);
});

test('what could not be joined stays in the browser, and goes along with the next change', async () => {
  await visitorSaves('1');
  await expect(wishesOf(account([], { fails: true }).open).read(true)).rejects.toMatchObject({ kind: 'refused' });
  expect(inBrowser()).toHaveLength(1);
  const { open } = account();
  const wishes = await wishesOf(open).change({ signedIn: true, changes: [{ titleId: '2', isSaved: true }] });
  expect(idsOf(wishes)).toEqual(['2', '1']);
  expect(inBrowser()).toEqual([]);
});

test('what an account has no room for stays in the browser', async () => {
  await visitorSaves('1');
  const had = Array.from({ length: mostWishes }, (_, id) => ({ titleId: `had-${id}`, savedAt: at(1) }));
  const { open } = account(had);
  expect(await wishesOf(open).read(true)).toHaveLength(mostWishes);
  expect(inBrowser()).toMatchObject([{ titleId: '1' }]);
  const change = wishesOf(open).change({ signedIn: true, changes: [{ titleId: 'new', isSaved: true }] });
  await expect(change).rejects.toMatchObject({ kind: 'refused', code: 'wish_list_full' });
});

test('a title that the shop does not have is refused', async () => {
  const { open } = account([], { room: 0 });
  const change = wishesOf(open).change({ signedIn: true, changes: [{ titleId: 'gone', isSaved: true }] });
  await expect(change).rejects.toMatchObject({ kind: 'refused', code: 'not_found' });
});
