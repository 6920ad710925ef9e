import { OwnedTitle, PurchaseRecord } from '../../machines/model/purchase.ts';
import { titleTypeCodes, type ListType } from '../../machines/model/title.ts';
import { xmlAnswer } from './answer.ts';
import type { Api } from './client.ts';
import { checked } from './problem.ts';
import { summaryFields } from './title-fields.ts';
import { childOf, fieldsIn, numberIn, textIn, type XmlNode } from './xml-node.ts';

const call = 'user/purchases';
const pageSize = 100;
/** A library of five thousand titles ends here, and so does a server that never stops naming a next page. */
const mostPages = 50;

const ownedFields = (node: XmlNode, base: string) => {
  const title = childOf(node, 'Title');
  return { ...fieldsIn(node, OwnedTitle.entries), title: title && summaryFields(title, base) };
};

/** All pages of the library, each copy as it arrives. */
const eachCopy = async (
  api: Api,
  query: { titletype: (typeof titleTypeCodes)[ListType]; sort: string },
  onItem: (node: XmlNode) => void,
  signal?: AbortSignal,
): Promise<void> => {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const sending = api.client.GET('/user/purchases', {
      params: { query: { ...query, cursor, limit: pageSize } },
      ...api.reading(signal),
    });
    const root = await xmlAnswer(api, call, sending, 'purchases', { item: 'purchase', onItem });
    const next = textIn(root, 'next');
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
};

/** Everything that the customer owns, page after page. `sort` is a value of the store's library sort options or empty. */
export const purchases = async (
  api: Api,
  { type, sort }: { type: ListType; sort: string },
  signal?: AbortSignal,
): Promise<OwnedTitle[]> => {
  const owned: OwnedTitle[] = [];
  const onItem = (node: XmlNode) => {
    owned.push(checked(call, OwnedTitle, ownedFields(node, api.base), `purchases.${owned.length}`));
  };
  await eachCopy(api, { titletype: titleTypeCodes[type], sort }, onItem, signal);
  return owned;
};

const recordFields = (node: XmlNode) => ({
  ...fieldsIn(node, PurchaseRecord.entries),
  name: textIn(childOf(node, 'Title'), 'Name'),
  paid:
    textIn(node, 'Paid') === undefined
      ? null
      : {
          amount: numberIn(node, 'Paid'),
          currency: textIn(node, 'Currency') ?? '',
          symbol: textIn(node, 'CurrencySymbol') ?? '',
        },
});

/** What came into the customer's library, when and for how much, the latest first. */
export const purchaseRecords = async (api: Api, signal?: AbortSignal): Promise<PurchaseRecord[]> => {
  const records: PurchaseRecord[] = [];
  const onItem = (node: XmlNode) => {
    records.push(checked(call, PurchaseRecord, recordFields(node), `purchases.${records.length}`));
  };
  await eachCopy(api, { titletype: titleTypeCodes.all, sort: 'newest' }, onItem, signal);
  return records;
};
