/**
 * The languages of the shop by BCP 47 tag, English first; each in its own language, for customers
 * who cannot read the others.
 */
export const languageNames = {
  en: 'English',
  zh: '中文',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
} as const;

export type LanguageCode = keyof typeof languageNames;

export const languages: readonly LanguageCode[] = Object.keys(languageNames) as LanguageCode[];
