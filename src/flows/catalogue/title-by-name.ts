import { slug } from '../../../machines/model/paths.ts';
import { titleTypeCodes, TitleSummary, type ListType } from '../../../machines/model/catalogue/title.ts';
import { readXmlResponse } from '../../client/wire/xml-response.ts';
import type { Api } from '../../client/wire/client.ts';
import { throwProblem } from '../../client/wire/problem.ts';
import { createItemParser } from '../../client/wire/sieve.ts';
import { getSummaryFields } from '../../client/catalogue/title-fields.ts';
import { getChildren } from '../../client/wire/xml-node.ts';

/** The contract's maximum length of a name. */
const maxNameChars = 300;

/** Limits the search: a server that cannot look up names may answer with any titles. */
const maxCandidates = 100;

/**
 * The title of a kind whose address ends with a name; other titles in the server's answer are
 * ignored.
 * @throws Problem `refused not_found` when the store has none.
 */
export const findTitleByName = async (api: Api, type: ListType, name: string, signal: AbortSignal): Promise<TitleSummary> => {
  const call = 'titles';
  const none = { kind: 'refused', code: 'not_found', message: '' } as const;
  if (name === '' || name.length > maxNameChars) return throwProblem(none);
  const query = { titletype: titleTypeCodes[type], name, limit: maxCandidates };
  const root = await readXmlResponse(
    api,
    call,
    api.client.GET('/titles', { params: { query }, ...api.readOptions(signal) }),
    call,
  );
  const readable = createItemParser(api, call, 'titles', TitleSummary);
  const titles = getChildren(root, 'title').flatMap((node) => readable.parse(getSummaryFields(node, api.base)));
  const wanted = slug(name).toLowerCase();
  const found = titles.find((title) => slug(title.name).toLowerCase() === wanted && (type === 'all' || title.type === type));
  return found ?? throwProblem(none);
};
