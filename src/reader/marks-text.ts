/** On a page with nothing but a large picture, the renderer names the whole body as the range. */
export const marksText = ({ startContainer }: Range): boolean => startContainer !== startContainer.ownerDocument?.body;
