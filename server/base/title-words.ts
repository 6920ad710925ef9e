import { toIndexWords, MAX_RUN_CHARS } from './folding.ts';

/** The searchable parts of a title. */
export type SearchableTitle = {
  name: string;
  subtitle: string | null;
  authors: string[];
  narrators: string[];
  isbn: string | null;
  /** in each language */
  descriptions: string[];
};

/** Indexed words of a description. */
const MAX_WORDS = 500;
/** Characters of a description that are read; in any language they hold MAX_WORDS words. */
const MAX_TEXT_CHARS = 20_000;

const stripMarkup = (html: string): string => html.slice(0, MAX_TEXT_CHARS).replaceAll(/<[^<>]*>|&[#\w]{1,12};/g, ' ');

/** Words as a tsvector has them, all at one position with one weight: A for names, B for people. */
const toWeightedWords = (words: string[], weight: 'A' | 'B'): string[] => words.map((word) => `'${word}':1${weight}`);

/**
 * The search columns of a title: all its words without positions and weights, and separately the
 * weighted words of its name, and of its authors, narrators and ISBN.
 */
export function toTitleWords(title: SearchableTitle): { search_words: string; search_names: string } {
  const nameWords = toIndexWords([title.name, title.subtitle].filter((text) => text !== null).join(' '));
  const peopleWords = toIndexWords([...title.authors, ...title.narrators, title.isbn ?? ''].join(' '));
  const descriptionWords = title.descriptions.flatMap((text) =>
    toIndexWords(stripMarkup(text), MAX_RUN_CHARS).slice(0, MAX_WORDS),
  );
  return {
    search_words: [...new Set([...nameWords, ...peopleWords, ...descriptionWords])].join(' '),
    search_names: [...toWeightedWords(nameWords, 'A'), ...toWeightedWords(peopleWords, 'B')].join(' '),
  };
}
