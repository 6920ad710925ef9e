import type { ColumnType, GeneratedAlways } from 'kysely';
import type { LanguageCode, Translations } from '../../base/language.ts';
import type { Generated, JsonWithDefault, Moment } from './columns.ts';

export type StoresTable = {
  id: string;
  host: string | null;
  is_default: Generated<boolean>;
  app_id: Generated<string>;
  currency: string;
  /** currencies that the store sells in beside its main one, by ISO 4217 */
  currencies: JsonWithDefault<string[]>;
  /** language of the store's texts, where a row has no translation */
  language: Generated<LanguageCode>;
  /** raised by every change to what all visitors of the store see */
  version: Generated<number>;
  theme: JsonWithDefault<Record<string, unknown>>;
  coral_secret: string | null;
  created_at: Moment;
};

export type PropertiesTable = {
  store_id: string;
  name: string;
  value: string;
  translations: JsonWithDefault<Translations<'value'>>;
};

export type CategoriesTable = {
  store_id: string;
  id: string;
  parent_id: string | null;
  tag_id: string | null;
  kind: Generated<'category' | 'catalog' | 'titleset'>;
  name: string;
  position: Generated<number>;
  translations: JsonWithDefault<Translations<'name'>>;
};

export type Media = 'epub' | 'pdf' | 'audio' | 'video' | 'interactive';

/** One part that a viewer opens: a file in the title's media folder. */
export type ContentItem = {
  id: string;
  name: string;
  file: string;
  mimeType: string;
  durationSeconds?: number;
  /** start times of chapters, in recordings */
  chapters?: { name: string; seconds: number }[];
  captions?: { file: string; language: string }[];
  /** where a part of a sample starts in the whole title */
  sampleOf?: { itemId: string; seconds: number };
};

/**
 * The parts of a title, its public sample, and the related titles that its publisher has chosen.
 */
export type TitleContent = { items?: ContentItem[]; sample?: { items: ContentItem[] }; related?: string[] };

/**
 * Files of the title's cover, relative to its media folder, and a placeholder colour while they
 * load.
 */
export type Cover = { file: string; smallFile?: string; width?: number; height?: number; color?: string };

export type TitlesTable = {
  store_id: string;
  id: string;
  /** ebook 1, audio 2, interactive 3, video 4 */
  type: number;
  media: Media;
  name: string;
  subtitle: string | null;
  sort_name: string;
  sort_author: Generated<string>;
  isbn: string | null;
  authors: JsonWithDefault<string[]>;
  narrators: JsonWithDefault<string[]>;
  publisher: string | null;
  /** name of the title's series */
  series: string | null;
  /** the title's number in the series, such as 2 or 2.5 */
  series_number: number | null;
  /** the title's sort key in the series */
  series_place: GeneratedAlways<number>;
  language: string | null;
  published_on: string | null;
  description: Generated<string>;
  duration_seconds: number | null;
  page_count: number | null;
  word_count: number | null;
  cover: ColumnType<Cover | null, string | null, string | null>;
  has_sample: Generated<boolean>;
  for_sale: Generated<boolean>;
  /** whether the store lists it */
  listed: Generated<boolean>;
  /** whether titles of its kind are on in the store */
  kind_on: Generated<boolean>;
  /** listed, and of a kind that is on */
  offered: GeneratedAlways<boolean>;
  sort_price: Generated<number>;
  popularity: Generated<number>;
  /** price in credits; null where it is not sold for credits */
  credits: number | null;
  added_at: Moment;
  content: JsonWithDefault<TitleContent>;
  /** the name as the last part of an address, in lower case */
  slug: Generated<string>;
  /** folded words, separated by spaces */
  search_words: Generated<string>;
  /** tsvector: folded words of the name (weight A), of authors, narrators and ISBN (weight B) */
  search_names: Generated<string>;
  /** purchases already included in the popularity */
  purchases_counted: Generated<number>;
  translations: JsonWithDefault<Translations<'description'>>;
};

export type TitleCategoriesTable = { store_id: string; category_id: string; title_id: string };

export type PricesTable = {
  store_id: string;
  title_id: string;
  currency: string;
  /** in the smallest unit of the currency: cents, yen */
  amount_minor: number;
  position: Generated<number>;
};

export type PagesTable = {
  store_id: string;
  name: string;
  title: string;
  html: string;
  is_private: Generated<boolean>;
  updated_at: Moment;
  translations: JsonWithDefault<Translations<'title' | 'html'>>;
};
