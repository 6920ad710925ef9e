import { type LanguageCode, findPreferredLanguage } from '../base/language.ts';
import { createCurrencyFormat, getDecimals } from '../../machines/model/store/currency.ts';
import { forEachLanguage, getTranslator } from '../base/words.ts';
import { type Words, createWords } from './words.ts';

const wordsByLanguage = forEachLanguage((language) => createWords(getTranslator(language)));

/**
 * The first supported language of `lang` parameters and Accept-Language headers, in order of
 * precedence; English if none of them is supported.
 */
export function chooseLanguage(preferences: (string | undefined)[]): { code: LanguageCode; words: Words } {
  const code = preferences.map(findPreferredLanguage).find((spoken) => spoken !== undefined) ?? 'en';
  return { code, words: wordsByLanguage[code] };
}

export const formatMoney = (amountMinor: number, currency: string, language: string): string =>
  createCurrencyFormat(language, currency).format(amountMinor / 10 ** getDecimals(currency));
