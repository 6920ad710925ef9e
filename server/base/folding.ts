/** Letters that Unicode does not take apart, and how they are typed without their own key. */
const PLAIN = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' } as const;
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Text as it is compared: without accents, in small letters, so that "Été" stands with "ete". */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(SPECIAL, (letter) => PLAIN[letter as keyof typeof PLAIN])
    .replaceAll(/\s+/g, ' ')
    .trim();

const LEADING_ARTICLE = /^(?:the|an?) /;

/** A name as it stands in its order: folded, without a leading article. */
export const sortName = (name: string): string => fold(name).replace(LEADING_ARTICLE, '');

const LONGEST_WORD = 64;

/** Persons stand in their order by their last name. */
export const sortAuthor = (authors: readonly string[]): string => {
  const words = fold(authors[0] ?? '').split(' ');
  return [words.at(-1), ...words.slice(0, -1)].join(' ').trim();
};

/** The folded words of a text: letters and digits of any script; everything else only separates them. */
export const wordsOf = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > LONGEST_WORD ? Array.from(word).slice(0, LONGEST_WORD).join('') : word,
  );

/** Scripts that put no blanks between words: any of their letters may begin one. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}]/u;

/** The words that a text is found by, each once; `most` letters of a word that may begin at any of them. */
export const indexedWords = (text: string, most = LONGEST_WORD): string[] => [
  ...new Set(
    wordsOf(text).flatMap((word) => {
      if (!UNSPACED.test(word)) return [word];
      const letters = Array.from(word);
      return letters.map((_letter, place) => letters.slice(place, place + most).join(''));
    }),
  ),
];

/** Letters that a word of running text is found by in a script without blanks: each of its letters begins such a word. */
export const LONGEST_RUN = 8;

/** The words to look for where somebody wrote one: of a script without blanks, the runs that running text is found by. */
export const soughtWords = (word: string): string[] => {
  const letters = Array.from(word);
  if (!UNSPACED.test(word) || letters.length <= LONGEST_RUN) return [word];
  const places = Array.from({ length: Math.ceil(letters.length / LONGEST_RUN) }, (_, nth) =>
    Math.min(nth * LONGEST_RUN, letters.length - LONGEST_RUN),
  );
  return places.map((place) => letters.slice(place, place + LONGEST_RUN).join(''));
};

/** A text search query that wants every word, each as the beginning of one; undefined when there is no word. */
export const prefixQuery = (search: string): string | undefined => {
  const words = wordsOf(search).flatMap(soughtWords).slice(0, 16);
  return words.length === 0 ? undefined : words.map((word) => `'${word}':*`).join(' & ');
};
