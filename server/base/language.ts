import { type LanguageCode, languages } from '../../machines/model/store/language-names.ts';
import { escapeXml } from './xml/write.ts';

export type { LanguageCode } from '../../machines/model/store/language-names.ts';

/** What an answer is to speak, and what the store speaks where it lacks that. */
export type Spoken = { language: LanguageCode; main: LanguageCode };

/** A row's texts in other languages than the store's main one, which its columns hold; none for texts of no certain language. */
export type Translations<Field extends string = string> = Partial<Record<LanguageCode, Partial<Record<Field, string>>>>;

/** A text as a store gives it: one for everybody, or one for each of some languages. */
export type GivenText = string | Partial<Record<LanguageCode, string>>;

/** A text of the store's own that cannot be taken; the message says which and why. */
export class BadText extends Error {}

export const isLanguage = (text: string): text is LanguageCode => languages.some((code) => code === text);

const MAX_HEADER_CHARS = 500;

/**
 * The languages of an Accept-Language header without their regions, the most wanted first (RFC
 * 9110, 12.5.4).
 */
function wantedIn(header: string | undefined): string[] {
  const wishes = (header ?? '')
    .slice(0, MAX_HEADER_CHARS)
    .split(',')
    .flatMap((wish) => {
      const [, tag, quality] = /^\s*([a-z]+)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(wish) ?? [];
      return tag === undefined ? [] : [{ code: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }];
    });
  const wanted = wishes.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  return wanted.map(({ code }) => code);
}

/** The most wanted language of an Accept-Language header that the shop speaks. */
export const languageWanted = (header: string | undefined): LanguageCode | undefined => wantedIn(header).find(isLanguage);

/** The most wanted language of all; undefined where the shop does not speak it. */
export function firstLanguage(header: string): LanguageCode | undefined {
  const [first = ''] = wantedIn(header);
  return isLanguage(first) ? first : undefined;
}

type Translated<Field extends string> = { [key in Field]: string } & { translations: Translations<Field> };

/** A text of a row in the language that is to be spoken; in the store's main language where it has no such translation. */
export const textIn = <Field extends string>(
  row: Translated<Field>,
  field: Field,
  { language }: Pick<Spoken, 'language'>,
): string => row.translations[language]?.[field] ?? row[field];

const MARKUP = /<[a-z!/]|&(?:[a-z]+|#\w+);/i;

const asHtml = (text: string): string =>
  MARKUP.test(text)
    ? text
    : text
        .split(/\n{2,}/)
        .map((paragraph) => `<p>${escapeXml(paragraph)}</p>`)
        .join('');

/** The same for a text that may be HTML: one that is not in the language of the page says in which it is, for screen readers. */
export function htmlIn<Field extends string>(row: Translated<Field>, field: Field, { language, main }: Spoken): string {
  const text = textIn(row, field, { language });
  const isForeign =
    language !== main && row.translations[language]?.[field] === undefined && isTranslated(row.translations, field);
  // What has no blank is an address, or nothing.
  return isForeign && /\s/.test(text) ? `<div lang="${main}">${asHtml(text)}</div>` : text;
}

const isTranslated = <Field extends string>(translations: Translations<Field>, field: Field): boolean =>
  Object.values(translations).some((texts) => texts?.[field] !== undefined);

/** Whether a value gives a text for each of some languages; whether these are right, `readTexts` says. */
export const isByLanguage = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A store's texts as its row keeps them: in the main language in their columns, in others among the translations.
 * @param what whose they are, for the message
 * @throws BadText for a language that the shop does not speak, for what is no text, and where the main language is missing
 */
export function readTexts<Field extends string>(
  what: string,
  given: Record<Field, unknown>,
  main: LanguageCode,
): Record<Field, string> & { translations: Translations<Field> } {
  const texts: Partial<Record<Field, string>> = {};
  const translations: Translations<Field> = {};
  for (const field of Object.keys(given) as Field[]) {
    const value = given[field];
    const byLanguage = isByLanguage(value) ? value : { [main]: value };
    for (const [language, text] of Object.entries(byLanguage)) {
      if (!isLanguage(language))
        throw new BadText(`${what}: "${language}" is not a language of the shop: expected ${languages.join(', ')}.`);
      if (typeof text !== 'string' || !text.isWellFormed() || text.includes('\u0000'))
        throw new BadText(`${what}: what is given for "${language}" is no text.`);
      if (language === main) texts[field] = text;
      else translations[language] = { ...translations[language], [field]: text } as Partial<Record<Field, string>>;
    }
    if (texts[field] === undefined) throw new BadText(`${what}: the store’s main language, "${main}", is missing.`);
  }
  return { ...(texts as Record<Field, string>), translations };
}
