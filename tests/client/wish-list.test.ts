import { beforeEach, expect, test } from 'vitest';
import { MAX_WISHES, type Wish } from '../../machines/model/buying/wish-list.ts';
import type { Api } from '../../src/client/wire/client.ts';
import { wishList } from '../../src/client/cart/wish-list.ts';
import { safeLocalStorage, writeItem, readItem } from '../../src/storage/storage.ts';
import * as v from 'valibot';
import { createShopEnvironment } from '../support/client/shop-environment.ts';
import { json, createFakeServer, xml } from '../support/client/fake-environment.ts';

const storageKey = 'colophon.wishes';
const readStored = (): unknown => readItem(storageKey, v.unknown(), []);

beforeEach(() => safeLocalStorage.removeItem(storageKey));

/** A server with a wish list that may be full, or fail. */
const createAccountApi = (initialWishes: Wish[] = [], { maxWishes = MAX_WISHES, isFailing = false } = {}) => {
  let wishes = initialWishes;
  const calls: string[] = [];
  const { api } = createFakeServer([], {
    fetch: async (request) => {
      calls.push(request.method);
      if (isFailing) return xml('<Error><StatusCode>409</StatusCode><Message>No.</Message></Error>', 409);
      if (request.method === 'POST') {
        const { changes } = (await request.json()) as { changes: (Wish & { isSaved: boolean })[] };
        for (const { titleId, savedAt, isSaved } of changes) {
          const isSavedAlready = wishes.some((wish) => wish.titleId === titleId);
          if (!isSaved) wishes = wishes.filter((wish) => wish.titleId !== titleId);
          else if (!isSavedAlready && wishes.length < maxWishes) wishes = [{ titleId, savedAt }, ...wishes];
        }
      }
      return json({ titles: wishes });
    },
  });
  return { getApi: () => api, calls, listIds: () => wishes.map(({ titleId }) => titleId) };
};

const failOnCall = (): never => {
  throw new Error('A visitor’s wish list must not call the server.');
};
const createWishList = (getApi: () => Api = failOnCall) => wishList(createShopEnvironment(getApi));
const dayAt = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
const getIds = (wishes: Wish[]): string[] => wishes.map(({ titleId }) => titleId);
const saveAsVisitor = (...ids: string[]) =>
  createWishList().change({ signedIn: false, changes: ids.map((titleId) => ({ titleId, isSaved: true })) });

test('a visitor’s wish list is stored in the browser, latest first, each title once', async () => {
  await saveAsVisitor('1');
  await createWishList().change({ signedIn: false, changes: [{ titleId: '2', isSaved: true, savedAt: dayAt(1) }] });
  expect(getIds(await saveAsVisitor('1'))).toEqual(['1', '2']);
  expect(getIds(await createWishList().read(false))).toEqual(['1', '2']);
  expect(getIds(await createWishList().change({ signedIn: false, changes: [{ titleId: '1', isSaved: false }] }))).toEqual(['2']);
  expect(getIds(await createWishList().read(false))).toEqual(['2']);
});

test('an unreadable wish list in the browser counts as empty', async () => {
  writeItem(storageKey, [{ titleId: '<b>', savedAt: '' }]);
  expect(await createWishList().read(false)).toEqual([]);
});

test('a visitor’s wish list has a maximum length', async () => {
  writeItem(
    storageKey,
    Array.from({ length: MAX_WISHES }, (_, id) => ({ titleId: String(id), savedAt: dayAt(1) })),
  );
  await expect(saveAsVisitor('new')).rejects.toMatchObject({ kind: 'refused', code: 'wish_list_full' });
  expect(readStored()).toHaveLength(MAX_WISHES);
});

test('at sign-in the browser’s wish list moves to the account, once', async () => {
  await saveAsVisitor('1', '2');
  const { getApi, calls, listIds } = createAccountApi([{ titleId: '2', savedAt: dayAt(1) }]);
  expect(getIds(await createWishList(getApi).read(true)).toSorted()).toEqual(['1', '2']);
  expect(readStored()).toEqual([]);
  await createWishList(getApi).change({ signedIn: true, changes: [{ titleId: '1', isSaved: false }] });
  expect(getIds(await createWishList(getApi).read(true))).toEqual(['2']);
  expect(listIds()).toEqual(['2']);
  expect(calls).toEqual(['POST', 'POST', 'GET']);
});

test('two tabs that sign in at once move the browser’s wish list only once', async () => {
  await saveAsVisitor('1');
  const { getApi, calls } = createAccountApi();
  await Promise.all([createWishList(getApi).read(true), createWishList(getApi).read(true)]);
  expect(calls).toEqual(['POST', 'GET']);
});

test('wishes that could not be moved stay in the browser and are sent with the next change', async () => {
  await saveAsVisitor('1');
  await expect(createWishList(createAccountApi([], { isFailing: true }).getApi).read(true)).rejects.toMatchObject({
    kind: 'refused',
  });
  expect(readStored()).toHaveLength(1);
  const { getApi } = createAccountApi();
  const wishes = await createWishList(getApi).change({ signedIn: true, changes: [{ titleId: '2', isSaved: true }] });
  expect(getIds(wishes)).toEqual(['2', '1']);
  expect(readStored()).toEqual([]);
});

test('wishes that exceed the account’s limit stay in the browser', async () => {
  await saveAsVisitor('1');
  const initialWishes = Array.from({ length: MAX_WISHES }, (_, id) => ({ titleId: `had-${id}`, savedAt: dayAt(1) }));
  const { getApi } = createAccountApi(initialWishes);
  expect(await createWishList(getApi).read(true)).toHaveLength(MAX_WISHES);
  expect(readStored()).toMatchObject([{ titleId: '1' }]);
  const change = createWishList(getApi).change({ signedIn: true, changes: [{ titleId: 'new', isSaved: true }] });
  await expect(change).rejects.toMatchObject({ kind: 'refused', code: 'wish_list_full' });
});

test('a title that the shop does not have is refused', async () => {
  const { getApi } = createAccountApi([], { maxWishes: 0 });
  const change = createWishList(getApi).change({ signedIn: true, changes: [{ titleId: 'gone', isSaved: true }] });
  await expect(change).rejects.toMatchObject({ kind: 'refused', code: 'not_found' });
});
