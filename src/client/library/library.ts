import { type Library, OwnedTitle, PurchaseRecord, Refund } from '../../../machines/model/buying/purchase.ts';
import { titleTypeCodes, type ListType } from '../../../machines/model/catalogue/title.ts';
import type { Base } from '../wire/address.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { isoDate } from '../wire/date.ts';
import { orWhenMissing } from '../wire/problem.ts';
import { sieve } from '../wire/sieve.ts';
import { priceIn, summaryFields } from '../catalogue/title-fields.ts';
import { childOf, childrenOf, fieldsIn, flagIn, itemsOf, numberIn, textIn, type XmlNode } from '../wire/xml-node.ts';

const call = 'user/purchases';
const pageSize = 100;
/** A library of five thousand titles ends here, and so does a server that never stops naming a next page. */
const mostPages = 50;

const ownedFields = (node: XmlNode, base: Base) => {
  // A copy may be no more than its title, with or without a number of its own.
  const title = childOf(node, 'Title') ?? node;
  const fields = fieldsIn(node, OwnedTitle.entries);
  const progress = Number(fields['progress'] ?? 0);
  return {
    ...fields,
    purchasedAt: isoDate(textIn(node, 'PurchasedAt')),
    lastOpenedAt: isoDate(textIn(node, 'LastOpenedAt')) || null,
    // A share beyond the whole is no share: the copy counts as new.
    progress: progress >= 0 && progress <= 1 ? progress : 0,
    instanceId: fields['instanceId'] ?? textIn(title, 'TitleId') ?? textIn(title, 'Id'),
    title: summaryFields(title, base),
  };
};

/** Another server may list the titles themselves. */
const titlesIn = (root: XmlNode): XmlNode[] => itemsOf(root, 'titles', 'title');

type CopiesQuery = { titletype: (typeof titleTypeCodes)[ListType]; sort: string };

const copiesPage = (api: Api, query: CopiesQuery & { cursor?: string | undefined; limit: number }, signal?: AbortSignal) =>
  api.client.GET('/user/purchases', { params: { query }, ...api.reading(signal) });

/** All pages of the library, each copy as it arrives. */
type Told = { onItem: (node: XmlNode) => void; onPage?: (root: XmlNode) => void };

const eachCopy = async (api: Api, query: CopiesQuery, { onItem, onPage }: Told, signal?: AbortSignal): Promise<void> => {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const sending = copiesPage(api, { ...query, cursor, limit: pageSize }, signal);
    const root = await xmlAnswer(api, call, sending, 'purchases', { item: 'purchase', onItem });
    for (const title of titlesIn(root)) onItem(title);
    onPage?.(root);
    const next = textIn(root, 'next');
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
};

const leftOf = (root: XmlNode): Library['left'] => {
  const [count, at] = [numberIn(root, 'left') ?? 0, isoDate(textIn(root, 'leftAt'))];
  return count > 0 && at !== '' ? { count, at } : null;
};

const refundsOf = (api: Api, root: XmlNode): Refund[] => {
  const readable = sieve(api, call, 'refunds', Refund);
  const refunds = childrenOf(root, 'refund').flatMap((node) =>
    readable.take({
      ...fieldsIn(node, Refund.entries),
      purchasedAt: isoDate(textIn(node, 'PurchasedAt')),
      refundedAt: isoDate(textIn(node, 'RefundedAt')),
      paid: priceIn(node, 'Amount') ?? null,
    }),
  );
  readable.end();
  return refunds;
};

/** Everything that the customer may read, page after page. `sort` is a value of the store's library sort options or empty. */
export const purchases = async (
  api: Api,
  { type, sort }: { type: ListType; sort: string },
  signal?: AbortSignal,
): Promise<Library> => {
  const owned: OwnedTitle[] = [];
  let left: Library['left'] = null;
  const readable = sieve(api, call, 'purchases', OwnedTitle);
  const onItem = (node: XmlNode) => void owned.push(...readable.take(ownedFields(node, api.base)));
  const refunds: Refund[] = [];
  const onPage = (root: XmlNode) => {
    left ??= leftOf(root);
    refunds.push(...refundsOf(api, root).filter(({ recent }) => recent));
  };
  await eachCopy(api, { titletype: titleTypeCodes[type], sort }, { onItem, onPage }, signal).catch((error: unknown) =>
    orWhenMissing(error, null),
  );
  readable.end();
  return { titles: owned, left, ...(refunds.length === 0 ? {} : { refunds }) };
};

/** Copies that are looked at for what was opened last: what is finished stands among them. */
const lastOpenedSize = 24;

/** What the customer opened last, the latest first, as far as one page of the library tells. */
export const lastOpened = async (api: Api, signal?: AbortSignal): Promise<OwnedTitle[]> => {
  const query = { titletype: titleTypeCodes.all, sort: 'opened', limit: lastOpenedSize };
  const root = await xmlAnswer(api, call, copiesPage(api, query, signal), 'purchases');
  const readable = sieve(api, call, 'purchases', OwnedTitle);
  const owned = [...childrenOf(root, 'purchase'), ...titlesIn(root)].flatMap((node) =>
    readable.take(ownedFields(node, api.base)),
  );
  readable.end();
  return owned;
};

const recordFields = (node: XmlNode) => ({
  ...fieldsIn(node, PurchaseRecord.entries),
  purchasedAt: isoDate(textIn(node, 'PurchasedAt')),
  titleId: textIn(node, 'TitleId') ?? textIn(childOf(node, 'Title'), 'TitleId'),
  name: textIn(childOf(node, 'Title'), 'Name'),
  transId: textIn(node, 'TransId') ?? null,
  paid: priceIn(node, 'Paid') ?? null,
});

/** What came into the customer's library, when and for how much, the latest first; also what has left it with its money. */
export const purchaseRecords = async (api: Api, signal?: AbortSignal): Promise<PurchaseRecord[]> => {
  const records: PurchaseRecord[] = [];
  const readable = sieve(api, call, 'purchases', PurchaseRecord);
  const onItem = (node: XmlNode) => {
    // What a subscription opens has not been bought.
    if (!flagIn(node, 'WithSubscription')) records.push(...readable.take(recordFields(node)));
  };
  const onPage = (root: XmlNode) => {
    for (const { titles: _titles, recent: _recent, ...refund } of refundsOf(api, root))
      records.push({ ...refund, instanceId: refund.transId });
  };
  await eachCopy(api, { titletype: titleTypeCodes.all, sort: 'newest' }, { onItem, onPage }, signal);
  readable.end();
  const inMilliseconds = ({ purchasedAt }: PurchaseRecord): number => Date.parse(purchasedAt) || 0;
  return records.toSorted((one, other) => inMilliseconds(other) - inMilliseconds(one));
};
