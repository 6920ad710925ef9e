import * as v from 'valibot';
import { MAX_WISHES, type Wish, type WishChange } from '../../../machines/model/buying/wish-list.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { withSavedAt, createTitleStorage } from './title-storage.ts';
import { throwProblem } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';

const WishListResponse = v.object({ titles: v.array(v.object({ titleId: v.string(), savedAt: v.string() })) });

/**
 * Sends changes of the wish list.
 * @returns all its titles; the server leaves out unknown ones, and the oldest ones over the limit
 */
const postChanges = async (api: Api, changes: WishChange[], signal?: AbortSignal): Promise<Wish[]> => {
  const responsePromise = api.client.POST('/user/wishlist', { body: { changes }, ...api.changeOptions(null, signal) });
  return (await readJsonResponse(api, 'user/wishlist', responsePromise, WishListResponse)).titles;
};

const hasTitle = (wishes: Wish[], titleId: string): boolean => wishes.some((wish) => wish.titleId === titleId);

const fetchWishes = async (api: Api, signal?: AbortSignal): Promise<Wish[]> =>
  (await readJsonResponse(api, 'user/wishlist', api.client.GET('/user/wishlist', api.readOptions(signal)), WishListResponse))
    .titles;

/**
 * The wish list of an app environment: a visitor's, kept in the browser, or the signed-in
 * customer's.
 */
export const wishList = ({ api: openApi }: ShopClient) => {
  const storedTitles = createTitleStorage('colophon.wishes', MAX_WISHES, 'wish_list_full');
  const { withLock, onChanged, signalOtherTabs } = storedTitles;

  /** Moves the browser's list to the account; titles that do not fit there stay. */
  const mergeIntoAccount = async (api: Api, storedWishes: Wish[], signal?: AbortSignal): Promise<Wish[]> => {
    const wishes = await postChanges(
      api,
      storedWishes.map((wish) => ({ ...wish, isSaved: true })),
      signal,
    );
    storedTitles.save(wishes.length < MAX_WISHES ? [] : storedWishes.filter(({ titleId }) => !hasTitle(wishes, titleId)));
    signalOtherTabs();
    return wishes;
  };

  return {
    /**
     * Calls the listener when another tab has changed the list, or the network is back.
     * @returns a function that unsubscribes
     */
    onChanged,

    /** A visitor's list, or the signed-in customer's merged with the browser's. */
    read: async (signedIn: boolean, signal?: AbortSignal): Promise<Wish[]> => {
      if (!signedIn) return storedTitles.readLatestFirst();
      const api = await openApi();
      return withLock(async () => {
        const storedWishes = storedTitles.read();
        return storedWishes.length === 0 ? fetchWishes(api, signal) : mergeIntoAccount(api, storedWishes, signal);
      });
    },

    /**
     * Changes the list and returns all its titles.
     * @throws Problem `refused`: `wish_list_full`, or `not_found` where the shop does not have the
     * title
     */
    change: async (
      { signedIn, changes }: { signedIn: boolean; changes: WishChange[] },
      signal?: AbortSignal,
    ): Promise<Wish[]> => {
      const datedChanges = changes.map(withSavedAt);
      if (!signedIn) return storedTitles.change(datedChanges);
      const api = await openApi();
      return withLock(async () => {
        const storedWishes = storedTitles.read();
        if (storedWishes.length > 0) await mergeIntoAccount(api, storedWishes, signal);
        const wishes = await postChanges(api, datedChanges, signal);
        signalOtherTabs();
        const isTitleMissing = datedChanges.some(({ titleId, isSaved }) => isSaved && !hasTitle(wishes, titleId));
        if (!isTitleMissing) return wishes;
        return wishes.length < MAX_WISHES
          ? throwProblem({ kind: 'refused', code: 'not_found', message: '' })
          : storedTitles.throwFull();
      });
    },
  };
};
