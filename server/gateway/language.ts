import { type LanguageCode, languageWanted } from '../base/language.ts';
import { currencyFormat, decimalsOf } from '../../machines/model/currency.ts';
import { chinese, english, type Words } from './words.ts';
import { french, italian, spanish } from './words-es-fr-it.ts';

const pageWords: Record<LanguageCode, Words> = { en: english, zh: chinese, es: spanish, fr: french, it: italian };

/** The first of the wishes that there are words for: `lang` parameters and Accept-Language headers, the strongest first. */
export function chooseLanguage(wishes: (string | undefined)[]): { code: LanguageCode; words: Words } {
  const code = wishes.map(languageWanted).find((wanted) => wanted !== undefined) ?? 'en';
  return { code, words: pageWords[code] };
}

/** Puts values into the {places} of a sentence. */
export const fill = (sentence: string, values: Record<string, string>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);

export const money = (amountMinor: number, currency: string, language: string): string =>
  currencyFormat(language, currency).format(amountMinor / 10 ** decimalsOf(currency));
