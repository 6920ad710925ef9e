/** The tag by whose customs a language is written: English is British, its days as its spelling. */
export const regional = (language: string): string => (language === 'en' ? 'en-GB' : language);
