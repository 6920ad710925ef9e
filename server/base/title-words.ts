import { indexedWords, LONGEST_RUN } from './folding.ts';

/** The parts of a title that it is found by. */
export type Searchable = {
  name: string;
  subtitle: string | null;
  authors: string[];
  narrators: string[];
  isbn: string | null;
  /** in each language */
  descriptions: string[];
};

/** Words of a description that a title is found by. */
const MOST_WORDS = 500;
/** As many letters as hold that many words of any language. */
const LONGEST_TEXT = 20_000;

const textOf = (html: string): string => html.slice(0, LONGEST_TEXT).replaceAll(/<[^<>]*>|&[#\w]{1,12};/g, ' ');

/** Words as a tsvector holds them, all at one place with one weight: A for names, B for people. */
const weighted = (words: string[], weight: 'A' | 'B'): string[] => words.map((word) => `'${word}':1${weight}`);

/**
 * What a title is found by, as its columns hold it: every word of it, and apart from these, with their weights, the words of
 * its name and of those who made it.
 */
export function titleWords(title: Searchable): { search_words: string; search_names: string } {
  const own = indexedWords([title.name, title.subtitle].filter((text) => text !== null).join(' '));
  const people = indexedWords([...title.authors, ...title.narrators, title.isbn ?? ''].join(' '));
  const told = title.descriptions.flatMap((text) => indexedWords(textOf(text), LONGEST_RUN).slice(0, MOST_WORDS));
  return {
    search_words: [...new Set([...own, ...people, ...told])].join(' '),
    search_names: [...weighted(own, 'A'), ...weighted(people, 'B')].join(' '),
  };
}
