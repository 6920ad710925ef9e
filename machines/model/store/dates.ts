/** The tag by whose customs a language is written: English is British, its days as its spelling. */
export const regional = (language: string): string => (language === 'en' ? 'en-GB' : language);

/** How the first of a month is written, which `Intl` writes as a plain number. */
const first: Readonly<Record<string, string>> = { fr: '1er', it: '1º' };

/** A day that `Intl` has written, with the ordinal of its language: “1er décembre 2026”. */
export const withOrdinal = (language: string, date: string): string => date.replace(/^1(?= )/, first[language] ?? '1');

/** Before 8, 80 to 89, 11 and the like, which begin with a vowel; a tag may be in between. */
const beforeVowel = /\b(?:(i)l|((?:d?a|de|ne|su)l)) (?=(?:<\d+>)?(?:8|11(?!\d)))/gi;

/**
 * A text whose Italian articles are joined to the numbers behind them: “l’8 dicembre”, “dall’11%”.
 * Only the finished text can be looked at: a catalogue does not know the number.
 */
export const withArticles = (language: string, text: string): string =>
  language === 'it'
    ? text.replace(beforeVowel, (_, article: string | undefined, joined: string) =>
        article === undefined ? `${joined}l’` : `${article === 'I' ? 'L' : 'l'}’`,
      )
    : text;
