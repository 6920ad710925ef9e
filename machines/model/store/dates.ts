/** The BCP 47 tag with the region whose formats a language uses: English is British. */
export const toRegionalTag = (language: string): string => (language === 'en' ? 'en-GB' : language);
