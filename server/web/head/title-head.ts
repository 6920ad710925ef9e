import type { FullTitle } from '../../catalogue/find-title.ts';
import { titlePath } from '../../../machines/model/paths.ts';
import { toRegionalTag } from '../../../machines/model/store/dates.ts';
import { formatAmount } from '../../base/money.ts';
import { toCoverUrl } from '../../catalogue/title-xml.ts';
import { toAbsoluteUrl, type PageHead, type HeadContext } from './page-head.ts';
import { toPlainText } from '../../base/plain-text.ts';

/** schema.org's type by the wire's type code. */
const SCHEMA_TYPES: Record<number, string> = { 1: 'Book', 2: 'Audiobook', 3: 'CreativeWork', 4: 'VideoObject' };
const BOOK_FORMATS: Record<number, string> = { 1: 'https://schema.org/EBook', 2: 'https://schema.org/AudiobookFormat' };

/** Seconds as an ISO 8601 duration. */
function formatDuration(seconds: number): string {
  const wholeSeconds = Math.round(seconds);
  return `PT${Math.floor(wholeSeconds / 3600)}H${Math.floor(wholeSeconds / 60) % 60}M${wholeSeconds % 60}S`;
}

const toPersons = (names: string[]) => names.map((name) => ({ '@type': 'Person', name }));

/** Drops empty values. */
const omitEmpty = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined && value !== '' && !isEmpty(value)),
  );
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const toOffers = (title: FullTitle, url: string) =>
  title.prices.map(({ amount, currency }) => ({
    '@type': 'Offer',
    url,
    price: formatAmount(amount, currency),
    priceCurrency: currency,
    availability: 'https://schema.org/InStock',
  }));

type TitleHeadOptions = { storeId: string; showsPrices: boolean };

function toJsonLd(title: FullTitle, { origin, shop }: HeadContext, description: string, options: TitleHeadOptions): object {
  const url = `${origin}${titlePath(title.id, title.name)}`;
  const cover = toCoverUrl(options.storeId, title.id, title.cover?.file);
  const isBook = title.type === 1 || title.type === 2;
  return omitEmpty({
    '@context': 'https://schema.org',
    '@type': SCHEMA_TYPES[title.type] ?? 'CreativeWork',
    '@id': url,
    url,
    name: title.name,
    alternativeHeadline: title.subtitle,
    description,
    image: cover && toAbsoluteUrl(cover, origin),
    thumbnailUrl: title.type === 4 && cover ? toAbsoluteUrl(cover, origin) : undefined,
    author: toPersons(title.authors),
    readBy: title.type === 2 ? toPersons(title.narrators) : [],
    publisher: title.publisher ? { '@type': 'Organization', name: title.publisher } : undefined,
    provider: { '@type': 'Organization', name: shop },
    datePublished: title.published_on,
    uploadDate: title.type === 4 ? title.published_on : undefined,
    inLanguage: title.language,
    isbn: isBook ? title.isbn : undefined,
    bookFormat: BOOK_FORMATS[title.type],
    numberOfPages: title.type === 1 ? title.page_count : undefined,
    duration: title.duration_seconds === null || title.type === 1 ? undefined : formatDuration(title.duration_seconds),
    offers: options.showsPrices && title.for_sale ? toOffers(title, url) : [],
  });
}

/** The head of a title's page, with the price where the store shows prices. */
export function toTitleHead(title: FullTitle, context: HeadContext, options: TitleHeadOptions): PageHead {
  const { words, code } = context.language;
  const authors = new Intl.ListFormat(toRegionalTag(code), { type: 'conjunction' }).format(title.authors);
  const values = { title: title.name, authors, shop: context.shop };
  const fallback = title.authors.length === 0 ? words.authorlessDescription(values) : words.titleDescription(values);
  const description = toPlainText(title.description) || fallback;
  const cover = toCoverUrl(options.storeId, title.id, title.cover?.file);
  const isBook = title.type === 1 || title.type === 2;
  const more = isBook ? title.authors.map((name): [string, string] => ['book:author', name]) : [];
  if (isBook && title.isbn) more.push(['book:isbn', title.isbn]);
  return {
    status: 200,
    name: title.name,
    description,
    path: titlePath(title.id, title.name),
    type: isBook ? 'book' : title.type === 4 ? 'video.other' : 'website',
    image: cover === undefined ? undefined : { path: cover, width: title.cover?.width, height: title.cover?.height },
    more,
    jsonLd: toJsonLd(title, context, description, options),
  };
}
