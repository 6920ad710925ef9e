import { toSlug } from '../../../machines/model/paths.ts';
import { titleTypeCodes, TitleSummary, type ListType } from '../../../machines/model/catalogue/title.ts';
import { readXmlResponse } from '../../client/wire/xml-response.ts';
import type { Api } from '../../client/wire/client.ts';
import { throwProblem } from '../../client/wire/problem.ts';
import { createItemParser } from '../../client/wire/item-parser.ts';
import { getSummaryFields } from '../../client/catalogue/title-fields.ts';
import { getChildren } from '../../client/wire/xml-node.ts';

/** The contract's maximum length of a name. */
const maxNameChars = 300;

/** Maximum number of requested titles: a server that cannot look up names may return any titles. */
const maxCandidates = 100;

/**
 * Finds the title of a kind whose URL ends with a name; other titles in the server's response are
 * ignored.
 * @throws Problem `refused not_found` if the store has no such title
 */
export const findTitleByName = async (api: Api, type: ListType, name: string, signal: AbortSignal): Promise<TitleSummary> => {
  const call = 'titles';
  const notFound = { kind: 'refused', code: 'not_found', message: '' } as const;
  if (name === '' || name.length > maxNameChars) return throwProblem(notFound);
  const query = { titletype: titleTypeCodes[type], name, limit: maxCandidates };
  const root = await readXmlResponse(
    api,
    call,
    api.client.GET('/titles', { params: { query }, ...api.readOptions(signal) }),
    call,
  );
  const itemParser = createItemParser(api, call, 'titles', TitleSummary);
  const titles = getChildren(root, 'title').flatMap((node) => itemParser.parse(getSummaryFields(node, api.base)));
  const expectedSlug = toSlug(name).toLowerCase();
  const match = titles.find(
    (title) => toSlug(title.name).toLowerCase() === expectedSlug && (type === 'all' || title.type === type),
  );
  return match ?? throwProblem(notFound);
};
