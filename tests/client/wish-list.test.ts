import { beforeEach, expect, test } from 'vitest';
import { MAX_WISHES, type Wish } from '../../machines/model/buying/wish-list.ts';
import type { Api } from '../../src/client/wire/client.ts';
import { wishList } from '../../src/client/cart/wish-list.ts';
import { safeLocalStorage, writeItem, readItem } from '../../src/storage/storage.ts';
import * as v from 'valibot';
import { createShopEnvironment } from '../support/client/shop-environment.ts';
import { json, environment, xml } from '../support/client/fake-environment.ts';

const storageKey = 'colophon.wishes';
const readStored = (): unknown => readItem(storageKey, v.unknown(), []);

beforeEach(() => safeLocalStorage.removeItem(storageKey));

/** A server with a wish list that may be full, or fail. */
const createAccountApi = (had: Wish[] = [], { room = MAX_WISHES, fails = false } = {}) => {
  let wishes = had;
  const calls: string[] = [];
  const { api } = environment([], {
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

const failOnCall = (): never => {
  throw new Error('A visitor’s wish list must not call the server.');
};
const createWishList = (open: () => Api = failOnCall) => wishList(createShopEnvironment(open));
const dayAt = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
const getIds = (wishes: Wish[]): string[] => wishes.map(({ titleId }) => titleId);
const saveAsVisitor = (...ids: string[]) =>
  createWishList().change({ signedIn: false, changes: ids.map((titleId) => ({ titleId, isSaved: true })) });

test('a visitor’s list is kept in the browser, latest first, each title once', async () => {
  await saveAsVisitor('1');
  await createWishList().change({ signedIn: false, changes: [{ titleId: '2', isSaved: true, savedAt: dayAt(1) }] });
  expect(getIds(await saveAsVisitor('1'))).toEqual(['1', '2']);
  expect(getIds(await createWishList().read(false))).toEqual(['1', '2']);
  expect(getIds(await createWishList().change({ signedIn: false, changes: [{ titleId: '1', isSaved: false }] }))).toEqual(['2']);
  expect(getIds(await createWishList().read(false))).toEqual(['2']);
});

test('an unreadable list in the browser counts as empty', async () => {
  writeItem(storageKey, [{ titleId: '<b>', savedAt: '' }]);
  expect(await createWishList().read(false)).toEqual([]);
});

test('a visitor’s list has a maximum length', async () => {
  writeItem(
    storageKey,
    Array.from({ length: MAX_WISHES }, (_, id) => ({ titleId: String(id), savedAt: dayAt(1) })),
  );
  await expect(saveAsVisitor('new')).rejects.toMatchObject({ kind: 'refused', code: 'wish_list_full' });
  expect(readStored()).toHaveLength(MAX_WISHES);
});

test('at sign-in the browser’s list moves to the account, once', async () => {
  await saveAsVisitor('1', '2');
  const { open, calls, ids } = createAccountApi([{ titleId: '2', savedAt: dayAt(1) }]);
  expect(getIds(await createWishList(open).read(true)).toSorted()).toEqual(['1', '2']);
  expect(readStored()).toEqual([]);
  await createWishList(open).change({ signedIn: true, changes: [{ titleId: '1', isSaved: false }] });
  expect(getIds(await createWishList(open).read(true))).toEqual(['2']);
  expect(ids()).toEqual(['2']);
  expect(calls).toEqual(['POST', 'POST', 'GET']);
});

test('two tabs that sign in at once do not restore a title that is removed in between', async () => {
  await saveAsVisitor('1');
  const { open, calls } = createAccountApi();
  await Promise.all([createWishList(open).read(true), createWishList(open).read(true)]);
  expect(calls).toEqual(['POST', 'GET']);
});

test('titles that could not be moved stay in the browser and are sent with the next change', async () => {
  await saveAsVisitor('1');
  await expect(createWishList(createAccountApi([], { fails: true }).open).read(true)).rejects.toMatchObject({ kind: 'refused' });
  expect(readStored()).toHaveLength(1);
  const { open } = createAccountApi();
  const wishes = await createWishList(open).change({ signedIn: true, changes: [{ titleId: '2', isSaved: true }] });
  expect(getIds(wishes)).toEqual(['2', '1']);
  expect(readStored()).toEqual([]);
});

test('titles that exceed the account’s limit stay in the browser', async () => {
  await saveAsVisitor('1');
  const had = Array.from({ length: MAX_WISHES }, (_, id) => ({ titleId: `had-${id}`, savedAt: dayAt(1) }));
  const { open } = createAccountApi(had);
  expect(await createWishList(open).read(true)).toHaveLength(MAX_WISHES);
  expect(readStored()).toMatchObject([{ titleId: '1' }]);
  const change = createWishList(open).change({ signedIn: true, changes: [{ titleId: 'new', isSaved: true }] });
  await expect(change).rejects.toMatchObject({ kind: 'refused', code: 'wish_list_full' });
});

test('a title that the shop does not have is refused', async () => {
  const { open } = createAccountApi([], { room: 0 });
  const change = createWishList(open).change({ signedIn: true, changes: [{ titleId: 'gone', isSaved: true }] });
  await expect(change).rejects.toMatchObject({ kind: 'refused', code: 'not_found' });
});
