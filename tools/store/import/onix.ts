import { createReadStream } from 'node:fs';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import { toIsbn13 } from '../../../server/catalogue/isbn.ts';
import { readAmounts } from '../../../server/importing/amounts.ts';
import type { ImportedTitle } from '../../../server/importing/imported-title.ts';
import { toLanguageTag } from '../../../server/importing/language-tag.ts';
import { parseXml, textOf, type XmlElement } from '../../../server/publication/xml-tree.ts';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { childrenOf, childOf, valueIn } from './onix-tags.ts';
import { onixHtml } from './onix-html.ts';

/** What a message says of a title; what it leaves out is not there. */
export type OnixTitle = Partial<
  Pick<
    ImportedTitle,
    'name' | 'subtitle' | 'isbn13' | 'authors' | 'narrators' | 'publisher' | 'language' | 'series' | 'publishedOn' | 'description'
  >
> & {
  reference: string;
  /** Prices to consumers, as the message writes them: `4.99EUR,5.49USD`; `pricesIn` reads them. */
  pricesText?: string;
  /** what it is about, in words */
  subjects?: string[];
};

/** Titles by ISBN-13 and by the sender's reference; `broken` counts those that cannot be read. */
export type OnixTitles = {
  find: (names: { isbn13: string | undefined; reference: string }) => OnixTitle | undefined;
  count: number;
  broken: number;
};

/** Characters of one product; long ones have their whole text in them. */
const LONGEST_PRODUCT = 4 * 2 ** 20;
const MOST_PRODUCTS = 500_000;

const LONGEST_LINE = 500;
const line = (text: string): string | undefined => {
  const cut = [...text.toWellFormed().replaceAll('\u0000', '')]
    .slice(0, LONGEST_LINE)
    .join('')
    .slice(0, LONGEST_LINE)
    .toWellFormed()
    .trim();
  return cut === '' ? undefined : cut;
};

/** The products of messages, each as its own piece of XML: a catalogue of a publisher is larger than memory should be. */
async function* products(file: string): AsyncGenerator<string> {
  let text = '';
  const reading = createReadStream(file, 'utf8');
  reading.setMaxListeners(0);
  for await (const chunk of reading) {
    text += chunk as string;
    for (;;) {
      const start = /<product(?=[\s>])/i.exec(text)?.index ?? -1;
      // The beginning of a tag may still come.
      if (start < 0) text = text.slice(-16);
      const end = start < 0 ? null : /<\/product\s*>/i.exec(text.slice(start));
      if (end === null) break;
      const after = start + end.index + end[0].length;
      yield text.slice(start, after);
      text = text.slice(after);
    }
    if (text.length > LONGEST_PRODUCT)
      throw new BadOperation(`A product of the ONIX message ${file} is longer than 4 MB, or has no end.`);
  }
}

/**
 * Reads ONIX 3.0, in reference names or short tags. Nothing outside of the file is loaded, and no entity is expanded but those of HTML.
 * @throws BadOperation when it cannot be read, or is no ONIX
 */
export async function readOnix(file: string): Promise<OnixTitles> {
  const byIsbn = new Map<string, OnixTitle>();
  const byReference = new Map<string, OnixTitle>();
  let broken = 0;
  try {
    for await (const xml of products(file)) {
      const title = productOf(xml);
      if (title === undefined) broken += 1;
      if (title?.isbn13 !== undefined) byIsbn.set(title.isbn13, title);
      if (title !== undefined && title.reference !== '') byReference.set(title.reference, title);
      if (byReference.size > MOST_PRODUCTS)
        throw new BadOperation(`The ONIX message ${file} has more than ${MOST_PRODUCTS} products.`);
    }
  } catch (error) {
    if (error instanceof BadOperation) throw error;
    throw new BadOperation(`The ONIX message ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (byIsbn.size + byReference.size === 0) throw new BadOperation(`The file ${file} has no products of ONIX 3.0.`);
  return {
    find: ({ isbn13, reference }) => (isbn13 === undefined ? undefined : byIsbn.get(isbn13)) ?? byReference.get(reference),
    count: Math.max(byIsbn.size, byReference.size),
    broken,
  };
}

/** Leaves out what there is nothing to say of. */
const said = <Value extends object>(value: Value) =>
  Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined && !(Array.isArray(each) && each.length === 0)),
  );

function productOf(xml: string): OnixTitle | undefined {
  try {
    const product = parseXml(xml, 'the product');
    const detail = childOf(product, 'DescriptiveDetail');
    const publishing = childOf(product, 'PublishingDetail');
    const isbn13 = childrenOf(product, 'ProductIdentifier')
      .filter((each) => ['02', '03', '15'].includes(valueIn(each, 'ProductIDType')))
      .map((each) => toIsbn13(valueIn(each, 'IDValue')))
      .find((each) => each !== undefined);
    return {
      reference: valueIn(product, 'RecordReference'),
      ...said({
        isbn13,
        ...titleOf(detail),
        authors: namesOf(detail, ['A01'], /^A/),
        narrators: namesOf(detail, ['E07', 'E03']),
        publisher: publisherOf(publishing),
        language: toLanguageTag(
          childrenOf(detail, 'Language')
            .filter((each) => valueIn(each, 'LanguageRole') === '01')
            .map((each) => valueIn(each, 'LanguageCode'))[0],
        ),
        series: seriesOf(detail),
        subjects: subjectsOf(detail),
        publishedOn: publishedOn(publishing),
        description: descriptionOf(product),
        pricesText: pricesOf(product),
      }),
    };
  } catch (error) {
    if (error instanceof BrokenPublication) return undefined;
    throw error;
  }
}

/** A name with the article before it, where that stands apart. */
function nameIn(element: XmlElement | undefined): string | undefined {
  const whole = valueIn(element, 'TitleText');
  return line(whole === '' ? `${valueIn(element, 'TitlePrefix')} ${valueIn(element, 'TitleWithoutPrefix')}` : whole);
}

const elementOfLevel = (of: XmlElement | undefined, level: string): XmlElement | undefined =>
  childrenOf(of, 'TitleElement').find((each) => valueIn(each, 'TitleElementLevel') === level);

function titleOf(detail: XmlElement | undefined): { name?: string | undefined; subtitle?: string | undefined } {
  const element = elementOfLevel(
    childrenOf(detail, 'TitleDetail').find((each) => valueIn(each, 'TitleType') === '01'),
    '01',
  );
  return { name: nameIn(element), subtitle: line(valueIn(element, 'Subtitle')) };
}

function namesOf(detail: XmlElement | undefined, roles: string[], otherwise?: RegExp): string[] {
  const all = childrenOf(detail, 'Contributor').toSorted(
    (a, b) => Number(valueIn(a, 'SequenceNumber') || 0) - Number(valueIn(b, 'SequenceNumber') || 0),
  );
  const inRole = (fits: (role: string) => boolean): XmlElement[] =>
    all.filter((each) => childrenOf(each, 'ContributorRole').some((role) => fits(textOf(role))));
  const exact = inRole((role) => roles.includes(role));
  const chosen = exact.length > 0 || otherwise === undefined ? exact : inRole((role) => otherwise.test(role));
  return chosen
    .flatMap((each) => {
      const whole = valueIn(each, 'PersonName') || `${valueIn(each, 'NamesBeforeKey')} ${valueIn(each, 'KeyNames')}`.trim();
      return line(whole || valueIn(each, 'CorporateName')) ?? [];
    })
    .slice(0, 50);
}

function publisherOf(publishing: XmlElement | undefined): string | undefined {
  const main = childrenOf(publishing, 'Publisher').find((each) => valueIn(each, 'PublishingRole') === '01');
  return line(valueIn(main, 'PublisherName')) ?? line(valueIn(childOf(publishing, 'Imprint'), 'ImprintName'));
}

function seriesOf(detail: XmlElement | undefined): OnixTitle['series'] {
  const [collection] = childrenOf(detail, 'Collection');
  const title = childOf(collection, 'TitleDetail');
  const name = nameIn(elementOfLevel(title, '02'));
  if (name === undefined) return undefined;
  const number = Number.parseFloat(
    childrenOf(title, 'TitleElement')
      .map((each) => valueIn(each, 'PartNumber'))
      .find((each) => each !== '') ?? '',
  );
  return number >= 0 && number <= 1_000_000 ? { name, number } : { name };
}

/** Headings of subjects, the main ones first. Codes without words and lists of keywords are none for a shelf. */
function subjectsOf(detail: XmlElement | undefined): string[] {
  const KEYWORDS = '20';
  const all = childrenOf(detail, 'Subject')
    .filter((each) => valueIn(each, 'SubjectSchemeIdentifier') !== KEYWORDS)
    .toSorted((a, b) => Number(childOf(b, 'MainSubject') !== undefined) - Number(childOf(a, 'MainSubject') !== undefined))
    .flatMap((each) => line(valueIn(each, 'SubjectHeadingText')) ?? []);
  return [...new Set(all)];
}

/** The day of publication, as `20240301`, `202403` or `2024`. */
function publishedOn(publishing: XmlElement | undefined): string | undefined {
  const date = childrenOf(publishing, 'PublishingDate').find((each) =>
    ['01', '11'].includes(valueIn(each, 'PublishingDateRole')),
  );
  const [, year, month, day] =
    /^(\d{4})(0[1-9]|1[0-2])?(0[1-9]|[12]\d|3[01])?/.exec(valueIn(date, 'Date').replaceAll('-', '')) ?? [];
  return year === undefined ? undefined : [year, month, day].filter((part) => part !== undefined).join('-');
}

/** The description, else the short one. */
function descriptionOf(product: XmlElement): string | undefined {
  const texts = childrenOf(childOf(product, 'CollateralDetail'), 'TextContent');
  const ofType = (type: string): XmlElement | undefined => texts.find((each) => valueIn(each, 'TextType') === type);
  const text = childOf(ofType('03') ?? ofType('02') ?? ofType('01'), 'Text');
  const html = text && onixHtml(text).slice(0, 50_000).toWellFormed().trim();
  return html === '' ? undefined : html;
}

/** Prices to consumers, one of each currency; with tax where both are told. */
function pricesOf(product: XmlElement): string | undefined {
  const all = childrenOf(product, 'ProductSupply')
    .flatMap((each) => childrenOf(each, 'SupplyDetail'))
    .flatMap((each) => childrenOf(each, 'Price'))
    .map((each) => ({
      type: valueIn(each, 'PriceType'),
      amount: valueIn(each, 'PriceAmount'),
      currency: valueIn(each, 'CurrencyCode'),
    }))
    .filter(({ type, amount }) => ['01', '02', '41', '42', ''].includes(type) && amount !== '');
  const isTaxed = (type: string): boolean => type === '02' || type === '42';
  const byCurrency = Map.groupBy(all, ({ currency }) => currency);
  const prices = [...byCurrency].flatMap(([currency, each]) => {
    const price = each.find(({ type }) => isTaxed(type)) ?? each[0];
    return price === undefined ? [] : [`${price.amount}${currency}`];
  });
  return prices.length === 0 ? undefined : prices.join(',');
}

/** The prices of a title. @throws BadOperation for an amount that its currency cannot hold */
export const pricesIn = ({ reference, pricesText }: Pick<OnixTitle, 'reference' | 'pricesText'>): Pick<ImportedTitle, 'prices'> =>
  pricesText === undefined ? {} : { prices: readAmounts(pricesText, `ONIX product ${reference}`) };
