import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupI18n } from '@lingui/core';
import { formatter } from '@lingui/format-po';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { type LanguageCode, languages } from '../../machines/model/store/language-names.ts';

const project = join(import.meta.dirname, '../..');

/** `message` is left out where the id is the English text. */
type Entry = { message?: string; translation?: string; context?: string };

type Values = Readonly<Record<string, string | number>>;

/**
 * Translates what the server says. `npm run messages` finds the texts by the name of the variable,
 * `i18n.t('…')`, so they are written out where they are used.
 */
export type Translator = {
  readonly language: LanguageCode;
  /** @param text an ICU message in English; the same one is the id in the catalogues */
  t: (text: string, values?: Values) => string;
};

const { parse } = formatter({ explicitIdAsDefault: true });

/**
 * Reads the translations of a catalogue by their English texts.
 * @param path from the project's folder
 * @param only the context of the texts; left out, texts of all contexts
 * @throws Error for a catalogue that is missing
 */
export function readCatalogue(path: string, only?: string): Map<string, string> {
  let text: string;
  try {
    text = readFileSync(join(project, path), 'utf8');
  } catch {
    throw new Error(`${path} is missing: npm run messages writes it, with the texts to translate.`);
  }
  const catalogue = parse(text, { locale: undefined, sourceLocale: 'en', filename: path });
  return new Map(
    Object.entries(catalogue as Record<string, Entry>).flatMap(([id, { message = id, translation = '', context }]) =>
      translation === '' || (only !== undefined && context !== only) ? [] : [[message, translation]],
    ),
  );
}

/** Lingui decodes `\x5c` and its like in the whole text: this keeps the backslash of a value. */
const literal = (value: string | number): string | number =>
  typeof value === 'string' ? value.replaceAll('\\', '\\x5c') : value;

function translatorOf(language: LanguageCode): Translator {
  const translations = [...readCatalogue(`server/words/${language}.po`)];
  const messages = Object.fromEntries(translations.map(([id, text]) => [id, compileMessage(text)]));
  const catalogue = setupI18n({ locale: language, messages: { [language]: messages } }).setMessagesCompiler(compileMessage);
  return {
    language,
    t: (text, values = {}) =>
      catalogue._(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, literal(value)]))),
  };
}

/** Makes something for each language of the shop. */
export const forEachLanguage = <Made>(make: (language: LanguageCode) => Made): Record<LanguageCode, Made> =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<LanguageCode, Made>;

const translators = forEachLanguage(translatorOf);

/** The translator to a language. */
export const translatorTo = (language: LanguageCode): Translator => translators[language];
