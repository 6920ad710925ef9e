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

/** @returns undefined without a search; null for a search without any word, which finds nothing */
export function parseSearch(text: string | undefined): Search | null | undefined {
  const search = text?.trim();
  if (!search) return undefined;
  const isbn = toIsbn13(search);
  if (isbn) return { kind: 'isbn', isbn };
  const words = [...new Set(splitWords(search).flatMap(toSearchWords))].slice(0, MAX_WORDS).map((typed) => ({ typed, near: [] }));
  return words.length === 0 ? null : { kind: 'words', words, name: toSortName(search) };
}

/** Adds similar words of the catalogue to a search; undefined where no word has any. */
export function widenSearch(search: Search, vocabulary: Vocabulary): Search | undefined {
  if (search.kind === 'isbn') return undefined;
  let misspeltWords = 0;
  const words = search.words.map(({ typed }) => {
    const near = misspeltWords < MAX_MISSPELT_WORDS ? findNearWords(typed, vocabulary) : [];
    if (near.length > 0) misspeltWords += 1;
    return { typed, near };
  });
  return misspeltWords > 0 ? { ...search, words } : undefined;
}

/** A text search query that requires every word, in any order. */
const toTsQuery = (words: Word[], query: (word: Word) => string): RawBuilder<unknown> =>
  sql`${words.map(query).join(' & ')}::tsquery`;

const toPrefixTerm = ({ typed }: Word): string => `'${typed}':*`;
const toNearTerms = ({ typed, near }: Word): string => `(${[typed, ...near].map((word) => `'${word}':*`).join(' | ')})`;

const isShort = (words: Word[]): boolean =>
  words.every(({ typed }) => typed.length < MIN_PREFIX_CHARS && !UNSPACED_SCRIPT.test(typed));

export function matchesSearch(search: Search): RawBuilder<boolean> {
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
  condition: RawBuilder<boolean>;
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
export function toTiers(search: Search): Tier[] {
  const tierConditions = search.kind === 'isbn' ? ([[0, sql<boolean>`true`]] as const) : toTierConditions(search);
  return tierConditions.map(([score, condition]) => ({
    relevance: score * TIER_STEP,
    condition,
    isByName: score >= NAME_SCORE && score < WHOLE_NAME_SCORE,
  }));
}

/** The scores of the tiers with their conditions, the best first. */
function toTierConditions({ words, name }: Search & { kind: 'words' }): (readonly [number, RawBuilder<boolean>])[] {
  const matchNames = (query: (word: Word) => string) => sql<boolean>`titles.search_names @@ ${toTsQuery(words, query)}`;
  const nameTiers = [
    [WHOLE_NAME_SCORE, sql<boolean>`titles.sort_name = ${name}`],
    [6, matchNames(({ typed }) => `'${typed}':A`)],
    [5, matchNames(({ typed }) => `'${typed}':*A`)],
  ] as const;
  if (isShort(words)) return [...nameTiers, [NAME_SCORE, matchNames(toPrefixTerm)]];
  const anyTitle = sql<boolean>`true`;
  const tiersAsTyped = [
    ...nameTiers,
    [4, matchNames(({ typed }) => `'${typed}'`)],
    [NAME_SCORE, matchNames(toPrefixTerm)],
  ] as const;
  if (words.every(({ near }) => near.length === 0)) return [...tiersAsTyped, [AS_TYPED_SCORE, anyTitle]];
  return [
    ...tiersAsTyped,
    [AS_TYPED_SCORE, sql<boolean>`titles.search @@ ${toTsQuery(words, toPrefixTerm)}`],
    [1, matchNames(toNearTerms)],
    [0, anyTitle],
  ];
}

/**
 * Whether a title of that relevance has the words as typed; `named`: in its name or its authors'
 * names.
 */
export const isAsTyped = (value: number, { named }: { named: boolean }): boolean =>
  value >= (named ? NAME_SCORE : AS_TYPED_SCORE) * TIER_STEP;

/** The corrected search, in the spelling of a title that it found. */
export function formatCorrectedSearch(
  search: Search,
  title: { name: string; subtitle: string | null; authors: string[] },
): string | undefined {
  if (search.kind === 'isbn') return undefined;
  const texts = [title.name, title.subtitle ?? '', ...title.authors];
  const titleWords = texts.flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  const toUnderstoodWord = ({ typed, near }: Word): string =>
    titleWords.some((word) => fold(word).startsWith(typed))
      ? typed
      : (titleWords.find((word) => near.some((each) => fold(word).startsWith(each)))?.toLowerCase() ?? typed);
  const understoodWords = search.words.map(toUnderstoodWord);
  return understoodWords.some((word, index) => word !== search.words[index]?.typed) ? understoodWords.join(' ') : undefined;
}
