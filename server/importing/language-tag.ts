import * as v from 'valibot';

/** A BCP 47 language tag, like en, fr-CA or zh-Hant. */
export const languageTagSchema = v.pipe(
  v.string(),
  v.maxLength(40),
  v.regex(/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i, 'not a language tag'),
);

/** Normalises a written language tag; undefined for an invalid one. */
export function toLanguageTag(text: string | undefined): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales((text ?? '').trim().replaceAll('_', '-'));
    return tag !== undefined && v.is(languageTagSchema, tag) && tag !== 'und' ? tag : undefined;
  } catch {
    return undefined;
  }
}
