import { type LanguageCode, languages } from '../../machines/model/store/language-names.ts';
import { escapeXml } from './xml/write.ts';

export type { LanguageCode } from '../../machines/model/store/language-names.ts';

/** The language of an answer, and the store's main language as its fallback. */
export type StoreLanguage = { language: LanguageCode; main: LanguageCode };

/**
 * A row's texts in languages other than the store's main one, which its columns hold; empty for
 * texts that are the same in every language.
 */
export type Translations<Field extends string = string> = Partial<Record<LanguageCode, Partial<Record<Field, string>>>>;

/** A text as a store provides it: one for all languages, or one for each of some languages. */
export type TextByLanguage = string | Partial<Record<LanguageCode, string>>;

/** An invalid text of a store; the message names the text and the reason. */
export class BadText extends Error {}

export const isLanguage = (text: string): text is LanguageCode => languages.some((code) => code === text);

const MAX_HEADER_CHARS = 500;

/**
 * The languages of an Accept-Language header without regions, the preferred one first (RFC 9110,
 * 12.5.4).
 */
function parseAcceptLanguage(header: string | undefined): string[] {
  const preferences = (header ?? '')
    .slice(0, MAX_HEADER_CHARS)
    .split(',')
    .flatMap((preference) => {
      const [, tag, quality] = /^\s*([a-z]+)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(preference) ?? [];
      return tag === undefined ? [] : [{ code: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }];
    });
  const accepted = preferences.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  return accepted.map(({ code }) => code);
}

/** The first language of an Accept-Language header that the shop has, by preference. */
export const findPreferredLanguage = (header: string | undefined): LanguageCode | undefined =>
  parseAcceptLanguage(header).find(isLanguage);

/**
 * The preferred language of an Accept-Language header; undefined where the shop does not have it.
 */
export function getFirstLanguage(header: string): LanguageCode | undefined {
  const [preferred = ''] = parseAcceptLanguage(header);
  return isLanguage(preferred) ? preferred : undefined;
}

type TranslatedRow<Field extends string> = { [key in Field]: string } & { translations: Translations<Field> };

/**
 * A text of a row in the given language; in the store's main language where it is not translated.
 */
export const localizeText = <Field extends string>(
  row: TranslatedRow<Field>,
  field: Field,
  { language }: Pick<StoreLanguage, 'language'>,
): string => row.translations[language]?.[field] ?? row[field];

const MARKUP = /<[a-z!/]|&(?:[a-z]+|#\w+);/i;

const toHtml = (text: string): string =>
  MARKUP.test(text)
    ? text
    : text
        .split(/\n{2,}/)
        .map((paragraph) => `<p>${escapeXml(paragraph)}</p>`)
        .join('');

/**
 * A text of a row like `localizeText`, for a text that may be HTML: where the store translates it,
 * text in another language than the page's gets a `lang` attribute, for screen readers.
 */
export function localizeHtml<Field extends string>(
  row: TranslatedRow<Field>,
  field: Field,
  { language, main }: StoreLanguage,
): string {
  const text = localizeText(row, field, { language });
  const isForeign =
    language !== main && row.translations[language]?.[field] === undefined && isTranslated(row.translations, field);
  // A value without spaces is a URL or empty.
  return isForeign && /\s/.test(text) ? `<div lang="${main}">${toHtml(text)}</div>` : text;
}

const isTranslated = <Field extends string>(translations: Translations<Field>, field: Field): boolean =>
  Object.values(translations).some((texts) => texts?.[field] !== undefined);

/** Whether a value is an object of texts by language; `readTexts` checks the languages. */
export const isByLanguage = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Splits a store's texts as its rows hold them: columns in the main language, `translations` in the
 * others.
 * @param subject the subject of the texts, for error messages
 * @throws BadText for an unknown language, for a value that is not a text, and without the main
 * language
 */
export function readTexts<Field extends string>(
  subject: string,
  fields: Record<Field, unknown>,
  main: LanguageCode,
): Record<Field, string> & { translations: Translations<Field> } {
  const texts: Partial<Record<Field, string>> = {};
  const translations: Translations<Field> = {};
  for (const field of Object.keys(fields) as Field[]) {
    const value = fields[field];
    const byLanguage = isByLanguage(value) ? value : { [main]: value };
    for (const [language, text] of Object.entries(byLanguage)) {
      if (!isLanguage(language))
        throw new BadText(`${subject}: "${language}" is not a language of the shop: expected ${languages.join(', ')}.`);
      if (typeof text !== 'string' || !text.isWellFormed() || text.includes('\u0000'))
        throw new BadText(`${subject}: the value for "${language}" must be a text.`);
      if (language === main) texts[field] = text;
      else translations[language] = { ...translations[language], [field]: text } as Partial<Record<Field, string>>;
    }
    if (texts[field] === undefined) throw new BadText(`${subject}: the store’s main language, "${main}", is missing.`);
  }
  return { ...(texts as Record<Field, string>), translations };
}
