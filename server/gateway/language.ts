import { currencyFormat, decimalsOf } from '../../machines/model/currency.ts';
import { chinese, english, type Words } from './words.ts';
import { french, italian, spanish } from './words-es-fr-it.ts';

const languages: Record<string, Words> = { en: english, zh: chinese, es: spanish, fr: french, it: italian };

/** The first of the wishes that there are words for: `lang` parameters and Accept-Language headers, the strongest first. */
export function chooseLanguage(wishes: (string | undefined)[]): { code: string; words: Words } {
  for (const wish of wishes)
    for (const tag of (wish ?? '').split(',')) {
      const code = /^[a-z]+/i.exec(tag.trim())?.[0].toLowerCase() ?? '';
      const words = Object.hasOwn(languages, code) ? languages[code] : undefined;
      if (words) return { code, words };
    }
  return { code: 'en', words: english };
}

/** Puts values into the {places} of a sentence. */
export const fill = (sentence: string, values: Record<string, string>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);

export const money = (amountMinor: number, currency: string, language: string): string =>
  currencyFormat(language, currency).format(amountMinor / 10 ** decimalsOf(currency));
