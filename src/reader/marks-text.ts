/**
 * Whether a range from the renderer is a part of the text: on a page with only a large picture, it
 * is the whole body.
 */
export const isTextRange = ({ startContainer }: Range): boolean => startContainer !== startContainer.ownerDocument?.body;
