/** On a page that a single large picture fills the renderer finds nothing and names the whole body. */
export const marksText = ({ startContainer }: Range): boolean => startContainer !== startContainer.ownerDocument?.body;
