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
import { createSharedSignal } from '../library/shared-signal.ts';
import { withSavedAt, StoredId, createTitleStorage } from './title-storage.ts';
import type { Scoped } from '../environment/scope.ts';
import { validate } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';
import { createItemParser } from '../wire/item-parser.ts';
import { fetchTitlesById } from '../catalogue/some-titles.ts';
import { getPrices, getSummaryFields } from '../catalogue/title-fields.ts';
import { getChild, getFlag, getItems, getText, type XmlNode } from '../wire/xml-node.ts';

const PendingChanges = v.array(
  v.object({ titleId: StoredId, isSaved: v.literal(true), savedAt: v.string(), campaignId: v.exactOptional(StoredId) }),
);

/** Each customer has their own key: a suspended tab may miss that another customer signs in. */
const getPendingChangesKey = () => `colophon.sending-cart.${getCustomerKey()}` as const;

/**
 * Titles that this tab has started to add to the customer's cart, in order: after a reload the next
 * page sends the ones that are left.
 */
const readPendingChanges = (): v.InferOutput<typeof PendingChanges> =>
  readItem(getPendingChangesKey(), PendingChanges, [], safeSessionStorage);
const savePendingChanges = (changes: readonly CartChange[]): void =>
  writeItem(getPendingChangesKey(), changes, safeSessionStorage);

const getLines = (root: XmlNode): XmlNode[] => getItems(root, 'Lines', 'Line');

/** The fields of the campaign that a cart line comes from; none without a campaign. */
const getCampaign = (node: XmlNode): Pick<CartEntry, 'campaignId' | 'campaignName'> => {
  const [campaignId, campaignName] = [getText(node, 'CampaignId'), getText(node, 'CampaignName')];
  return { ...(campaignId === undefined ? {} : { campaignId }), ...(campaignName === undefined ? {} : { campaignName }) };
};

/** The lines of a cart; where a server only lists titles, one line for each. */
export const toCartEntries = (api: Api, root: XmlNode): CartEntry[] => {
  const parser = createItemParser(api, 'cart/titles', 'titles', TitleSummary);
  const titles = getItems(root, 'Titles', 'Title').flatMap((node) => parser.parse(getSummaryFields(node, api.base)));
  parser.end();
  const byId = new Map(titles.map((title) => [title.id, title]));
  const cartCurrency = getText(root, 'Currency');
  const currencyField = cartCurrency === undefined ? {} : { cartCurrency };
  const lines = getLines(root).flatMap((line): CartEntry[] => {
    const titleId = getText(line, 'TitleId');
    if (titleId === undefined) return [];
    const title = byId.get(titleId) ?? null;
    const usualPrices = getChild(line, 'UsualPrices');
    return [
      {
        titleId,
        name: title?.name ?? getText(line, 'Name') ?? '',
        savedAt: toIsoDate(getText(line, 'AddedAt') ?? ''),
        isOwned: getFlag(line, 'Owned') ?? false,
        title,
        ...currencyField,
        ...getCampaign(line),
        ...(usualPrices === undefined ? {} : { usual: validate('cart/titles', v.array(Price), getPrices(usualPrices), 'usual') }),
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
    ...currencyField,
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

/** The cart after a change, read again where the server answers only that the change is done. */
const toChangedEntries = async (api: Api, root: XmlNode, code?: string, signal?: AbortSignal): Promise<CartEntry[]> => {
  const hasCart = ['Count', 'Titles', 'Lines', 'Title', 'Line'].some((name) => getChild(root, name) !== undefined);
  return hasCart || root.name === 'cart' ? toCartEntries(api, root) : fetchEntries(api, signal, code);
};

const postChange = async (api: Api, change: CartChange, code: string | undefined, signal?: AbortSignal): Promise<CartEntry[]> => {
  const { titleId, isSaved, savedAt, campaignId, ofCampaign } = change;
  // The call is idempotent.
  const init = api.changeOptions(null, signal);
  const query = { titleId, code, ...(campaignId === undefined ? {} : { campaignId }) };
  if (isSaved) {
    const responsePromise = api.client.GET('/cart/add', {
      params: { query: { ...query, ...(savedAt ? { addedAt: savedAt } : {}) } },
      ...init,
    });
    return toChangedEntries(api, await readXmlResponse(api, 'cart/add', responsePromise, 'result'), code, signal);
  }
  if (campaignId === undefined || ofCampaign !== true) {
    const responsePromise = api.client.GET('/cart/remove', { params: { query }, ...init });
    return toChangedEntries(api, await readXmlResponse(api, 'cart/remove', responsePromise, 'result'), code, signal);
  }
  const responsePromise = api.client.GET('/cart/removeCampaign', { params: { query: { ...query, campaignId } }, ...init });
  return toChangedEntries(api, await readXmlResponse(api, 'cart/removeCampaign', responsePromise, 'result'), code, signal);
};

const postChangeWithCode = (api: Api, change: CartChange, signal?: AbortSignal): Promise<CartEntry[]> =>
  withStoredCode((code) => postChange(api, change, code, signal));

/**
 * Sends a change of the cart. A line whose campaign has ended is added again without the campaign.
 * @throws Problem `refused`: `cart_full`, or `not_found` where the shop does not have the title
 */
const sendChange = (api: Api, change: CartChange, signal?: AbortSignal): Promise<CartEntry[]> =>
  postChangeWithCode(api, change, signal).catch((error: unknown) => {
    const { campaignId, ...changeWithoutCampaign } = change;
    if (campaignId === undefined || !change.isSaved || !/^(?:campaign|reward|not_found$)/.test(getRefusalCode(error)))
      throw error;
    return postChangeWithCode(api, changeWithoutCampaign, signal);
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
  const { api: openApi, asVisitor } = environment;
  const storedTitles = createTitleStorage('colophon.cart', MAX_CART_LINES, 'cart_full');
  const { withLock, signalOtherTabs } = storedTitles;
  const signal = createSharedSignal(storedTitles, environment);

  /**
   * Moves the browser's cart to the account title by title, the oldest first; each stays in the
   * browser until the account has it. Titles that the shop no longer has are dropped, and those
   * that do not fit stay.
   */
  const mergeIntoAccount = async (api: Api, signal?: AbortSignal): Promise<void> => {
    const lines = storedTitles.read().toReversed();
    for (const line of lines) {
      try {
        await sendChange(api, { ...line, isSaved: true }, signal);
      } catch (error) {
        if (getRefusalCode(error) === 'cart_full') break;
        if (getRefusalCode(error) !== 'not_found') throw error;
      }
      storedTitles.save(storedTitles.read().filter(({ titleId }) => titleId !== line.titleId));
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
    const pendingChanges = readPendingChanges();
    for (const change of pendingChanges) {
      try {
        await sendChange(api, change, signal);
      } catch (error) {
        if (isUnreachable(toProblem(error))) throw error;
      }
      markSent(change.titleId);
    }
    if (pendingChanges.length > 0) signalOtherTabs();
  };

  const fetchMerged = (signal?: AbortSignal, code?: string): Promise<CartEntry[]> =>
    withLock(async () => {
      const api = await openApi();
      await mergeIntoAccount(api, signal);
      await sendPendingChanges(api, signal);
      return fetchEntries(api, signal, code);
    });

  return {
    /** Notifies the listeners of all tabs; for a port that changes the cart by another call. */
    emitChanged: signal.emit,

    onChanged: signal.subscribe,

    /**
     * A visitor's cart, or the signed-in customer's merged with the browser's; the latest first.
     */
    read: async (signedIn: boolean, signal?: AbortSignal): Promise<CartLine[]> =>
      signedIn ? (await fetchMerged(signal)).map(toLine) : storedTitles.readLatestFirst(),

    /**
     * As `read`, with all the data that is shown of each title.
     * @param code the discount code for a customer's cart; rejects with `refused` `code_…` where
     * it discounts nothing
     */
    readEntries: async (signedIn: boolean, signal?: AbortSignal, code?: string): Promise<CartEntry[]> => {
      if (signedIn) return fetchMerged(signal, code);
      const lines = storedTitles.readLatestFirst();
      if (lines.length === 0) return [];
      const ids = lines.map(({ titleId }) => titleId);
      const titles = new Map((await asVisitor((api) => fetchTitlesById(api, ids, signal))).map((title) => [title.id, title]));
      return lines.map((line) => {
        const title = titles.get(line.titleId) ?? null;
        return { ...line, name: title?.name ?? '', isOwned: false, title };
      });
    },

    /**
     * Changes the cart and returns all its lines.
     * @throws Problem `refused` `cart_full`, or as `sendChange` for a customer's cart
     */
    change: async (
      { signedIn, changes }: { signedIn: boolean; changes: CartChange[] },
      signal?: AbortSignal,
    ): Promise<CartLine[]> => {
      const datedChanges = changes.map(withSavedAt);
      if (!signedIn) return storedTitles.change(datedChanges);
      return withLock(async () => {
        const api = await openApi();
        await mergeIntoAccount(api, signal);
        await sendPendingChanges(api, signal);
        savePendingChanges(datedChanges.filter(({ isSaved }) => isSaved));
        let entries: CartEntry[] = [];
        try {
          for (const change of datedChanges) {
            entries = await sendChange(api, change, signal);
            markSent(change.titleId);
          }
        } catch (error) {
          // The customer has seen a refusal; a call without an answer may have been cut off by a
          // reload, so its changes stay stored for the next page.
          if (!isUnreachable(toProblem(error))) savePendingChanges([]);
          throw error;
        }
        signalOtherTabs();
        return entries.map(toLine);
      });
    },
  };
};
