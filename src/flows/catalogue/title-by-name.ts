import { slug } from '../../../machines/model/paths.ts';
import { titleTypeCodes, TitleSummary, type ListType } from '../../../machines/model/catalogue/title.ts';
import { xmlAnswer } from '../../client/wire/answer.ts';
import type { Api } from '../../client/wire/client.ts';
import { raise } from '../../client/wire/problem.ts';
import { sieve } from '../../client/wire/sieve.ts';
import { summaryFields } from '../../client/catalogue/title-fields.ts';
import { childrenOf } from '../../client/wire/xml-node.ts';

/** The contract takes no longer names. */
const longestName = 300;

/** A server may not know how to look for a name, and answer with whatever it has. */
const mostLookedAt = 100;

/**
 * The title of a kind whose address ends with a name; never another one, whatever the server answers with.
 * @throws Problem `refused not_found` when the store has none.
 */
export const titleByName = async (api: Api, type: ListType, name: string, signal: AbortSignal): Promise<TitleSummary> => {
  const call = 'titles';
  const none = { kind: 'refused', code: 'not_found', message: '' } as const;
  if (name === '' || name.length > longestName) return raise(none);
  const query = { titletype: titleTypeCodes[type], name, limit: mostLookedAt };
  const root = await xmlAnswer(api, call, api.client.GET('/titles', { params: { query }, ...api.reading(signal) }), call);
  const readable = sieve(api, call, 'titles', TitleSummary);
  const titles = childrenOf(root, 'title').flatMap((node) => readable.take(summaryFields(node, api.base)));
  const wanted = slug(name).toLowerCase();
  const found = titles.find((title) => slug(title.name).toLowerCase() === wanted && (type === 'all' || title.type === type));
  return found ?? raise(none);
};
