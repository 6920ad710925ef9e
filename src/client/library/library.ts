import { type Library, OwnedTitle, PurchaseRecord, Refund } from '../../../machines/model/buying/purchase.ts';
import { titleTypeCodes, type ListType } from '../../../machines/model/catalogue/title.ts';
import type { Base } from '../wire/address.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { toIsoDate } from '../wire/date.ts';
import { fallbackIfMissing } from '../wire/problem.ts';
import { createItemParser } from '../wire/item-parser.ts';
import { getPrice, getSummaryFields } from '../catalogue/title-fields.ts';
import { getChild, getChildren, getFields, getFlag, getItems, getNumber, getText, type XmlNode } from '../wire/xml-node.ts';

const callName = 'user/purchases';
const pageSize = 100;
/**
 * Page limit for a library of 5000 titles; it also stops a server that never ends its list of
 * pages.
 */
const maxPages = 50;

const getOwnedFields = (node: XmlNode, base: Base) => {
  // A copy may contain only its title, with or without an id of the copy.
  const title = getChild(node, 'Title') ?? node;
  const fields = getFields(node, OwnedTitle.entries);
  const progress = Number(fields['progress'] ?? 0);
  return {
    ...fields,
    purchasedAt: toIsoDate(getText(node, 'PurchasedAt')),
    lastOpenedAt: toIsoDate(getText(node, 'LastOpenedAt')) || null,
    // An invalid share counts as 0: the copy is shown as new.
    progress: progress >= 0 && progress <= 1 ? progress : 0,
    instanceId: fields['instanceId'] ?? getText(title, 'TitleId') ?? getText(title, 'Id'),
    title: getSummaryFields(title, base),
  };
};

/** The titles of a library, where a server lists titles instead of copies. */
const getTitleNodes = (root: XmlNode): XmlNode[] => getItems(root, 'titles', 'title');

type CopiesQuery = { titletype: (typeof titleTypeCodes)[ListType]; sort: string };

const requestPage = (api: Api, query: CopiesQuery & { cursor?: string | undefined; limit: number }, signal?: AbortSignal) =>
  api.client.GET('/user/purchases', { params: { query }, ...api.readOptions(signal) });

/** Callbacks for each copy and each page of the library, as they arrive. */
type LibraryCallbacks = { onItem: (node: XmlNode) => void; onPage?: (root: XmlNode) => void };

const readAllCopies = async (
  api: Api,
  query: CopiesQuery,
  { onItem, onPage }: LibraryCallbacks,
  signal?: AbortSignal,
): Promise<void> => {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const responsePromise = requestPage(api, { ...query, cursor, limit: pageSize }, signal);
    const root = await readXmlResponse(api, callName, responsePromise, 'purchases', { item: 'purchase', onItem });
    for (const title of getTitleNodes(root)) onItem(title);
    onPage?.(root);
    const next = getText(root, 'next');
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
};

const getLeft = (root: XmlNode): Library['left'] => {
  const [count, at] = [getNumber(root, 'left') ?? 0, toIsoDate(getText(root, 'leftAt'))];
  return count > 0 && at !== '' ? { count, at } : null;
};

const getRefunds = (api: Api, root: XmlNode): Refund[] => {
  const parser = createItemParser(api, callName, 'refunds', Refund);
  const refunds = getChildren(root, 'refund').flatMap((node) =>
    parser.parse({
      ...getFields(node, Refund.entries),
      purchasedAt: toIsoDate(getText(node, 'PurchasedAt')),
      refundedAt: toIsoDate(getText(node, 'RefundedAt')),
      paid: getPrice(node, 'Amount') ?? null,
    }),
  );
  parser.end();
  return refunds;
};

/**
 * All titles of a type that the customer may read, from all pages of the library, and the recent
 * refunds. `sort` is one of the store's library sort options, or empty.
 */
export const fetchPurchases = async (
  api: Api,
  { type, sort }: { type: ListType; sort: string },
  signal?: AbortSignal,
): Promise<Library> => {
  const ownedTitles: OwnedTitle[] = [];
  let leftTitles: Library['left'] = null;
  const parser = createItemParser(api, callName, 'purchases', OwnedTitle);
  const onItem = (node: XmlNode) => void ownedTitles.push(...parser.parse(getOwnedFields(node, api.base)));
  const refunds: Refund[] = [];
  const onPage = (root: XmlNode) => {
    leftTitles ??= getLeft(root);
    refunds.push(...getRefunds(api, root).filter(({ recent }) => recent));
  };
  await readAllCopies(api, { titletype: titleTypeCodes[type], sort }, { onItem, onPage }, signal).catch((error: unknown) =>
    fallbackIfMissing(error, null),
  );
  parser.end();
  return { titles: ownedTitles, left: leftTitles, ...(refunds.length === 0 ? {} : { refunds }) };
};

/** Number of copies that are fetched as the last opened; finished ones are among them. */
const lastOpenedCount = 24;

/** The titles that the customer opened last, the latest first, from one page of the library. */
export const fetchLastOpened = async (api: Api, signal?: AbortSignal): Promise<OwnedTitle[]> => {
  const query = { titletype: titleTypeCodes.all, sort: 'opened', limit: lastOpenedCount };
  const root = await readXmlResponse(api, callName, requestPage(api, query, signal), 'purchases');
  const parser = createItemParser(api, callName, 'purchases', OwnedTitle);
  const ownedTitles = [...getChildren(root, 'purchase'), ...getTitleNodes(root)].flatMap((node) =>
    parser.parse(getOwnedFields(node, api.base)),
  );
  parser.end();
  return ownedTitles;
};

const getRecordFields = (node: XmlNode) => ({
  ...getFields(node, PurchaseRecord.entries),
  purchasedAt: toIsoDate(getText(node, 'PurchasedAt')),
  titleId: getText(node, 'TitleId') ?? getText(getChild(node, 'Title'), 'TitleId'),
  name: getText(getChild(node, 'Title'), 'Name'),
  transId: getText(node, 'TransId') ?? null,
  paid: getPrice(node, 'Paid') ?? null,
});

/**
 * The titles added to the customer's library with date and price, the latest first; also refunded
 * ones.
 */
export const fetchPurchaseRecords = async (api: Api, signal?: AbortSignal): Promise<PurchaseRecord[]> => {
  const records: PurchaseRecord[] = [];
  const parser = createItemParser(api, callName, 'purchases', PurchaseRecord);
  const onItem = (node: XmlNode) => {
    // A title that a subscription opens was not bought.
    if (!getFlag(node, 'WithSubscription')) records.push(...parser.parse(getRecordFields(node)));
  };
  const onPage = (root: XmlNode) => {
    for (const { titles: _titles, recent: _recent, ...refund } of getRefunds(api, root))
      records.push({ ...refund, instanceId: refund.transId });
  };
  await readAllCopies(api, { titletype: titleTypeCodes.all, sort: 'newest' }, { onItem, onPage }, signal);
  parser.end();
  const getPurchaseTime = ({ purchasedAt }: PurchaseRecord): number => Date.parse(purchasedAt) || 0;
  return records.toSorted((one, other) => getPurchaseTime(other) - getPurchaseTime(one));
};
