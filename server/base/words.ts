import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupI18n } from '@lingui/core';
import { formatter } from '@lingui/format-po';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { withArticles } from '../../machines/model/store/articles.ts';
import { type LanguageCode, languages } from '../../machines/model/store/language-names.ts';

const projectFolder = join(import.meta.dirname, '../..');

/** `message` is left out where the id is the English text. */
type Entry = { message?: string; translation?: string; context?: string };

type Values = Readonly<Record<string, string | number>>;

/**
 * Translates the server's texts. `npm run messages` finds them by the name of the variable,
 * `i18n.t('…')`, so they are written as literals where they are used.
 */
export type Translator = {
  readonly language: LanguageCode;
  /** @param text an ICU message in English, which is also the id in the catalogues */
  t: (text: string, values?: Values) => string;
};

const { parse } = formatter({ explicitIdAsDefault: true });

/**
 * Reads the translations of a catalogue by their English texts.
 * @param path from the project's folder
 * @param contextFilter the context of the texts; left out, all contexts
 * @throws Error for a missing catalogue
 */
export function readCatalogue(path: string, contextFilter?: string): Map<string, string> {
  let text: string;
  try {
    text = readFileSync(join(projectFolder, path), 'utf8');
  } catch {
    throw new Error(`${path} is missing: run npm run messages to write it with the texts to translate.`);
  }
  const catalogue = parse(text, { locale: undefined, sourceLocale: 'en', filename: path });
  return new Map(
    Object.entries(catalogue as Record<string, Entry>).flatMap(([id, { message = id, translation = '', context }]) =>
      translation === '' || (contextFilter !== undefined && context !== contextFilter) ? [] : [[message, translation]],
    ),
  );
}

/**
 * Escapes the backslashes of a value: Lingui decodes `\x5c` and similar escapes in the whole text.
 */
const escapeBackslash = (value: string | number): string | number =>
  typeof value === 'string' ? value.replaceAll('\\', '\\x5c') : value;

function createTranslator(language: LanguageCode): Translator {
  const translations = [...readCatalogue(`server/words/${language}.po`)];
  const messages = Object.fromEntries(translations.map(([id, text]) => [id, compileMessage(text)]));
  const catalogue = setupI18n({ locale: language, messages: { [language]: messages } }).setMessagesCompiler(compileMessage);
  return {
    language,
    t: (text, values = {}) => {
      const literals = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeBackslash(value)]));
      return withArticles(language, catalogue._(text, literals));
    },
  };
}

/** Builds one value for each language of the shop. */
export const forEachLanguage = <Made>(create: (language: LanguageCode) => Made): Record<LanguageCode, Made> =>
  Object.fromEntries(languages.map((language) => [language, create(language)])) as Record<LanguageCode, Made>;

const translators = forEachLanguage(createTranslator);

/** The translator to a language. */
export const getTranslator = (language: LanguageCode): Translator => translators[language];
