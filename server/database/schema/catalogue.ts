import type { ColumnType, GeneratedAlways } from 'kysely';
import type { LanguageCode, Translations } from '../../base/language.ts';
import type { Generated, JsonWithDefault, Moment } from './columns.ts';

export type StoresTable = {
  id: string;
  host: string | null;
  is_default: Generated<boolean>;
  app_id: Generated<string>;
  currency: string;
  /** in which it sells beside its own one, by ISO 4217 */
  currencies: JsonWithDefault<string[]>;
  /** in which the store's own words are, where a row has no translation */
  language: Generated<LanguageCode>;
  /** raised by every change of what the store shows to everybody */
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

/** One part that a viewer opens: a file of the title's media folder. */
export type ContentItem = {
  id: string;
  name: string;
  file: string;
  mimeType: string;
  durationSeconds?: number;
  /** of a recording: where its chapters begin */
  chapters?: { name: string; seconds: number }[];
  captions?: { file: string; language: string }[];
  /** of a sample's part: where in the whole title it begins */
  sampleOf?: { itemId: string; seconds: number };
};

/** What a title consists of, the part of it that everyone may try, and the titles that its publisher sets beside it. */
export type TitleContent = { items?: ContentItem[]; sample?: { items: ContentItem[] }; related?: string[] };

/** Files of the title's cover, below its media folder, and what is shown while they load. */
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
  /** what the title's series is called */
  series: string | null;
  /** its number there, such as 2 or 2.5 */
  series_number: number | null;
  /** its place in the order of the series */
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
  /** the store shows it */
  listed: Generated<boolean>;
  /** titles of its kind are on in the store */
  kind_on: Generated<boolean>;
  /** listed, and of a kind that is on */
  offered: GeneratedAlways<boolean>;
  sort_price: Generated<number>;
  popularity: Generated<number>;
  /** what it costs in credits; null where it cannot be had for them */
  credits: number | null;
  added_at: Moment;
  content: JsonWithDefault<TitleContent>;
  /** the name as the end of an address, in small letters */
  slug: Generated<string>;
  /** folded words with a blank between them */
  search_words: Generated<string>;
  /** a tsvector: folded words of the name with weight A, of authors, narrators and ISBN with weight B */
  search_names: Generated<string>;
  /** purchases that are part of the popularity already */
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
