import { type LanguageCode, languageWanted } from '../base/language.ts';
import { currencyFormat, decimalsOf } from '../../machines/model/store/currency.ts';
import { forEachLanguage, translatorTo } from '../base/words.ts';
import { type Words, wordsIn } from './words.ts';

const pageWords = forEachLanguage((language) => wordsIn(translatorTo(language)));

/** The first of the wishes that there are words for: `lang` parameters and Accept-Language headers, the strongest first. */
export function chooseLanguage(wishes: (string | undefined)[]): { code: LanguageCode; words: Words } {
  const code = wishes.map(languageWanted).find((wanted) => wanted !== undefined) ?? 'en';
  return { code, words: pageWords[code] };
}

export const money = (amountMinor: number, currency: string, language: string): string =>
  currencyFormat(language, currency).format(amountMinor / 10 ** decimalsOf(currency));
