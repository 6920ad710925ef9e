/**
 * An Italian article before a number whose name begins with a vowel: 11, and each number that
 * begins with the digit 8. A tag may be in between.
 */
const articleBeforeVowel = /\b(?:(i)l|((?:d?a|de|ne|su)l)) (?=(?:<\d+>)?(?:8|11(?!\d)))/gi;

/**
 * Joins the Italian articles in a text to the numbers after them: “l’8 dicembre”, “dall’11%”.
 * Works on the finished text, since a message catalogue does not know the numbers.
 */
export const withArticles = (language: string, text: string): string =>
  language === 'it'
    ? text.replace(articleBeforeVowel, (_, article: string | undefined, preposition: string) =>
        article === undefined ? `${preposition}l’` : `${article === 'I' ? 'L' : 'l'}’`,
      )
    : text;
