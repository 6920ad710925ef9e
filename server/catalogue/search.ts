import { type RawBuilder, sql } from 'kysely';
import { fold, sortName, soughtWords, UNSPACED, wordsOf } from '../base/folding.ts';
import { toIsbn13 } from './isbn.ts';
import { nearest, type Vocabulary } from './near-words.ts';

/** A word as it was typed, folded, and words of the catalogue that it may be meant for. */
type Word = { typed: string; near: string[] };

/** What is searched for. */
export type Search = { kind: 'isbn'; isbn: string } | { kind: 'words'; words: Word[]; name: string };

const MOST_WORDS = 16;
/** Each is compared with every word of the store. */
const MOST_MISSPELT = 3;
/** Fewer letters begin a word of nearly every description. */
const ENOUGH_LETTERS = 3;

/** @returns undefined where nothing is searched for, null where it is nothing that could be found: no word */
export function readSearch(text: string | undefined): Search | null | undefined {
  const search = text?.trim();
  if (!search) return undefined;
  const isbn = toIsbn13(search);
  if (isbn) return { kind: 'isbn', isbn };
  const words = [...new Set(wordsOf(search).flatMap(soughtWords))].slice(0, MOST_WORDS).map((typed) => ({ typed, near: [] }));
  return words.length === 0 ? null : { kind: 'words', words, name: sortName(search) };
}

/** The same search, with what its words may be meant for; undefined where nothing of the catalogue is near. */
export function widened(search: Search, vocabulary: Vocabulary): Search | undefined {
  if (search.kind === 'isbn') return undefined;
  let misspelt = 0;
  const words = search.words.map(({ typed }) => {
    const near = misspelt < MOST_MISSPELT ? nearest(typed, vocabulary) : [];
    if (near.length > 0) misspelt += 1;
    return { typed, near };
  });
  return misspelt > 0 ? { ...search, words } : undefined;
}

/** A text search query that wants every word, in any order. */
const every = (words: Word[], query: (word: Word) => string): RawBuilder<unknown> =>
  sql`${words.map(query).join(' & ')}::tsquery`;

const begun = ({ typed }: Word): string => `'${typed}':*`;
const meant = ({ typed, near }: Word): string => `(${[typed, ...near].map((word) => `'${word}':*`).join(' | ')})`;

const isShort = (words: Word[]): boolean => words.every(({ typed }) => typed.length < ENOUGH_LETTERS && !UNSPACED.test(typed));

export function matches(search: Search): RawBuilder<boolean> {
  if (search.kind === 'isbn') return sql`titles.isbn = ${search.isbn}`;
  return sql`${isShort(search.words) ? sql`titles.search_names` : sql`titles.search`} @@ ${every(search.words, meant)}`;
}

/** Above every popularity. */
const STEP = 2_147_483_648;
/** Titles from here on are called what was searched for. */
const WHOLE_NAME = 7;
/** Titles from here on have all the words as they were typed, in their names or in those of their authors. */
const BY_NAME = 3;
/** Titles from here on have all the words as they were typed. */
const AS_TYPED = 2;

/** Titles that match a search equally well; the more popular ones come first. */
export type Tier = {
  /** The relevance of a title in it is this and its popularity. */
  relevance: number;
  /** What its titles have, as those of better tiers may. */
  has: RawBuilder<boolean>;
  /** Whether what they have is every word in their names or in those of their authors, or begun there: then they match. */
  isByName: boolean;
};

/** How well a title may match, the best first: its name before its people before its description, whole words first. The last one has all others. */
export function tiers(search: Search): Tier[] {
  const kinds = search.kind === 'isbn' ? ([[0, sql<boolean>`true`]] as const) : matchesOf(search);
  return kinds.map(([place, has]) => ({ relevance: place * STEP, has, isByName: place >= BY_NAME && place < WHOLE_NAME }));
}

/** The places of the tiers, and what titles in them have. */
function matchesOf({ words, name }: Search & { kind: 'words' }): (readonly [number, RawBuilder<boolean>])[] {
  const names = (query: (word: Word) => string) => sql<boolean>`titles.search_names @@ ${every(words, query)}`;
  const byName = [
    [WHOLE_NAME, sql<boolean>`titles.sort_name = ${name}`],
    [6, names(({ typed }) => `'${typed}':A`)],
    [5, names(({ typed }) => `'${typed}':*A`)],
  ] as const;
  if (isShort(words)) return [...byName, [BY_NAME, names(begun)]];
  const others = sql<boolean>`true`;
  const asTyped = [...byName, [4, names(({ typed }) => `'${typed}'`)], [BY_NAME, names(begun)]] as const;
  if (words.every(({ near }) => near.length === 0)) return [...asTyped, [AS_TYPED, others]];
  return [...asTyped, [AS_TYPED, sql<boolean>`titles.search @@ ${every(words, begun)}`], [1, names(meant)], [0, others]];
}

/** Whether a title of that relevance has the words as they were typed; `named`: in its name or its authors'. */
export const isAsTyped = (value: number, { named }: { named: boolean }): boolean => value >= (named ? BY_NAME : AS_TYPED) * STEP;

/** The search as it was understood, in the spelling of a title that it found. */
export function understood(
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
