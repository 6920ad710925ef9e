import * as v from 'valibot';
import { MAX_WISHES, type Wish, type WishChange } from '../../../machines/model/buying/wish-list.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { withSavedAt, createTitleStore } from './kept-titles.ts';
import { throwProblem } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';

const WishListResponse = v.object({ titles: v.array(v.object({ titleId: v.string(), savedAt: v.string() })) });

/**
 * @throws Problem `refused`: `wish_list_full`, or `not_found` where the shop does not have the
 * title
 */
const postChanges = async (api: Api, changes: WishChange[], signal?: AbortSignal): Promise<Wish[]> => {
  const sending = api.client.POST('/user/wishlist', { body: { changes }, ...api.changeOptions(null, signal) });
  return (await readJsonResponse(api, 'user/wishlist', sending, WishListResponse)).titles;
};

const hasTitle = (wishes: Wish[], titleId: string): boolean => wishes.some((wish) => wish.titleId === titleId);

const fetchWishes = async (api: Api, signal?: AbortSignal): Promise<Wish[]> =>
  (await readJsonResponse(api, 'user/wishlist', api.client.GET('/user/wishlist', api.readOptions(signal)), WishListResponse))
    .titles;

/**
 * The wish list of an app environment: a visitor's, kept in the browser, or the signed-in
 * customer's.
 */
export const wishList = ({ api: open }: ShopClient) => {
  const kept = createTitleStore('colophon.wishes', MAX_WISHES, 'wish_list_full');
  const { withLock, onChanged, signalOtherTabs } = kept;

  /** Moves the browser's list to the account; titles that the account has no room for stay here. */
  const joinToAccount = async (api: Api, own: Wish[], signal?: AbortSignal): Promise<Wish[]> => {
    const wishes = await postChanges(
      api,
      own.map((wish) => ({ ...wish, isSaved: true })),
      signal,
    );
    kept.keep(wishes.length < MAX_WISHES ? [] : own.filter(({ titleId }) => !hasTitle(wishes, titleId)));
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
      if (!signedIn) return kept.readLatestFirst();
      const api = await open();
      return withLock(async () => {
        const own = kept.read();
        return own.length === 0 ? fetchWishes(api, signal) : joinToAccount(api, own, signal);
      });
    },

    /** Changes the list and returns the whole of it. */
    change: async (
      { signedIn, changes }: { signedIn: boolean; changes: WishChange[] },
      signal?: AbortSignal,
    ): Promise<Wish[]> => {
      const now = changes.map(withSavedAt);
      if (!signedIn) return kept.change(now);
      const api = await open();
      return withLock(async () => {
        const own = kept.read();
        if (own.length > 0) await joinToAccount(api, own, signal);
        const wishes = await postChanges(api, now, signal);
        signalOtherTabs();
        const missing = now.some(({ titleId, isSaved }) => isSaved && !hasTitle(wishes, titleId));
        if (!missing) return wishes;
        return wishes.length < MAX_WISHES ? throwProblem({ kind: 'refused', code: 'not_found', message: '' }) : kept.full();
      });
    },
  };
};
