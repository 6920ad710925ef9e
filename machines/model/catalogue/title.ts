import * as v from 'valibot';

/** Type codes of the wire, by the word the routes use. */
export const titleTypeCodes = { all: 0, ebook: 1, audio: 2, interactive: 3, video: 4 } as const;

export const TitleType = v.picklist(['ebook', 'audio', 'interactive', 'video']);
export type TitleType = v.InferOutput<typeof TitleType>;

/** A list's type: `all` besides the four. */
export type ListType = keyof typeof titleTypeCodes;

export const Medium = v.picklist(['epub', 'pdf', 'audio', 'video', 'interactive']);
export type Medium = v.InferOutput<typeof Medium>;

/** `amount` in the currency's main unit, as shown; what is charged is the server's own figure. */
export const Price = v.object({ amount: v.pipe(v.number(), v.minValue(0)), currency: v.string(), symbol: v.string() });
export type Price = v.InferOutput<typeof Price>;

export const Cover = v.object({
  url: v.string(),
  smallUrl: v.string(),
  /** Pixels; `url` comes in each of them when asked with `width`. Visits that were recorded earlier have none. */
  widths: v.optional(v.array(v.number())),
  width: v.number(),
  height: v.number(),
  /** CSS colour shown while the picture loads. */
  color: v.string(),
});

/** A title as it stands in a list. */
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

/** A title with everything its own page shows; `description` is HTML from the store and untrusted. */
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
  /** What it costs in credits, where it can be had for them. */
  credits: v.optional(v.number()),
  wordCount: v.nullable(v.number()),
  /** What the title's series is called, which of it the title is, and how many other titles of it the shop has. */
  series: v.optional(v.nullable(v.object({ name: v.string(), number: v.nullable(v.number()), titles: v.number() })), null),
  /** Other titles of the first author, those of the series left out. */
  authorTitles: v.optional(v.number(), 0),
  categories: v.optional(v.array(v.object({ id: v.string(), name: v.string() })), []),
  /** A plan on offer opens it. */
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

/** What a list asks for; every part lives in the URL. */
export type TitleQuery = {
  type: ListType;
  categoryId: string | null;
  search: string;
  sort: string;
  cursor: string | null;
};

/** `path` is the lowercased name with spaces and slashes as dashes, then a slash and the lowercased tag id. */
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
