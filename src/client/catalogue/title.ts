import { toIsbn13 } from '../../../machines/model/catalogue/isbn.ts';
import { Title } from '../../../machines/model/catalogue/title.ts';
import type { Base } from '../wire/address.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { toIsoDate } from '../wire/date.ts';
import { validate, throwProblem } from '../wire/problem.ts';
import { getSummaryFields, getTexts } from './title-fields.ts';
import { getChild, getFields, getItems, getNumber, getText, type XmlNode } from '../wire/xml-node.ts';

const getSeries = (node: XmlNode) => {
  const series = getChild(node, 'Series');
  // A server may send only the name there.
  const name = (series && getText(series, 'Name')) ?? getText(node, 'Series');
  if (series === undefined || name === undefined || name.trim() === '') return null;
  const number = getNumber(series, 'Number') ?? Number.NaN;
  const titles = getNumber(series, 'Titles') ?? 0;
  return { name: name.trim(), number: Number.isFinite(number) ? number : null, titles: Number.isInteger(titles) ? titles : 0 };
};

/** The fields of a title including those that only its own page shows. */
const getTitleFields = (node: XmlNode, base: Base) => ({
  ...getFields(node, Title.entries),
  ...getSummaryFields(node, base),
  narrators: getTexts(node, 'Narrators', 'Narrator'),
  publishedDate: toIsoDate(getText(node, 'PublishedDate')),
  series: getSeries(node),
  categories: getItems(node, 'Categories', 'Category')
    .map((each) => ({ id: getText(each, 'Id'), name: getText(each, 'Name') }))
    .filter(({ id, name }) => id !== undefined && name !== undefined),
});

/** The format of an id in the contract. */
export const idPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/**
 * Fetches a title if its id is valid. Ids come from URLs that customers type: an id that the
 * contract would refuse counts as not found, without a call.
 */
const fetchTitleIfValid = async (
  api: Api,
  call: string,
  isValid: boolean,
  send: () => Promise<{ response: Response }>,
): Promise<Title> =>
  isValid
    ? validate(call, Title, getTitleFields(await readXmlResponse(api, call, send(), 'title'), api.base))
    : throwProblem({ kind: 'refused', code: 'not_found', message: '' });

/** @throws Problem `refused not_found` for a title that the store does not have. */
export const fetchTitle = (api: Api, titleId: string, signal?: AbortSignal): Promise<Title> =>
  fetchTitleIfValid(api, 'titles/{titleId}', idPattern.test(titleId), () =>
    api.client.GET('/titles/{titleId}', { params: { path: { titleId } }, ...api.readOptions(signal) }),
  );

/**
 * Fetches a title by its ISBN.
 * @param text ISBN-10 or ISBN-13, hyphens allowed; sent as ISBN-13. An invalid one counts as not
 * found, without a call.
 */
export const fetchTitleByIsbn = (api: Api, text: string, signal?: AbortSignal): Promise<Title> => {
  const isbn = toIsbn13(text) ?? '';
  return fetchTitleIfValid(api, 'titles/isbn/{isbn}', isbn !== '', () =>
    api.client.GET('/titles/isbn/{isbn}', { params: { path: { isbn } }, ...api.readOptions(signal) }),
  );
};
