import * as v from 'valibot';
import { mostWishes, type Wish, type WishChange } from '../../../machines/model/buying/wish-list.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { dated, keptTitles } from './kept-titles.ts';
import { raise } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';

const WishList = v.object({ titles: v.array(v.object({ titleId: v.string(), savedAt: v.string() })) });

/** @throws Problem `refused`: `wish_list_full` where there is no room for a title, `not_found` where the shop does not have it */
const send = async (api: Api, changes: WishChange[], signal?: AbortSignal): Promise<Wish[]> => {
  const sending = api.client.POST('/user/wishlist', { body: { changes }, ...api.changing(null, signal) });
  return (await jsonAnswer(api, 'user/wishlist', sending, WishList)).titles;
};

const holds = (wishes: Wish[], titleId: string): boolean => wishes.some((wish) => wish.titleId === titleId);

const read = async (api: Api, signal?: AbortSignal): Promise<Wish[]> =>
  (await jsonAnswer(api, 'user/wishlist', api.client.GET('/user/wishlist', api.reading(signal)), WishList)).titles;

/** The wish list of a world: a visitor's, kept in the browser, or the signed-in customer's. */
export const wishList = ({ api: open }: ShopClient) => {
  const kept = keptTitles('colophon.wishes', mostWishes, 'wish_list_full');
  const { inTurn, onChanged, tellOtherTabs } = kept;

  /** What is in the browser goes to the account, and stays here only as far as the account is full. */
  const join = async (api: Api, own: Wish[], signal?: AbortSignal): Promise<Wish[]> => {
    const wishes = await send(
      api,
      own.map((wish) => ({ ...wish, isSaved: true })),
      signal,
    );
    kept.keep(wishes.length < mostWishes ? [] : own.filter(({ titleId }) => !holds(wishes, titleId)));
    tellOtherTabs();
    return wishes;
  };

  return {
    /** Calls the listener when another tab has changed the list, or the network is back. @returns how to unsubscribe */
    onChanged,

    /** The list of a visitor, or of the signed-in customer, to which what the browser had is joined. */
    read: async (signedIn: boolean, signal?: AbortSignal): Promise<Wish[]> => {
      if (!signedIn) return kept.readLatestFirst();
      const api = await open();
      return inTurn(async () => {
        const own = kept.read();
        return own.length === 0 ? read(api, signal) : join(api, own, signal);
      });
    },

    /** Changes the list, and gives the whole of it. */
    change: async (
      { signedIn, changes }: { signedIn: boolean; changes: WishChange[] },
      signal?: AbortSignal,
    ): Promise<Wish[]> => {
      const now = changes.map(dated);
      if (!signedIn) return kept.change(now);
      const api = await open();
      return inTurn(async () => {
        const own = kept.read();
        if (own.length > 0) await join(api, own, signal);
        const wishes = await send(api, now, signal);
        tellOtherTabs();
        const missing = now.some(({ titleId, isSaved }) => isSaved && !holds(wishes, titleId));
        if (!missing) return wishes;
        return wishes.length < mostWishes ? raise({ kind: 'refused', code: 'not_found', message: '' }) : kept.full();
      });
    },
  };
};
