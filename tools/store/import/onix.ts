import { createReadStream } from 'node:fs';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import { toIsbn13 } from '../../../server/catalogue/isbn.ts';
import { readAmounts } from '../../../server/importing/amounts.ts';
import type { ImportedTitle } from '../../../server/importing/imported-title.ts';
import { toLanguageTag } from '../../../server/importing/language-tag.ts';
import { parseXml, getText, type XmlElement } from '../../../server/publication/xml-tree.ts';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { getChildren, getChild, getValue } from './onix-tags.ts';
import { toHtml } from './onix-html.ts';

/** The metadata of a title in a message; missing fields are absent. */
export type OnixTitle = Partial<
  Pick<
    ImportedTitle,
    'name' | 'subtitle' | 'isbn13' | 'authors' | 'narrators' | 'publisher' | 'language' | 'series' | 'publishedOn' | 'description'
  >
> & {
  reference: string;
  /**
   * Consumer prices, one per currency, joined into a text such as `4.99EUR,5.49USD`; `parsePrices`
   * validates them.
   */
  pricesText?: string;
  /** subjects, in words */
  subjects?: string[];
};

/** Titles by ISBN-13 and by the sender's reference; `broken` is the number of unreadable titles. */
export type OnixTitles = {
  find: (names: { isbn13: string | undefined; reference: string }) => OnixTitle | undefined;
  count: number;
  broken: number;
};

/** Maximum length of a product in characters; long ones include the full text. */
const MAX_PRODUCT_CHARS = 4 * 2 ** 20;
const MAX_PRODUCTS = 500_000;

const MAX_LINE_CHARS = 500;
const cleanLine = (text: string): string | undefined => {
  const cleanedText = [...text.toWellFormed().replaceAll('\u0000', '')]
    .slice(0, MAX_LINE_CHARS)
    .join('')
    .slice(0, MAX_LINE_CHARS)
    .toWellFormed()
    .trim();
  return cleanedText === '' ? undefined : cleanedText;
};

/**
 * Streams the products of a message, each as a separate piece of XML: a publisher's catalogue may
 * not fit into memory.
 */
async function* readProducts(file: string): AsyncGenerator<string> {
  let text = '';
  const stream = createReadStream(file, 'utf8');
  stream.setMaxListeners(0);
  for await (const chunk of stream) {
    text += chunk as string;
    for (;;) {
      const start = /<product(?=[\s>])/i.exec(text)?.index ?? -1;
      // The end of the text may be the beginning of a tag.
      if (start < 0) text = text.slice(-16);
      const end = start < 0 ? null : /<\/product\s*>/i.exec(text.slice(start));
      if (end === null) break;
      const productEnd = start + end.index + end[0].length;
      yield text.slice(start, productEnd);
      text = text.slice(productEnd);
    }
    if (text.length > MAX_PRODUCT_CHARS)
      throw new BadOperation(`A product of the ONIX message ${file} is longer than 4 MB, or has no end.`);
  }
}

/**
 * Reads ONIX 3.0, with reference names or short tags. Loads no external resources, and expands only
 * HTML entities.
 * @throws BadOperation if the file is unreadable or not ONIX
 */
export async function readOnix(file: string): Promise<OnixTitles> {
  const byIsbn = new Map<string, OnixTitle>();
  const byReference = new Map<string, OnixTitle>();
  let broken = 0;
  try {
    for await (const xml of readProducts(file)) {
      const title = parseProduct(xml);
      if (title === undefined) broken += 1;
      if (title?.isbn13 !== undefined) byIsbn.set(title.isbn13, title);
      if (title !== undefined && title.reference !== '') byReference.set(title.reference, title);
      if (byReference.size > MAX_PRODUCTS)
        throw new BadOperation(`The ONIX message ${file} has more than ${MAX_PRODUCTS} products.`);
    }
  } catch (error) {
    if (error instanceof BadOperation) throw error;
    throw new BadOperation(`The ONIX message ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (byIsbn.size + byReference.size === 0) throw new BadOperation(`The file ${file} contains no ONIX 3.0 products.`);
  return {
    find: ({ isbn13, reference }) => (isbn13 === undefined ? undefined : byIsbn.get(isbn13)) ?? byReference.get(reference),
    count: Math.max(byIsbn.size, byReference.size),
    broken,
  };
}

/** Omits undefined and empty values. */
const omitEmpty = <Value extends object>(value: Value) =>
  Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined && !(Array.isArray(each) && each.length === 0)),
  );

function parseProduct(xml: string): OnixTitle | undefined {
  try {
    const product = parseXml(xml, 'the product');
    const detail = getChild(product, 'DescriptiveDetail');
    const publishing = getChild(product, 'PublishingDetail');
    const isbn13 = getChildren(product, 'ProductIdentifier')
      .filter((each) => ['02', '03', '15'].includes(getValue(each, 'ProductIDType')))
      .map((each) => toIsbn13(getValue(each, 'IDValue')))
      .find((each) => each !== undefined);
    return {
      reference: getValue(product, 'RecordReference'),
      ...omitEmpty({
        isbn13,
        ...getTitle(detail),
        authors: getNames(detail, ['A01'], /^A/),
        narrators: getNames(detail, ['E07', 'E03']),
        publisher: getPublisher(publishing),
        language: toLanguageTag(
          getChildren(detail, 'Language')
            .filter((each) => getValue(each, 'LanguageRole') === '01')
            .map((each) => getValue(each, 'LanguageCode'))[0],
        ),
        series: getSeries(detail),
        subjects: getSubjects(detail),
        publishedOn: getPublicationDay(publishing),
        description: getDescription(product),
        pricesText: readPricesText(product),
      }),
    };
  } catch (error) {
    if (error instanceof BrokenPublication) return undefined;
    throw error;
  }
}

/** A title with its article, if that is a separate element. */
function getName(element: XmlElement | undefined): string | undefined {
  const titleText = getValue(element, 'TitleText');
  return cleanLine(
    titleText === '' ? `${getValue(element, 'TitlePrefix')} ${getValue(element, 'TitleWithoutPrefix')}` : titleText,
  );
}

const findElement = (parent: XmlElement | undefined, level: string): XmlElement | undefined =>
  getChildren(parent, 'TitleElement').find((each) => getValue(each, 'TitleElementLevel') === level);

function getTitle(detail: XmlElement | undefined): { name?: string | undefined; subtitle?: string | undefined } {
  const element = findElement(
    getChildren(detail, 'TitleDetail').find((each) => getValue(each, 'TitleType') === '01'),
    '01',
  );
  return { name: getName(element), subtitle: cleanLine(getValue(element, 'Subtitle')) };
}

function getNames(detail: XmlElement | undefined, roles: string[], fallback?: RegExp): string[] {
  const contributors = getChildren(detail, 'Contributor').toSorted(
    (a, b) => Number(getValue(a, 'SequenceNumber') || 0) - Number(getValue(b, 'SequenceNumber') || 0),
  );
  const filterByRole = (matches: (role: string) => boolean): XmlElement[] =>
    contributors.filter((each) => getChildren(each, 'ContributorRole').some((role) => matches(getText(role))));
  const exactMatches = filterByRole((role) => roles.includes(role));
  const selectedContributors =
    exactMatches.length > 0 || fallback === undefined ? exactMatches : filterByRole((role) => fallback.test(role));
  return selectedContributors
    .flatMap((each) => {
      const personName =
        getValue(each, 'PersonName') || `${getValue(each, 'NamesBeforeKey')} ${getValue(each, 'KeyNames')}`.trim();
      return cleanLine(personName || getValue(each, 'CorporateName')) ?? [];
    })
    .slice(0, 50);
}

function getPublisher(publishing: XmlElement | undefined): string | undefined {
  const mainPublisher = getChildren(publishing, 'Publisher').find((each) => getValue(each, 'PublishingRole') === '01');
  return (
    cleanLine(getValue(mainPublisher, 'PublisherName')) ?? cleanLine(getValue(getChild(publishing, 'Imprint'), 'ImprintName'))
  );
}

function getSeries(detail: XmlElement | undefined): OnixTitle['series'] {
  const [collection] = getChildren(detail, 'Collection');
  const title = getChild(collection, 'TitleDetail');
  const name = getName(findElement(title, '02'));
  if (name === undefined) return undefined;
  const number = Number.parseFloat(
    getChildren(title, 'TitleElement')
      .map((each) => getValue(each, 'PartNumber'))
      .find((each) => each !== '') ?? '',
  );
  return number >= 0 && number <= 1_000_000 ? { name, number } : { name };
}

/**
 * Subject headings, the main ones first. Codes without text and keyword lists are not usable as
 * categories.
 */
function getSubjects(detail: XmlElement | undefined): string[] {
  const KEYWORDS = '20';
  const headings = getChildren(detail, 'Subject')
    .filter((each) => getValue(each, 'SubjectSchemeIdentifier') !== KEYWORDS)
    .toSorted((a, b) => Number(getChild(b, 'MainSubject') !== undefined) - Number(getChild(a, 'MainSubject') !== undefined))
    .flatMap((each) => cleanLine(getValue(each, 'SubjectHeadingText')) ?? []);
  return [...new Set(headings)];
}

/** The publication date, as `2024-03-01`, `2024-03` or `2024`. */
function getPublicationDay(publishing: XmlElement | undefined): string | undefined {
  const date = getChildren(publishing, 'PublishingDate').find((each) =>
    ['01', '11'].includes(getValue(each, 'PublishingDateRole')),
  );
  const [, year, month, day] =
    /^(\d{4})(0[1-9]|1[0-2])?(0[1-9]|[12]\d|3[01])?/.exec(getValue(date, 'Date').replaceAll('-', '')) ?? [];
  return year === undefined ? undefined : [year, month, day].filter((part) => part !== undefined).join('-');
}

/** The description, else the short one, else one of the sender's own type. */
function getDescription(product: XmlElement): string | undefined {
  const texts = getChildren(getChild(product, 'CollateralDetail'), 'TextContent');
  const findByType = (type: string): XmlElement | undefined => texts.find((each) => getValue(each, 'TextType') === type);
  const text = getChild(findByType('03') ?? findByType('02') ?? findByType('01'), 'Text');
  const html = text && toHtml(text).slice(0, 50_000).toWellFormed().trim();
  return html === '' ? undefined : html;
}

/** Consumer prices, one per currency; including tax if both are given. */
function readPricesText(product: XmlElement): string | undefined {
  const prices = getChildren(product, 'ProductSupply')
    .flatMap((each) => getChildren(each, 'SupplyDetail'))
    .flatMap((each) => getChildren(each, 'Price'))
    .map((each) => ({
      type: getValue(each, 'PriceType'),
      amount: getValue(each, 'PriceAmount'),
      currency: getValue(each, 'CurrencyCode'),
    }))
    .filter(({ type, amount }) => ['01', '02', '41', '42', ''].includes(type) && amount !== '');
  const isTaxed = (type: string): boolean => type === '02' || type === '42';
  const byCurrency = Map.groupBy(prices, ({ currency }) => currency);
  const amounts = [...byCurrency].flatMap(([currency, currencyPrices]) => {
    const price = currencyPrices.find(({ type }) => isTaxed(type)) ?? currencyPrices[0];
    return price === undefined ? [] : [`${price.amount}${currency}`];
  });
  return amounts.length === 0 ? undefined : amounts.join(',');
}

/** The prices of a title. @throws BadOperation for an amount that is invalid in its currency */
export const parsePrices = ({
  reference,
  pricesText,
}: Pick<OnixTitle, 'reference' | 'pricesText'>): Pick<ImportedTitle, 'prices'> =>
  pricesText === undefined ? {} : { prices: readAmounts(pricesText, `ONIX product ${reference}`) };
