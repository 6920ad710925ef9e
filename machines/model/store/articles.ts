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
