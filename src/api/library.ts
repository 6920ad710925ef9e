import { OwnedTitle } from '../../machines/model/purchase.ts';
import { titleTypeCodes, type ListType } from '../../machines/model/title.ts';
import { xmlAnswer } from './answer.ts';
import type { Api } from './client.ts';
import { checked } from './problem.ts';
import { summaryFields } from './title-fields.ts';
import { childOf, fieldsIn, textIn, type XmlNode } from './xml-node.ts';

const call = 'user/purchases';
const pageSize = 100;
/** A library of five thousand titles ends here, and so does a server that never stops naming a next page. */
const mostPages = 50;

const ownedFields = (node: XmlNode, base: string) => {
  const title = childOf(node, 'Title');
  return { ...fieldsIn(node, OwnedTitle.entries), title: title && summaryFields(title, base) };
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
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const sending = api.client.GET('/user/purchases', {
      params: { query: { titletype: titleTypeCodes[type], sort, cursor, limit: pageSize } },
      ...api.reading(signal),
    });
    const root = await xmlAnswer(call, sending, 'purchases', { item: 'purchase', onItem });
    const next = textIn(root, 'next');
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return owned;
};
