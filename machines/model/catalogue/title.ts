import * as v from 'valibot';

/** The title types of the API, by the word that routes use. */
export const titleTypeCodes = { all: 0, ebook: 1, audio: 2, interactive: 3, video: 4 } as const;

export const TitleType = v.picklist(['ebook', 'audio', 'interactive', 'video']);
export type TitleType = v.InferOutput<typeof TitleType>;

/** A list's type: `all`, or one of the four kinds. */
export type ListType = keyof typeof titleTypeCodes;

export const Medium = v.picklist(['epub', 'pdf', 'audio', 'video', 'interactive']);
export type Medium = v.InferOutput<typeof Medium>;

/** `amount` is in the currency's main unit, for display; the server charges its own amount. */
export const Price = v.object({ amount: v.pipe(v.number(), v.minValue(0)), currency: v.string(), symbol: v.string() });
export type Price = v.InferOutput<typeof Price>;

export const Cover = v.object({
  url: v.string(),
  smallUrl: v.string(),
  /**
   * Widths in pixels at which the server delivers `url` (query parameter `width`). Older visit
   * records have none.
   */
  widths: v.optional(v.array(v.number())),
  width: v.number(),
  height: v.number(),
  /** CSS colour shown while the picture loads. */
  color: v.string(),
});

/** A title with the data that lists show. */
export const TitleSummary = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty()),
  subtitle: v.optional(v.string(), ''),
  authors: v.optional(v.array(v.string()), []),
  type: TitleType,
  medium: Medium,
  cover: v.nullable(Cover),
  prices: v.optional(v.array(Price), []),
  free: v.optional(v.boolean(), false),
  forSale: v.optional(v.boolean(), true),
  hasSample: v.optional(v.boolean(), false),
});
export type TitleSummary = v.InferOutput<typeof TitleSummary>;

/** A title with all data of its own page; `description` is untrusted HTML from the store. */
export const Title = v.object({
  ...TitleSummary.entries,
  isbn: v.optional(v.string(), ''),
  narrators: v.optional(v.array(v.string()), []),
  publisher: v.optional(v.string(), ''),
  publishedDate: v.optional(v.string(), ''),
  language: v.optional(v.string(), ''),
  description: v.optional(v.string(), ''),
  pages: v.nullable(v.number()),
  durationSeconds: v.nullable(v.number()),
  /** The price in credits, if the title can be bought with them. */
  credits: v.optional(v.number()),
  wordCount: v.nullable(v.number()),
  /**
   * The title's series, its number in the series, and how many other titles of the series the shop
   * has.
   */
  series: v.optional(v.nullable(v.object({ name: v.string(), number: v.nullable(v.number()), titles: v.number() })), null),
  /** The number of other titles by the first author, excluding those of the series. */
  authorTitles: v.optional(v.number(), 0),
  categories: v.optional(v.array(v.object({ id: v.string(), name: v.string() })), []),
  /** Whether a plan on offer includes the title. */
  inSubscription: v.optional(v.boolean()),
});
export type Title = v.InferOutput<typeof Title>;

/** One page of a list; `next` is the cursor of the following page, null at the end. */
export const TitleListPage = v.object({
  titles: v.array(TitleSummary),
  total: v.nullable(v.number()),
  next: v.nullable(v.string()),
});
export type TitleListPage = v.InferOutput<typeof TitleListPage>;

/** The query of a list by its type, category, search text, sort order and cursor. */
export type TitleQuery = {
  type: ListType;
  categoryId: string | null;
  search: string;
  sort: string;
  cursor: string | null;
};

/**
 * A category of the catalogue. `path` is the lowercased name with spaces and slashes as dashes,
 * then a slash and the lowercased tag id.
 */
export type Category = {
  id: string;
  tagId: string;
  name: string;
  tag: boolean;
  path: string;
  key: string;
  parentId: string | null;
  children: Category[];
};
