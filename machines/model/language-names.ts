/** The languages of the shop, each in its own words, for those who cannot read the others. */
export const languageNames = { en: 'English', zh: '中文', es: 'Español', fr: 'Français', it: 'Italiano' } as const;
