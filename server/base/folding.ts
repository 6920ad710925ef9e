/** Characters that Unicode does not decompose, and their usual replacements. */
const LATIN_LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' } as const;
const LATIN_LETTER_PATTERN = new RegExp(`[${Object.keys(LATIN_LETTERS).join('')}]`, 'g');

/** Folds text for comparison: without accents, in lower case, so that "Été" equals "ete". */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(LATIN_LETTER_PATTERN, (letter) => LATIN_LETTERS[letter as keyof typeof LATIN_LETTERS])
    .replaceAll(/\s+/g, ' ')
    .trim();

const LEADING_ARTICLE = /^(?:the|an?) /;

/** The sort key of a name: folded, without a leading English article. */
export const toSortName = (name: string): string => fold(name).replace(LEADING_ARTICLE, '');

const MAX_WORD_CHARS = 64;

/** The sort key of persons: the first author's last name first. */
export const toSortAuthor = (authors: readonly string[]): string => {
  const words = fold(authors[0] ?? '').split(' ');
  return [words.at(-1), ...words.slice(0, -1)].join(' ').trim();
};

/**
 * The folded words of a text: letters and digits of any script; all other characters are
 * separators.
 */
export const splitWords = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > MAX_WORD_CHARS ? Array.from(word).slice(0, MAX_WORD_CHARS).join('') : word,
  );

/** Scripts that are written without spaces: a word may start at any character. */
export const UNSPACED_SCRIPT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}]/u;

/**
 * The search words of a text, without duplicates. In scripts without spaces, one word starts at
 * each character, at most `maxChars` characters long.
 */
export const toIndexWords = (text: string, maxChars = MAX_WORD_CHARS): string[] => [
  ...new Set(
    splitWords(text).flatMap((word) => {
      if (!UNSPACED_SCRIPT.test(word)) return [word];
      const letters = Array.from(word);
      return letters.map((_letter, index) => letters.slice(index, index + maxChars).join(''));
    }),
  ),
];

/**
 * Length in characters of the words indexed from running text without spaces: one starts at each
 * character.
 */
export const MAX_RUN_CHARS = 8;

/**
 * The words to search for a typed word; in scripts without spaces, the runs under which text is
 * indexed.
 */
export const toSearchWords = (word: string): string[] => {
  const letters = Array.from(word);
  if (!UNSPACED_SCRIPT.test(word) || letters.length <= MAX_RUN_CHARS) return [word];
  const starts = Array.from({ length: Math.ceil(letters.length / MAX_RUN_CHARS) }, (_, index) =>
    Math.min(index * MAX_RUN_CHARS, letters.length - MAX_RUN_CHARS),
  );
  return starts.map((start) => letters.slice(start, start + MAX_RUN_CHARS).join(''));
};

/**
 * A text search query that requires every word (at most 16) as a prefix; undefined without any
 * word.
 */
export const toPrefixQuery = (search: string): string | undefined => {
  const words = splitWords(search).flatMap(toSearchWords).slice(0, 16);
  return words.length === 0 ? undefined : words.map((word) => `'${word}':*`).join(' & ');
};
