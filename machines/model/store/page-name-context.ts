/** The context of page names in the catalogues: it tells them from labels of the same text. */
export const pageNameContext = 'name of a page';
