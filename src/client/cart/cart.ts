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
import { sharedSignal } from '../library/shared-news.ts';
import { dated, KeptId, keptTitles } from './kept-titles.ts';
import type { Scoped } from '../world/own.ts';
import { checked } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';
import { sieve } from '../wire/sieve.ts';
import { titlesById } from '../catalogue/some-titles.ts';
import { pricesOf, summaryFields } from '../catalogue/title-fields.ts';
import { childOf, flagIn, itemsOf, textIn, type XmlNode } from '../wire/xml-node.ts';

const Sending = v.array(
  v.object({ titleId: KeptId, isSaved: v.literal(true), savedAt: v.string(), campaignId: v.exactOptional(KeptId) }),
);

/** Each customer has their own key: a suspended tab may miss that another customer signs in. */
const sendingName = () => `colophon.sending-cart.${customersKey()}` as const;

/**
 * Titles that this tab has started to add to the customer's cart, in their order: after a reload
 * the next page sends the rest.
 */
const sending = (): v.InferOutput<typeof Sending> => stored(sendingName(), Sending, [], safeSessionStorage);
const keepSending = (changes: readonly CartChange[]): void => store(sendingName(), changes, safeSessionStorage);

const linesIn = (root: XmlNode): XmlNode[] => itemsOf(root, 'Lines', 'Line');

/** The campaign that a cart line comes from. */
const campaignIn = (node: XmlNode): Pick<CartEntry, 'campaignId' | 'campaignName'> => {
  const [campaignId, campaignName] = [textIn(node, 'CampaignId'), textIn(node, 'CampaignName')];
  return { ...(campaignId === undefined ? {} : { campaignId }), ...(campaignName === undefined ? {} : { campaignName }) };
};

/** The lines of a cart; where a server only lists titles, one line for each. */
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

/** The cart after a change; a server may answer only that the change is done. */
const changed = async (api: Api, root: XmlNode, code?: string, signal?: AbortSignal): Promise<CartEntry[]> => {
  const holds = ['Count', 'Titles', 'Lines', 'Title', 'Line'].some((name) => childOf(root, name) !== undefined);
  return holds || root.name === 'cart' ? entriesIn(api, root) : read(api, signal, code);
};

const callWith = async (api: Api, change: CartChange, code: string | undefined, signal?: AbortSignal): Promise<CartEntry[]> => {
  const { titleId, isSaved, savedAt, campaignId, ofCampaign } = change;
  // The call is idempotent.
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
 * A line that is put back after its campaign has ended comes back without the campaign.
 * @throws Problem `refused`: `cart_full`, or `not_found` where the shop does not have the title
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

/**
 * The cart of an app environment: a visitor's, kept in the browser, or the signed-in customer's.
 */
export const cart = (environment: Scoped<ShopClient>) => {
  const { api: open, asVisitor } = environment;
  const kept = keptTitles('colophon.cart', mostLines, 'cart_full');
  const { inTurn, signalOtherTabs } = kept;
  const signal = sharedSignal(kept, environment);

  /**
   * Moves the browser's cart to the account title by title, the oldest first; each stays here until
   * the account has it. Titles that the shop no longer has are dropped, and those that do not fit
   * stay.
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
    if (lines.length > 0) signalOtherTabs();
  };

  const markSent = (titleId: string): void => keepSending(sending().filter((change) => change.titleId !== titleId));

  /**
   * Sends the changes that the previous page in this tab did not send. Refusals are dropped, since
   * no screen waits for them any more.
   */
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
    if (rest.length > 0) signalOtherTabs();
  };

  const readJoined = (signal?: AbortSignal, code?: string): Promise<CartEntry[]> =>
    inTurn(async () => {
      const api = await open();
      await join(api, signal);
      await sendRest(api, signal);
      return read(api, signal, code);
    });

  return {
    /** For a port that changes the cart by another call. */
    emitChanged: signal.emit,

    onChanged: signal.subscribe,

    /**
     * A visitor's cart, or the signed-in customer's merged with the browser's; the latest first.
     */
    read: async (signedIn: boolean, signal?: AbortSignal): Promise<CartLine[]> =>
      signedIn ? (await readJoined(signal)).map(lineOf) : kept.readLatestFirst(),

    /**
     * As `read`, with all the data that is shown of each title.
     * @param code discounts a customer's cart; rejects with `refused` `code_…` where it takes
     * nothing off
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

    /** Changes the cart and returns the whole of it. */
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
          // The customer has seen a refusal; a call without an answer may have been cut off by a
          // reload, so it is kept for the next page.
          if (!isUnreached(problemOf(error))) keepSending([]);
          throw error;
        }
        signalOtherTabs();
        return entries.map(lineOf);
      });
    },
  };
};
