import * as v from 'valibot';
import { MAX_CART_LINES, type CartChange, type CartEntry, type CartLine } from '../../../machines/model/buying/cart.ts';
import { isUnreachable, toProblem } from '../../../machines/model/problem.ts';
import { Price, TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { isMissing } from '../../../machines/ports.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import { safeSessionStorage, writeItem, readItem } from '../../storage/storage.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { withStoredCode } from '../payment/code-refusals.ts';
import { toIsoDate } from '../wire/date.ts';
import { sharedSignal } from '../library/shared-signal.ts';
import { withSavedAt, StoredId, createTitleStore } from './kept-titles.ts';
import type { Scoped } from '../environment/scope.ts';
import { validate } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';
import { createItemParser } from '../wire/sieve.ts';
import { fetchTitlesById } from '../catalogue/some-titles.ts';
import { getPrices, getSummaryFields } from '../catalogue/title-fields.ts';
import { getChild, getFlag, getItems, getText, type XmlNode } from '../wire/xml-node.ts';

const PendingChanges = v.array(
  v.object({ titleId: StoredId, isSaved: v.literal(true), savedAt: v.string(), campaignId: v.exactOptional(StoredId) }),
);

/** Each customer has their own key: a suspended tab may miss that another customer signs in. */
const pendingChangesKey = () => `colophon.sending-cart.${getCustomerKey()}` as const;

/**
 * Titles that this tab has started to add to the customer's cart, in their order: after a reload
 * the next page sends the rest.
 */
const readPendingChanges = (): v.InferOutput<typeof PendingChanges> =>
  readItem(pendingChangesKey(), PendingChanges, [], safeSessionStorage);
const savePendingChanges = (changes: readonly CartChange[]): void => writeItem(pendingChangesKey(), changes, safeSessionStorage);

const getLines = (root: XmlNode): XmlNode[] => getItems(root, 'Lines', 'Line');

/** The campaign that a cart line comes from. */
const getCampaign = (node: XmlNode): Pick<CartEntry, 'campaignId' | 'campaignName'> => {
  const [campaignId, campaignName] = [getText(node, 'CampaignId'), getText(node, 'CampaignName')];
  return { ...(campaignId === undefined ? {} : { campaignId }), ...(campaignName === undefined ? {} : { campaignName }) };
};

/** The lines of a cart; where a server only lists titles, one line for each. */
export const toCartEntries = (api: Api, root: XmlNode): CartEntry[] => {
  const readable = createItemParser(api, 'cart/titles', 'titles', TitleSummary);
  const titles = getItems(root, 'Titles', 'Title').flatMap((node) => readable.parse(getSummaryFields(node, api.base)));
  readable.end();
  const byId = new Map(titles.map((title) => [title.id, title]));
  const cartCurrency = getText(root, 'Currency');
  const inCurrency = cartCurrency === undefined ? {} : { cartCurrency };
  const lines = getLines(root).flatMap((line): CartEntry[] => {
    const titleId = getText(line, 'TitleId');
    if (titleId === undefined) return [];
    const title = byId.get(titleId) ?? null;
    const usual = getChild(line, 'UsualPrices');
    return [
      {
        titleId,
        name: title?.name ?? getText(line, 'Name') ?? '',
        savedAt: toIsoDate(getText(line, 'AddedAt') ?? ''),
        isOwned: getFlag(line, 'Owned') ?? false,
        title,
        ...inCurrency,
        ...getCampaign(line),
        ...(usual === undefined ? {} : { usual: validate('cart/titles', v.array(Price), getPrices(usual), 'usual') }),
        ...(getFlag(line, 'Reward') === true ? { isReward: true as const } : {}),
      },
    ];
  });
  if (lines.length > 0) return lines;
  const campaigns = new Map(getItems(root, 'Titles', 'Title').map((node) => [getText(node, 'TitleId'), getCampaign(node)]));
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

const toLine = ({ titleId, savedAt }: CartEntry): CartLine => ({ titleId, savedAt });

const fetchEntries = async (api: Api, signal?: AbortSignal, code?: string): Promise<CartEntry[]> =>
  toCartEntries(
    api,
    await readXmlResponse(
      api,
      'cart/titles',
      api.client.GET('/cart/titles', { params: { query: { code } }, ...api.readOptions(signal) }),
      'cart',
    ),
  );

/** The cart after a change; a server may answer only that the change is done. */
const toChangedEntries = async (api: Api, root: XmlNode, code?: string, signal?: AbortSignal): Promise<CartEntry[]> => {
  const holds = ['Count', 'Titles', 'Lines', 'Title', 'Line'].some((name) => getChild(root, name) !== undefined);
  return holds || root.name === 'cart' ? toCartEntries(api, root) : fetchEntries(api, signal, code);
};

const postChange = async (api: Api, change: CartChange, code: string | undefined, signal?: AbortSignal): Promise<CartEntry[]> => {
  const { titleId, isSaved, savedAt, campaignId, ofCampaign } = change;
  // The call is idempotent.
  const init = api.changeOptions(null, signal);
  const query = { titleId, code, ...(campaignId === undefined ? {} : { campaignId }) };
  if (isSaved) {
    const sending = api.client.GET('/cart/add', {
      params: { query: { ...query, ...(savedAt ? { addedAt: savedAt } : {}) } },
      ...init,
    });
    return toChangedEntries(api, await readXmlResponse(api, 'cart/add', sending, 'result'), code, signal);
  }
  if (campaignId === undefined || ofCampaign !== true) {
    const sending = api.client.GET('/cart/remove', { params: { query }, ...init });
    return toChangedEntries(api, await readXmlResponse(api, 'cart/remove', sending, 'result'), code, signal);
  }
  const sending = api.client.GET('/cart/removeCampaign', { params: { query: { ...query, campaignId } }, ...init });
  return toChangedEntries(api, await readXmlResponse(api, 'cart/removeCampaign', sending, 'result'), code, signal);
};

const postChangeWithCode = (api: Api, change: CartChange, signal?: AbortSignal): Promise<CartEntry[]> =>
  withStoredCode((code) => postChange(api, change, code, signal));

/**
 * A line that is put back after its campaign has ended comes back without the campaign.
 * @throws Problem `refused`: `cart_full`, or `not_found` where the shop does not have the title
 */
const sendChange = (api: Api, change: CartChange, signal?: AbortSignal): Promise<CartEntry[]> =>
  postChangeWithCode(api, change, signal).catch((error: unknown) => {
    const { campaignId, ...alone } = change;
    if (campaignId === undefined || !change.isSaved || !/^(campaign|reward)|not_found/.test(getRefusalCode(error))) throw error;
    return postChangeWithCode(api, alone, signal);
  });

const getRefusalCode = (error: unknown): string => {
  const problem = toProblem(error);
  if (isMissing(null, problem)) return 'not_found';
  return problem.kind === 'refused' ? problem.code : '';
};

/**
 * The cart of an app environment: a visitor's, kept in the browser, or the signed-in customer's.
 */
export const cart = (environment: Scoped<ShopClient>) => {
  const { api: open, asVisitor } = environment;
  const kept = createTitleStore('colophon.cart', MAX_CART_LINES, 'cart_full');
  const { withLock, signalOtherTabs } = kept;
  const signal = sharedSignal(kept, environment);

  /**
   * Moves the browser's cart to the account title by title, the oldest first; each stays here until
   * the account has it. Titles that the shop no longer has are dropped, and those that do not fit
   * stay.
   */
  const joinToAccount = async (api: Api, signal?: AbortSignal): Promise<void> => {
    const lines = kept.read().toReversed();
    for (const line of lines) {
      try {
        await sendChange(api, { ...line, isSaved: true }, signal);
      } catch (error) {
        if (getRefusalCode(error) === 'cart_full') break;
        if (getRefusalCode(error) !== 'not_found') throw error;
      }
      kept.keep(kept.read().filter(({ titleId }) => titleId !== line.titleId));
    }
    if (lines.length > 0) signalOtherTabs();
  };

  const markSent = (titleId: string): void =>
    savePendingChanges(readPendingChanges().filter((change) => change.titleId !== titleId));

  /**
   * Sends the changes that the previous page in this tab did not send. Refusals are dropped, since
   * no screen waits for them any more.
   */
  const sendPendingChanges = async (api: Api, signal?: AbortSignal): Promise<void> => {
    const rest = readPendingChanges();
    for (const change of rest) {
      try {
        await sendChange(api, change, signal);
      } catch (error) {
        if (isUnreachable(toProblem(error))) throw error;
      }
      markSent(change.titleId);
    }
    if (rest.length > 0) signalOtherTabs();
  };

  const fetchJoined = (signal?: AbortSignal, code?: string): Promise<CartEntry[]> =>
    withLock(async () => {
      const api = await open();
      await joinToAccount(api, signal);
      await sendPendingChanges(api, signal);
      return fetchEntries(api, signal, code);
    });

  return {
    /** For a port that changes the cart by another call. */
    emitChanged: signal.emit,

    onChanged: signal.subscribe,

    /**
     * A visitor's cart, or the signed-in customer's merged with the browser's; the latest first.
     */
    read: async (signedIn: boolean, signal?: AbortSignal): Promise<CartLine[]> =>
      signedIn ? (await fetchJoined(signal)).map(toLine) : kept.readLatestFirst(),

    /**
     * As `read`, with all the data that is shown of each title.
     * @param code discounts a customer's cart; rejects with `refused` `code_…` where it takes
     * nothing off
     */
    readEntries: async (signedIn: boolean, signal?: AbortSignal, code?: string): Promise<CartEntry[]> => {
      if (signedIn) return fetchJoined(signal, code);
      const lines = kept.readLatestFirst();
      if (lines.length === 0) return [];
      const ids = lines.map(({ titleId }) => titleId);
      const titles = new Map((await asVisitor((api) => fetchTitlesById(api, ids, signal))).map((title) => [title.id, title]));
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
      const now = changes.map(withSavedAt);
      if (!signedIn) return kept.change(now);
      return withLock(async () => {
        const api = await open();
        await joinToAccount(api, signal);
        await sendPendingChanges(api, signal);
        savePendingChanges(now.filter(({ isSaved }) => isSaved));
        let entries: CartEntry[] = [];
        try {
          for (const change of now) {
            entries = await sendChange(api, change, signal);
            markSent(change.titleId);
          }
        } catch (error) {
          // The customer has seen a refusal; a call without an answer may have been cut off by a
          // reload, so it is kept for the next page.
          if (!isUnreachable(toProblem(error))) savePendingChanges([]);
          throw error;
        }
        signalOtherTabs();
        return entries.map(toLine);
      });
    },
  };
};
