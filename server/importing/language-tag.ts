import * as v from 'valibot';

/** A language as BCP 47 writes it, like en, fr-CA or zh-Hant. */
export const languageTag = v.pipe(v.string(), v.maxLength(40), v.regex(/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i, 'no language tag'));

/** The tag that somebody wrote, in the usual letters; undefined for what is none. */
export function toLanguageTag(written: string | undefined): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales((written ?? '').trim().replaceAll('_', '-'));
    return tag !== undefined && v.is(languageTag, tag) && tag !== 'und' ? tag : undefined;
  } catch {
    return undefined;
  }
}
