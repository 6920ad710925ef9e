/** Text as it is compared: without accents, in small letters, so that "Été" stands with "ete". */
export const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();

const LONGEST_WORD = 64;

/** The folded words of a text: letters and digits of any script; everything else only separates them. */
const wordsOf = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, LONGEST_WORD));

/** Scripts that put no blanks between words: any of their letters may begin one. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}]/u;

/** The words that a text is found by, each once. */
export const indexedWords = (text: string): string[] => [
  ...new Set(
    wordsOf(text).flatMap((word) => {
      const letters = UNSPACED.test(word) ? Array.from(word) : [];
      return [word, ...letters.map((_letter, place) => letters.slice(place).join(''))];
    }),
  ),
];

/** A text search query that wants every word, each as the beginning of one; undefined when there is no word. */
export const prefixQuery = (search: string): string | undefined => {
  const words = wordsOf(search).slice(0, 16);
  return words.length === 0 ? undefined : words.map((word) => `'${word}':*`).join(' & ');
};
