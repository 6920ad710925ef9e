/** The address with a parameter added as it stands, so that a gateway still finds what it fills in. */
export const withParameter = (address: string, name: string, value: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`;

/** The languages of the storefront. */
const LANGUAGES = ['en', 'zh', 'es', 'fr', 'it'] as const;

export type PageLanguage = (typeof LANGUAGES)[number];

/** The first language of an Accept-Language list; undefined where the storefront does not speak it. */
export function firstLanguage(wishes: string): PageLanguage | undefined {
  const first = /^\s*([a-z]+)/i.exec(wishes)?.[1]?.toLowerCase();
  return LANGUAGES.find((language) => language === first);
}
