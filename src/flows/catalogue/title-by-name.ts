import { titleTypeCodes, TitleSummary, type ListType } from '../../../machines/model/title.ts';
import { xmlAnswer } from '../../client/answer.ts';
import type { Api } from '../../client/client.ts';
import { checked, raise } from '../../client/problem.ts';
import { summaryFields } from '../../client/title-fields.ts';
import { childOf } from '../../client/xml-node.ts';

/** The contract takes no longer names. */
const longestName = 300;

/**
 * The title of a kind whose address ends with a name.
 * @throws Problem `refused not_found` when the store has none.
 */
export const titleByName = async (api: Api, type: ListType, name: string, signal: AbortSignal): Promise<TitleSummary> => {
  const call = 'titles';
  const none = { kind: 'refused', code: 'not_found', message: '' } as const;
  if (name === '' || name.length > longestName) return raise(none);
  const query = { titletype: titleTypeCodes[type], name, limit: 1 };
  const root = await xmlAnswer(api, call, api.client.GET('/titles', { params: { query }, ...api.reading(signal) }), call);
  const node = childOf(root, 'title');
  return node === undefined ? raise(none) : checked(call, TitleSummary, summaryFields(node, api.base), 'titles.0');
};
