import { type RawBuilder, sql } from 'kysely';
import { fold, toSortName, toSearchWords, UNSPACED_SCRIPT, splitWords } from '../base/folding.ts';
import { toIsbn13 } from './isbn.ts';
import { findNearWords, type Vocabulary } from './near-words.ts';

/** A typed word, folded, and words of the catalogue that it may be a misspelling of. */
type Word = { typed: string; near: string[] };

/** A parsed search. */
export type Search = { kind: 'isbn'; isbn: string } | { kind: 'words'; words: Word[]; name: string };

const MAX_WORDS = 16;
/** Limited, since each is compared with the whole vocabulary of the store. */
const MAX_MISSPELT_WORDS = 3;
/** A shorter prefix matches some word of nearly every description. */
const MIN_PREFIX_CHARS = 3;

/** @returns undefined without a search, null for one that can find nothing: it has no word */
export function parseSearch(text: string | undefined): Search | null | undefined {
  const search = text?.trim();
  if (!search) return undefined;
  const isbn = toIsbn13(search);
  if (isbn) return { kind: 'isbn', isbn };
  const words = [...new Set(splitWords(search).flatMap(toSearchWords))].slice(0, MAX_WORDS).map((typed) => ({ typed, near: [] }));
  return words.length === 0 ? null : { kind: 'words', words, name: toSortName(search) };
}

/** The same search with similar words of the catalogue; undefined without any. */
export function widenSearch(search: Search, vocabulary: Vocabulary): Search | undefined {
  if (search.kind === 'isbn') return undefined;
  let misspelt = 0;
  const words = search.words.map(({ typed }) => {
    const near = misspelt < MAX_MISSPELT_WORDS ? findNearWords(typed, vocabulary) : [];
    if (near.length > 0) misspelt += 1;
    return { typed, near };
  });
  return misspelt > 0 ? { ...search, words } : undefined;
}

/** A text search query that requires every word, in any order. */
const toTsQuery = (words: Word[], query: (word: Word) => string): RawBuilder<unknown> =>
  sql`${words.map(query).join(' & ')}::tsquery`;

const toPrefixTerm = ({ typed }: Word): string => `'${typed}':*`;
const toNearTerms = ({ typed, near }: Word): string => `(${[typed, ...near].map((word) => `'${word}':*`).join(' | ')})`;

const isShort = (words: Word[]): boolean =>
  words.every(({ typed }) => typed.length < MIN_PREFIX_CHARS && !UNSPACED_SCRIPT.test(typed));

export function matches(search: Search): RawBuilder<boolean> {
  if (search.kind === 'isbn') return sql`titles.isbn = ${search.isbn}`;
  return sql`${isShort(search.words) ? sql`titles.search_names` : sql`titles.search`} @@ ${toTsQuery(search.words, toNearTerms)}`;
}

/** Larger than any popularity. */
const TIER_STEP = 2_147_483_648;
/** Tiers from here on: the name equals the search. */
const WHOLE_NAME_SCORE = 7;
/** Tiers from here on: all words as typed, in the title's name or its authors' names. */
const NAME_SCORE = 3;
/** Tiers from here on: all words as typed. */
const AS_TYPED_SCORE = 2;

/** Titles that match a search equally well; within a tier, popular ones come first. */
export type Tier = {
  /** Base of the relevance; a title's popularity is added to it. */
  relevance: number;
  /** The condition of this tier; titles of better tiers may meet it, too. */
  has: RawBuilder<boolean>;
  /**
   * Whether the condition alone implies a match: every word, or a prefix of one, is in the title's
   * or its authors' names.
   */
  isByName: boolean;
};

/**
 * The tiers of a search, the best first: name before people before description, whole words before
 * prefixes. The last tier has all other matches.
 */
export function tiers(search: Search): Tier[] {
  const kinds = search.kind === 'isbn' ? ([[0, sql<boolean>`true`]] as const) : toTierConditions(search);
  return kinds.map(([place, has]) => ({
    relevance: place * TIER_STEP,
    has,
    isByName: place >= NAME_SCORE && place < WHOLE_NAME_SCORE,
  }));
}

/** The tiers by number, with their conditions. */
function toTierConditions({ words, name }: Search & { kind: 'words' }): (readonly [number, RawBuilder<boolean>])[] {
  const names = (query: (word: Word) => string) => sql<boolean>`titles.search_names @@ ${toTsQuery(words, query)}`;
  const byName = [
    [WHOLE_NAME_SCORE, sql<boolean>`titles.sort_name = ${name}`],
    [6, names(({ typed }) => `'${typed}':A`)],
    [5, names(({ typed }) => `'${typed}':*A`)],
  ] as const;
  if (isShort(words)) return [...byName, [NAME_SCORE, names(toPrefixTerm)]];
  const others = sql<boolean>`true`;
  const asTyped = [...byName, [4, names(({ typed }) => `'${typed}'`)], [NAME_SCORE, names(toPrefixTerm)]] as const;
  if (words.every(({ near }) => near.length === 0)) return [...asTyped, [AS_TYPED_SCORE, others]];
  return [
    ...asTyped,
    [AS_TYPED_SCORE, sql<boolean>`titles.search @@ ${toTsQuery(words, toPrefixTerm)}`],
    [1, names(toNearTerms)],
    [0, others],
  ];
}

/**
 * Whether a title of that relevance has the words as typed; `named`: in its name or its authors'
 * names.
 */
export const isAsTyped = (value: number, { named }: { named: boolean }): boolean =>
  value >= (named ? NAME_SCORE : AS_TYPED_SCORE) * TIER_STEP;

/** The corrected search, in the spelling of a title that it found. */
export function describeUnderstood(
  search: Search,
  found: { name: string; subtitle: string | null; authors: string[] },
): string | undefined {
  if (search.kind === 'isbn') return undefined;
  const texts = [found.name, found.subtitle ?? '', ...found.authors];
  const spelt = texts.flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  const say = ({ typed, near }: Word): string =>
    spelt.some((word) => fold(word).startsWith(typed))
      ? typed
      : (spelt.find((word) => near.some((each) => fold(word).startsWith(each)))?.toLowerCase() ?? typed);
  const said = search.words.map(say);
  return said.some((word, at) => word !== search.words[at]?.typed) ? said.join(' ') : undefined;
}
