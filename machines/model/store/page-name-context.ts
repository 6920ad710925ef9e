/**
 * The message context of page names in the catalogues, which separates them from labels with the
 * same text.
 */
export const pageNameContext = 'name of a page';
