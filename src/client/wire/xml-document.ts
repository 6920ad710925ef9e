import { malformedProblem, throwProblem } from './problem.ts';
import { maxElementDepth, isField, toLocalName, maxElements, type XmlNode } from './xml-node.ts';

const toAttributeNode = ({ localName: name, value }: Attr): XmlNode => ({ name: toLocalName(name), text: value, children: [] });

const getOwnText = (element: Element): string =>
  [...element.childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE || nodeType === Node.CDATA_SECTION_NODE)
    .map(({ nodeValue }) => nodeValue ?? '')
    .join('');

const toNode = (call: string, element: Element, depth: number): XmlNode => {
  if (depth > maxElementDepth) return throwProblem(malformedProblem(call, '', 'the document is nested too deeply'));
  const attributes = [...element.attributes].filter(({ name }) => isField(name));
  const node: XmlNode = {
    name: toLocalName(element.nodeName),
    text: getOwnText(element),
    children: [...attributes.map(toAttributeNode), ...[...element.children].map((child) => toNode(call, child, depth + 1))],
  };
  // A 401 anywhere in a body ends the session (specification section 6).
  if (node.name === 'statuscode' && node.text.trim() === '401') return throwProblem({ kind: 'unauthorized' });
  return node;
};

/**
 * Parses a whole XML text with the browser's own parser, which adds no code to the page. Returns
 * null when that parser rejects the text (or is missing), so that the streaming reader gives the
 * reason. A text with a document type is not passed to it, since it would expand the entities
 * declared there.
 * @throws Problem `malformed` for a document that is too deep or too large, `unauthorized` when it
 * contains a 401.
 */
export const parseDocument = (call: string, text: string): XmlNode | null => {
  if (typeof DOMParser === 'undefined' || /<!doctype/i.test(text)) return null;
  const document = new DOMParser().parseFromString(text.trimStart(), 'application/xml');
  if (document.querySelector('parsererror')) return null;
  if (document.getElementsByTagName('*').length > maxElements)
    return throwProblem(malformedProblem(call, '', 'the document is too large'));
  return toNode(call, document.documentElement, 1);
};
