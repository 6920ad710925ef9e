import * as v from 'valibot';
import { mostLines, type CartChange, type CartEntry, type CartLine } from '../../../machines/model/buying/cart.ts';
import { isUnreached, problemOf } from '../../../machines/model/problem.ts';
import { Price, TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { isMissing } from '../../../machines/ports.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { safeSessionStorage, store, stored } from '../../storage/storage.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { withKeptCode } from '../payment/code-refusals.ts';
import { isoDate } from '../wire/date.ts';
import { sharedNews } from '../library/shared-news.ts';
import { dated, KeptId, keptTitles } from './kept-titles.ts';
import type { Own } from '../world/own.ts';
import { checked } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';
import { sieve } from '../wire/sieve.ts';
import { titlesById } from '../catalogue/some-titles.ts';
import { pricesOf, summaryFields } from '../catalogue/title-fields.ts';
import { childOf, flagIn, itemsOf, textIn, type XmlNode } from '../wire/xml-node.ts';

const Sending = v.array(
  v.object({ titleId: KeptId, isSaved: v.literal(true), savedAt: v.string(), campaignId: v.exactOptional(KeptId) }),
);

/** Each customer has an own key: a suspended tab may miss that another customer signs in. */
const sendingName = () => `colophon.sending-cart.${customersKey()}` as const;

/**
 * Titles that this tab has begun to put into the customer's cart, in their order: after a reload
 * the next page sends the rest.
 */
const sending = (): v.InferOutput<typeof Sending> => stored(sendingName(), Sending, [], safeSessionStorage);
const keepSending = (changes: readonly CartChange[]): void => store(sendingName(), changes, safeSessionStorage);

const linesIn = (root: XmlNode): XmlNode[] => itemsOf(root, 'Lines', 'Line');

/** The campaign that a line of a cart comes from. */
const campaignIn = (node: XmlNode): Pick<CartEntry, 'campaignId' | 'campaignName'> => {
  const [campaignId, campaignName] = [textIn(node, 'CampaignId'), textIn(node, 'CampaignName')];
  return { ...(campaignId === undefined ? {} : { campaignId }), ...(campaignName === undefined ? {} : { campaignName }) };
};

/** The lines of a cart; of a server that lists titles alone, a line for each. */
export const entriesIn = (api: Api, root: XmlNode): CartEntry[] => {
  const readable = sieve(api, 'cart/titles', 'titles', TitleSummary);
  const titles = itemsOf(root, 'Titles', 'Title').flatMap((node) => readable.take(summaryFields(node, api.base)));
  readable.end();
  const byId = new Map(titles.map((title) => [title.id, title]));
  const cartCurrency = textIn(root, 'Currency');
  const inCurrency = cartCurrency === undefined ? {} : { cartCurrency };
  const lines = linesIn(root).flatMap((line): CartEntry[] => {
    const titleId = textIn(line, 'TitleId');
    if (titleId === undefined) return [];
    const title = byId.get(titleId) ?? null;
    const usual = childOf(line, 'UsualPrices');
    return [
      {
        titleId,
        name: title?.name ?? textIn(line, 'Name') ?? '',
        savedAt: isoDate(textIn(line, 'AddedAt') ?? ''),
        isOwned: flagIn(line, 'Owned') ?? false,
        title,
        ...inCurrency,
        ...campaignIn(line),
        ...(usual === undefined ? {} : { usual: checked('cart/titles', v.array(Price), pricesOf(usual), 'usual') }),
        ...(flagIn(line, 'Reward') === true ? { isReward: true as const } : {}),
      },
    ];
  });
  if (lines.length > 0) return lines;
  const campaigns = new Map(itemsOf(root, 'Titles', 'Title').map((node) => [textIn(node, 'TitleId'), campaignIn(node)]));
  return titles.map((title) => ({
    titleId: title.id,
    name: title.name,
    savedAt: '',
    isOwned: false,
    title,
    ...inCurrency,
    ...campaigns.get(title.id),
  }));
};

const lineOf = ({ titleId, savedAt }: CartEntry): CartLine => ({ titleId, savedAt });

const read = async (api: Api, signal?: AbortSignal, code?: string): Promise<CartEntry[]> =>
  entriesIn(
    api,
    await xmlAnswer(
      api,
      'cart/titles',
      api.client.GET('/cart/titles', { params: { query: { code } }, ...api.reading(signal) }),
      'cart',
    ),
  );

/** The cart after a change; a server may say no more than that it is done. */
const changed = async (api: Api, root: XmlNode, code?: string, signal?: AbortSignal): Promise<CartEntry[]> => {
  const holds = ['Count', 'Titles', 'Lines', 'Title', 'Line'].some((name) => childOf(root, name) !== undefined);
  return holds || root.name === 'cart' ? entriesIn(api, root) : read(api, signal, code);
};

const callWith = async (api: Api, change: CartChange, code: string | undefined, signal?: AbortSignal): Promise<CartEntry[]> => {
  const { titleId, isSaved, savedAt, campaignId, ofCampaign } = change;
  // Done twice it is the same as done once.
  const init = api.changing(null, signal);
  const query = { titleId, code, ...(campaignId === undefined ? {} : { campaignId }) };
  if (isSaved) {
    const sending = api.client.GET('/cart/add', {
      params: { query: { ...query, ...(savedAt ? { addedAt: savedAt } : {}) } },
      ...init,
    });
    return changed(api, await xmlAnswer(api, 'cart/add', sending, 'result'), code, signal);
  }
  if (campaignId === undefined || ofCampaign !== true) {
    const sending = api.client.GET('/cart/remove', { params: { query }, ...init });
    return changed(api, await xmlAnswer(api, 'cart/remove', sending, 'result'), code, signal);
  }
  const sending = api.client.GET('/cart/removeCampaign', { params: { query: { ...query, campaignId } }, ...init });
  return changed(api, await xmlAnswer(api, 'cart/removeCampaign', sending, 'result'), code, signal);
};

const call = (api: Api, change: CartChange, signal?: AbortSignal): Promise<CartEntry[]> =>
  withKeptCode((code) => callWith(api, change, code, signal));

/**
 * What comes back and is not to be had from its campaign any more comes back by itself.
 * @throws Problem `refused`: `cart_full` where there is no room, `not_found` where the shop does not have the title
 */
const send = (api: Api, change: CartChange, signal?: AbortSignal): Promise<CartEntry[]> =>
  call(api, change, signal).catch((error: unknown) => {
    const { campaignId, ...alone } = change;
    if (campaignId === undefined || !change.isSaved || !/^(campaign|reward)|not_found/.test(refusalOf(error))) throw error;
    return call(api, alone, signal);
  });

const refusalOf = (error: unknown): string => {
  const problem = problemOf(error);
  if (isMissing(null, problem)) return 'not_found';
  return problem.kind === 'refused' ? problem.code : '';
};

/** The cart of a world: a visitor's, kept in the browser, or the signed-in customer's. */
export const cart = (world: Own<ShopClient>) => {
  const { api: open, asVisitor } = world;
  const kept = keptTitles('colophon.cart', mostLines, 'cart_full');
  const { inTurn, tellOtherTabs } = kept;
  const news = sharedNews(kept, world);

  /**
   * What is in the browser goes to the account, the oldest first, title by title: each stays here until it is there. What the
   * shop does not have any more is dropped, and what there is no room for stays.
   */
  const join = async (api: Api, signal?: AbortSignal): Promise<void> => {
    const lines = kept.read().toReversed();
    for (const line of lines) {
      try {
        await send(api, { ...line, isSaved: true }, signal);
      } catch (error) {
        if (refusalOf(error) === 'cart_full') break;
        if (refusalOf(error) !== 'not_found') throw error;
      }
      kept.keep(kept.read().filter(({ titleId }) => titleId !== line.titleId));
    }
    if (lines.length > 0) tellOtherTabs();
  };

  const markSent = (titleId: string): void => keepSending(sending().filter((change) => change.titleId !== titleId));

  /** Sends what the last page in this tab did not get to send. What is refused is let go: nobody waits for that answer any more. */
  const sendRest = async (api: Api, signal?: AbortSignal): Promise<void> => {
    const rest = sending();
    for (const change of rest) {
      try {
        await send(api, change, signal);
      } catch (error) {
        if (isUnreached(problemOf(error))) throw error;
      }
      markSent(change.titleId);
    }
    if (rest.length > 0) tellOtherTabs();
  };

  const readJoined = (signal?: AbortSignal, code?: string): Promise<CartEntry[]> =>
    inTurn(async () => {
      const api = await open();
      await join(api, signal);
      await sendRest(api, signal);
      return read(api, signal, code);
    });

  return {
    /** A port that changes the cart by another call says so. */
    tellChanged: news.tell,

    onChanged: news.on,

    /** The cart of a visitor, or of the signed-in customer, to which what the browser had is joined; the latest first. */
    read: async (signedIn: boolean, signal?: AbortSignal): Promise<CartLine[]> =>
      signedIn ? (await readJoined(signal)).map(lineOf) : kept.readLatestFirst(),

    /**
     * The same with all that is shown of each title.
     * @param code makes a customer's cheaper; rejects then with `refused` `code_…` where it takes nothing off
     */
    readEntries: async (signedIn: boolean, signal?: AbortSignal, code?: string): Promise<CartEntry[]> => {
      if (signedIn) return readJoined(signal, code);
      const lines = kept.readLatestFirst();
      if (lines.length === 0) return [];
      const ids = lines.map(({ titleId }) => titleId);
      const titles = new Map((await asVisitor((api) => titlesById(api, ids, signal))).map((title) => [title.id, title]));
      return lines.map((line) => {
        const title = titles.get(line.titleId) ?? null;
        return { ...line, name: title?.name ?? '', isOwned: false, title };
      });
    },

    /** Changes the cart, and gives the whole of it. */
    change: async (
      { signedIn, changes }: { signedIn: boolean; changes: CartChange[] },
      signal?: AbortSignal,
    ): Promise<CartLine[]> => {
      const now = changes.map(dated);
      if (!signedIn) return kept.change(now);
      return inTurn(async () => {
        const api = await open();
        await join(api, signal);
        await sendRest(api, signal);
        keepSending(now.filter(({ isSaved }) => isSaved));
        let entries: CartEntry[] = [];
        try {
          for (const change of now) {
            entries = await send(api, change, signal);
            markSent(change.titleId);
          }
        } catch (error) {
          // What was refused is said; a call that nothing answered may be one that a reload has cut off.
          if (!isUnreached(problemOf(error))) keepSending([]);
          throw error;
        }
        tellOtherTabs();
        return entries.map(lineOf);
      });
    },
  };
};
