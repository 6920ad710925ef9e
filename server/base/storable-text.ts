/** PostgreSQL texts can hold neither NUL nor lone surrogates; JSON can express both. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
