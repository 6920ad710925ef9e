import { getPrices, type Price, readJson, type Series, type Work } from './source/work.ts';
import { createIsbn13, getEntry } from './numbers.ts';

/** A text by language (BCP 47). */
export type Texts = Record<string, string>;

/** Descriptions by slug in the shop's languages, except the work's own language. */
const translations = readJson<Record<string, Texts>>('descriptions.json');

export interface Item {
  id: string;
  name: string;
  /** The path inside the title's folder. */
  file: string;
  mimeType: string;
  durationSeconds?: number;
  captions?: { file: string; language: string }[];
  /** For a part of a sample: its start within the whole title. */
  sampleOf?: { itemId: string; seconds: number };
}

type Medium = 'epub' | 'pdf' | 'audio' | 'video' | 'interactive';

/** The result of making a title's files: its parts, and its length in pages, seconds or words. */
export interface DemoMedia {
  medium: Medium;
  items: Item[];
  sample: { items: Item[] };
  pages?: number;
  durationSeconds?: number;
  wordCount?: number;
}

export interface Title extends DemoMedia {
  id: string;
  slug: string;
  isbn13: string | null;
  type: 'ebook' | 'audio' | 'video' | 'interactive';
  name: string;
  subtitle: string | null;
  authors: string[];
  narrators: string[];
  publisher: string;
  publishedOn: string;
  language: string;
  series?: Series;
  description: Texts;
  categories: string[];
  prices: Price[];
  credits?: number;
  forSale: boolean;
  free: boolean;
  cover: string;
  coverSmall: string;
  coverWidth: number;
  coverHeight: number;
  color: string;
  related: string[];
}

const types = {
  epub: 'ebook',
  pdf: 'ebook',
  audio: 'audio',
  video: 'video',
  interactive: 'interactive',
} as const;

/** The prices of a work; titles for sale also cost one credit per ten dollars. */
function toPricing(work: Work): Pick<Title, 'prices' | 'credits'> {
  if (work.free) return { prices: [{ amount: 0, currency: 'USD' }] };
  const prices = getPrices(work);
  const [firstPrice] = prices;
  return firstPrice === undefined || work.forSale === false ? { prices } : { prices, credits: Math.ceil(firstPrice.amount / 10) };
}

export function createTitle(work: Work, media: DemoMedia): Title {
  const { id, isbn } = getEntry(work.slug);
  return {
    id,
    slug: work.slug,
    isbn13: isbn ? createIsbn13(id) : null,
    type: types[media.medium],
    name: work.title,
    subtitle: work.subtitle ?? null,
    authors: work.authors,
    narrators: work.narrators ?? [],
    publisher: work.publisher,
    publishedOn: work.publishedOn,
    language: work.language,
    ...(work.series ? { series: work.series } : {}),
    description: { [work.language]: work.description, ...translations[work.slug] },
    categories: work.categories.map(toCategoryId),
    ...toPricing(work),
    forSale: work.forSale ?? true,
    free: work.free ?? false,
    cover: 'cover.jpg',
    coverSmall: 'cover-240.jpg',
    coverWidth: 600,
    coverHeight: 900,
    color: work.palette[0],
    related: [],
    ...media,
  };
}

const toCategoryId = (leaf: string): string => leaf.replace('/', '-');

/** Adds the four most similar titles to each: by categories, author, publisher and language. */
export function addRelated(titles: Title[]): Title[] {
  const computeLikeness = (a: Title, b: Title): number =>
    a.categories.filter((id) => b.categories.includes(id)).length * 4 +
    a.authors.filter((name) => b.authors.includes(name)).length * 5 +
    a.categories.filter((id) => b.categories.some((other) => other.split('-')[0] === id.split('-')[0])).length +
    Number(a.publisher === b.publisher) +
    Number(a.language === b.language);
  return titles.map((title) => {
    const candidates = titles
      .filter(({ id }) => id !== title.id)
      .map((other) => ({ id: other.id, score: computeLikeness(title, other) }));
    const bestCandidates = candidates.sort((a, b) => b.score - a.score || a.id.localeCompare(b.id)).slice(0, 4);
    return { ...title, related: bestCandidates.map(({ id }) => id) };
  });
}

const tree: [string, string[]][] = [
  ['fiction', ['novels', 'short-stories', 'mystery']],
  ['nonfiction', ['nature', 'history', 'craft']],
  ['children', ['picture-books', 'first-readers']],
];

export interface Category {
  id: string;
  name: Texts;
  parentId: string | null;
  tagId?: string;
}

const categoryNames = readJson<Record<string, Texts>>('categories.json');

export const categories: Category[] = tree.flatMap(([id, leaves]) => [
  { id, name: getCategoryName(id), parentId: null },
  ...leaves.map((leaf) => ({ id: `${id}-${leaf}`, name: getCategoryName(`${id}-${leaf}`), parentId: id, tagId: leaf })),
]);

/** @throws Error for a category without a name */
function getCategoryName(id: string): Texts {
  const name = categoryNames[id];
  if (!name) throw new Error(`texts/categories.json has no name for ${id}.`);
  return name;
}
