const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Whether a part of an address can be an id; other values are not looked up. */
export const isId = (part: string | undefined): part is string => part !== undefined && ID.test(part);
/** Whether a part of an address can be a name. */
export const isName = (part: string | undefined): part is string =>
  part !== undefined && part.length <= 300 && part.isWellFormed() && !part.includes('\u0000');
