/**
 * On a page that contains only a large picture, the renderer reports the whole body as the range.
 */
export const isTextRange = ({ startContainer }: Range): boolean => startContainer !== startContainer.ownerDocument?.body;
