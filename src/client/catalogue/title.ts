import { toIsbn13 } from '../../../machines/model/catalogue/isbn.ts';
import { Title } from '../../../machines/model/catalogue/title.ts';
import type { Base } from '../wire/address.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { isoDate } from '../wire/date.ts';
import { checked, raise } from '../wire/problem.ts';
import { summaryFields, textsIn } from './title-fields.ts';
import { childOf, fieldsIn, itemsOf, numberIn, textIn, type XmlNode } from '../wire/xml-node.ts';

const seriesIn = (node: XmlNode) => {
  const series = childOf(node, 'Series');
  // A server may put nothing but the name there.
  const name = (series && textIn(series, 'Name')) ?? textIn(node, 'Series');
  if (series === undefined || name === undefined || name.trim() === '') return null;
  const number = numberIn(series, 'Number') ?? Number.NaN;
  const titles = numberIn(series, 'Titles') ?? 0;
  return { name: name.trim(), number: Number.isFinite(number) ? number : null, titles: Number.isInteger(titles) ? titles : 0 };
};

/** The fields of a title with all that its own page shows. */
const titleFields = (node: XmlNode, base: Base) => ({
  ...fieldsIn(node, Title.entries),
  ...summaryFields(node, base),
  narrators: textsIn(node, 'Narrators', 'Narrator'),
  publishedDate: isoDate(textIn(node, 'PublishedDate')),
  series: seriesIn(node),
  categories: itemsOf(node, 'Categories', 'Category')
    .map((each) => ({ id: textIn(each, 'Id'), name: textIn(each, 'Name') }))
    .filter(({ id, name }) => id !== undefined && name !== undefined),
});

/** What the contract takes as an id. */
export const idShape = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** Ids come out of addresses that people type: what the contract would refuse is no title. */
const oneTitle = async (api: Api, call: string, fits: boolean, send: () => Promise<{ response: Response }>): Promise<Title> =>
  fits
    ? checked(call, Title, titleFields(await xmlAnswer(api, call, send(), 'title'), api.base))
    : raise({ kind: 'refused', code: 'not_found', message: '' });

/** @throws Problem `refused not_found` for a title that the store does not have. */
export const titleById = (api: Api, titleId: string, signal?: AbortSignal): Promise<Title> =>
  oneTitle(api, 'titles/{titleId}', idShape.test(titleId), () =>
    api.client.GET('/titles/{titleId}', { params: { path: { titleId } }, ...api.reading(signal) }),
  );

/** @param text ISBN-10 or ISBN-13, hyphens allowed: the server is asked by the latter, and not at all for what is none. */
export const titleByIsbn = (api: Api, text: string, signal?: AbortSignal): Promise<Title> => {
  const isbn = toIsbn13(text) ?? '';
  return oneTitle(api, 'titles/isbn/{isbn}', isbn !== '', () =>
    api.client.GET('/titles/isbn/{isbn}', { params: { path: { isbn } }, ...api.reading(signal) }),
  );
};
