import type { Database } from '../database/open.ts';
import type { Media } from '../database/schema/catalogue.ts';
import { samplePath, titlePath } from '../../machines/model/paths.ts';
import { getCoverWidths } from '../catalogue/cover-widths.ts';
import { toMajor } from '../base/money.ts';
import type { TitleRow } from '../catalogue/title-rows.ts';
import { toCoverUrl } from '../catalogue/title-xml.ts';
import { type StoreLanguage, localizeText } from '../base/language.ts';
import { getMediaType } from '../publication/media-types.ts';
import { toPlainText } from '../base/plain-text.ts';
import { FEED_TYPE, PUBLICATION_TYPE, type OpdsLink, type OpdsPublication } from './opds.ts';

/**
 * The store of a feed, with its origin and language, and whether it shows prices and sells titles.
 */
export type FeedContext = {
  storeId: string;
  origin: string;
  storeLanguage: StoreLanguage;
  /** the language as a query string; empty where the request has none */
  query: string;
  showsPrices: boolean;
  sells: boolean;
};

const SCHEMA_TYPES: Record<Media, string> = {
  epub: 'http://schema.org/Book',
  pdf: 'http://schema.org/Book',
  audio: 'http://schema.org/Audiobook',
  video: 'http://schema.org/VideoObject',
  interactive: 'http://schema.org/CreativeWork',
};

/** The media type that a reading app finally downloads, where there is one. */
const MEDIA_TYPES: Partial<Record<Media, string>> = { epub: 'application/epub+zip', pdf: 'application/pdf' };
const BASIC_PICTURE_TYPE = /^image\/(?:jpeg|png|gif)$/;

const detailColumns = [
  'id',
  'narrators',
  'publisher',
  'language',
  'published_on',
  'description',
  'translations',
  'series',
  'series_number',
] as const;
const measureColumns = ['duration_seconds', 'page_count', 'added_at'] as const;

/** Details of titles beside their summaries, by id. */
export async function readDetails(db: Database, storeId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('titles')
    .select([...detailColumns, ...measureColumns])
    .where('store_id', '=', storeId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

type TitleDetails = NonNullable<ReturnType<Awaited<ReturnType<typeof readDetails>>['get']>>;

const toNames = (names: string[]): { name: string }[] => names.map((name) => ({ name }));

/**
 * Whether the title has any acquisition link: a title without a sale or a sample is left out of
 * feeds.
 */
export const isAcquirable = (row: TitleRow): boolean => row.for_sale || row.has_sample;

function toAcquisitionLinks(row: TitleRow, { origin, showsPrices, sells }: FeedContext): OpdsLink[] {
  const type = MEDIA_TYPES[row.media];
  const [price] = row.prices;
  const isFree = price?.amount === 0;
  const page = { href: `${origin}${titlePath(row.id, row.name)}`, type: 'text/html' };
  const properties = {
    ...(showsPrices && price ? { price: { value: toMajor(price.amount, price.currency), currency: price.currency } } : {}),
    ...(type === undefined ? {} : { indirectAcquisition: [{ type }] }),
  };
  // A free title requires a sign-in as well, so it is not open access.
  const rel = isFree || !sells ? 'http://opds-spec.org/acquisition' : 'http://opds-spec.org/acquisition/buy';
  return [
    ...(row.for_sale ? [{ ...page, rel, ...(Object.keys(properties).length === 0 ? {} : { properties }) }] : []),
    ...(row.has_sample
      ? [{ href: `${origin}${samplePath(row.id)}`, type: 'text/html', rel: 'http://opds-spec.org/acquisition/sample' }]
      : []),
  ];
}

/**
 * The cover in its sizes; with a plain-coloured cover where a title has none, or none that every
 * reading app can display.
 */
function toImageLinks({ id, cover }: TitleRow, { storeId, origin }: FeedContext): OpdsLink[] {
  const path = toCoverUrl(storeId, id, cover?.file);
  const type = getMediaType(cover?.file ?? '') ?? '';
  const { width = 0, height = 0 } = cover ?? {};
  const widths = cover ? getCoverWidths(cover).filter((each) => [240, 480, 900].includes(each)) : [];
  const resizedLinks = widths.map((each) => ({
    href: `${origin}${path ?? ''}?width=${each}`,
    type: 'image/jpeg',
    width: each,
    height: Math.round((each * height) / Math.max(1, width)),
  }));
  const originalLinks =
    path === undefined || type === ''
      ? []
      : [{ href: `${origin}${path}`, type, ...(width > 0 && height > 0 ? { width, height } : {}) }];
  const imageLinks = [...originalLinks, ...resizedLinks];
  return imageLinks.some((each) => BASIC_PICTURE_TYPE.test(each.type))
    ? imageLinks
    : [...imageLinks, { href: `${origin}/opds/binding.jpg`, type: 'image/jpeg', width: 400, height: 600 }];
}

/** A title as an OPDS publication. */
export function toPublication(row: TitleRow, details: TitleDetails, context: FeedContext): OpdsPublication {
  const { origin, storeLanguage, query } = context;
  const description = toPlainText(localizeText(details, 'description', storeLanguage), 2000);
  const self = { href: `${origin}/opds/titles/${encodeURIComponent(row.id)}${query}`, type: PUBLICATION_TYPE, rel: 'self' };
  const page = { href: `${origin}${titlePath(row.id, row.name)}`, type: 'text/html', rel: 'alternate' };
  return {
    metadata: {
      '@type': SCHEMA_TYPES[row.media],
      identifier: row.isbn === null ? `${origin}${titlePath(row.id)}` : `urn:isbn:${row.isbn}`,
      title: row.name,
      ...(row.subtitle ? { subtitle: row.subtitle } : {}),
      ...(row.authors.length > 0 ? { author: toNames(row.authors) } : {}),
      ...(details.narrators.length > 0 ? { narrator: toNames(details.narrators) } : {}),
      ...(details.publisher ? { publisher: { name: details.publisher } } : {}),
      ...(details.language ? { language: details.language } : {}),
      ...(details.published_on ? { published: details.published_on } : {}),
      modified: details.added_at.toISOString(),
      ...(description === '' ? {} : { description }),
      ...(details.duration_seconds ? { duration: details.duration_seconds } : {}),
      ...(details.page_count ? { numberOfPages: details.page_count } : {}),
      ...(details.series
        ? {
            belongsTo: {
              series: [{ name: details.series, ...(details.series_number === null ? {} : { position: details.series_number }) }],
            },
          }
        : {}),
    },
    links: [self, page, ...toAcquisitionLinks(row, context)],
    images: toImageLinks(row, context),
  };
}

/** The search link, for apps with a search field. */
export const toSearchLink = ({ origin, query }: FeedContext): OpdsLink => ({
  href: `${origin}/opds/search${query}{${query === '' ? '?' : '&'}query}`,
  type: FEED_TYPE,
  rel: 'search',
  templated: true,
});
