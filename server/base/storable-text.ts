/** The database's texts hold neither NUL nor half a character; JSON can spell both. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
