import type { Database } from '../database/open.ts';
import type { Media } from '../database/schema/catalogue.ts';
import { samplePath, titlePath } from '../../machines/model/paths.ts';
import { widthsOf } from '../catalogue/cover-widths.ts';
import { toMajor } from '../base/money.ts';
import type { TitleRow } from '../catalogue/title-rows.ts';
import { coverUrl } from '../catalogue/title-xml.ts';
import { type Spoken, textIn } from '../base/language.ts';
import { mediaTypeOf } from '../publication/media-types.ts';
import { plainText } from '../base/plain-text.ts';
import { FEED, PUBLICATION, type OpdsLink, type OpdsPublication } from './opds.ts';

/** Whose feed it is, where, in which language, and what the store shows of its prices. */
export type Shelf = {
  storeId: string;
  origin: string;
  spoken: Spoken;
  /** the language as addresses carry it; empty where none was asked for */
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

/** What a reading app gets in the end, where that has a type. */
const MEDIA_TYPES: Partial<Record<Media, string>> = { epub: 'application/epub+zip', pdf: 'application/pdf' };
const JPEG_OR_PNG = /^image\/(?:jpeg|png|gif)$/;

const more = [
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
const measures = ['duration_seconds', 'page_count', 'added_at'] as const;

/** What titles say of themselves beside their summaries, by their ids. */
export async function readMore(db: Database, storeId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('titles')
    .select([...more, ...measures])
    .where('store_id', '=', storeId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

type More = NonNullable<ReturnType<Awaited<ReturnType<typeof readMore>>['get']>>;

const named = (names: string[]): { name: string }[] => names.map((name) => ({ name }));

/** Whether anything leads to the title: what neither is sold nor has a sample is no publication of a feed. */
export const isOffered = (row: TitleRow): boolean => row.for_sale || row.has_sample;

function acquisitions(row: TitleRow, { origin, showsPrices, sells }: Shelf): OpdsLink[] {
  const type = MEDIA_TYPES[row.media];
  const [price] = row.prices;
  const isFree = price?.amount === 0;
  const page = { href: `${origin}${titlePath(row.id, row.name)}`, type: 'text/html' };
  const properties = {
    ...(showsPrices && price ? { price: { value: toMajor(price.amount, price.currency), currency: price.currency } } : {}),
    ...(type === undefined ? {} : { indirectAcquisition: [{ type }] }),
  };
  // What costs nothing is taken after signing in as well: it is no open access.
  const rel = isFree || !sells ? 'http://opds-spec.org/acquisition' : 'http://opds-spec.org/acquisition/buy';
  return [
    ...(row.for_sale ? [{ ...page, rel, ...(Object.keys(properties).length === 0 ? {} : { properties }) }] : []),
    ...(row.has_sample
      ? [{ href: `${origin}${samplePath(row.id)}`, type: 'text/html', rel: 'http://opds-spec.org/acquisition/sample' }]
      : []),
  ];
}

/** The cover in its sizes; a plain binding where there is none that every reading app draws. */
function images({ id, cover }: TitleRow, { storeId, origin }: Shelf): OpdsLink[] {
  const path = coverUrl(storeId, id, cover?.file);
  const type = mediaTypeOf(cover?.file ?? '') ?? '';
  const { width = 0, height = 0 } = cover ?? {};
  const inSizes = cover ? widthsOf(cover).filter((each) => [240, 480, 900].includes(each)) : [];
  const sized = inSizes.map((each) => ({
    href: `${origin}${path ?? ''}?width=${each}`,
    type: 'image/jpeg',
    width: each,
    height: Math.round((each * height) / Math.max(1, width)),
  }));
  const whole =
    path === undefined || type === ''
      ? []
      : [{ href: `${origin}${path}`, type, ...(width > 0 && height > 0 ? { width, height } : {}) }];
  const all = [...whole, ...sized];
  return all.some((each) => JPEG_OR_PNG.test(each.type))
    ? all
    : [...all, { href: `${origin}/opds/binding.jpg`, type: 'image/jpeg', width: 400, height: 600 }];
}

/** A title as a publication of a feed. */
export function publicationOf(row: TitleRow, about: More, shelf: Shelf): OpdsPublication {
  const { origin, spoken, query } = shelf;
  const description = plainText(textIn(about, 'description', spoken), 2000);
  const self = { href: `${origin}/opds/titles/${encodeURIComponent(row.id)}${query}`, type: PUBLICATION, rel: 'self' };
  const page = { href: `${origin}${titlePath(row.id, row.name)}`, type: 'text/html', rel: 'alternate' };
  return {
    metadata: {
      '@type': SCHEMA_TYPES[row.media],
      identifier: row.isbn === null ? `${origin}${titlePath(row.id)}` : `urn:isbn:${row.isbn}`,
      title: row.name,
      ...(row.subtitle ? { subtitle: row.subtitle } : {}),
      ...(row.authors.length > 0 ? { author: named(row.authors) } : {}),
      ...(about.narrators.length > 0 ? { narrator: named(about.narrators) } : {}),
      ...(about.publisher ? { publisher: { name: about.publisher } } : {}),
      ...(about.language ? { language: about.language } : {}),
      ...(about.published_on ? { published: about.published_on } : {}),
      modified: about.added_at.toISOString(),
      ...(description === '' ? {} : { description }),
      ...(about.duration_seconds ? { duration: about.duration_seconds } : {}),
      ...(about.page_count ? { numberOfPages: about.page_count } : {}),
      ...(about.series
        ? {
            belongsTo: {
              series: [{ name: about.series, ...(about.series_number === null ? {} : { position: about.series_number }) }],
            },
          }
        : {}),
    },
    links: [self, page, ...acquisitions(row, shelf)],
    images: images(row, shelf),
  };
}

/** The search of the shop, for apps that have a field for it. */
export const searchLink = ({ origin, query }: Shelf): OpdsLink => ({
  href: `${origin}/opds/search${query}{${query === '' ? '?' : '&'}query}`,
  type: FEED,
  rel: 'search',
  templated: true,
});
