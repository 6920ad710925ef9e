const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Whether a segment of a path can be an id; other values are not looked up. */
export const isId = (segment: string | undefined): segment is string => segment !== undefined && ID_PATTERN.test(segment);
/** Whether a segment of a path can be a name. */
export const isName = (segment: string | undefined): segment is string =>
  segment !== undefined && segment.length <= 300 && segment.isWellFormed() && !segment.includes('\u0000');
