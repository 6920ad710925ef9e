import { malformed, raise } from './problem.ts';
import { deepestElement, isField, localName, mostElements, type XmlNode } from './xml-node.ts';

const valueOf = ({ localName: name, value }: Attr): XmlNode => ({ name: localName(name), text: value, children: [] });

const ownText = (element: Element): string =>
  [...element.childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE || nodeType === Node.CDATA_SECTION_NODE)
    .map(({ nodeValue }) => nodeValue ?? '')
    .join('');

const nodeOf = (call: string, element: Element, depth: number): XmlNode => {
  if (depth > deepestElement) return raise(malformed(call, '', 'the document is too large'));
  const attributes = [...element.attributes].filter(({ name }) => isField(name));
  const node: XmlNode = {
    name: localName(element.nodeName),
    text: ownText(element),
    children: [...attributes.map(valueOf), ...[...element.children].map((child) => nodeOf(call, child, depth + 1))],
  };
  // A 401 anywhere in a body ends the session (specification section 6).
  if (node.name === 'statuscode' && node.text.trim() === '401') return raise({ kind: 'unauthorized' });
  return node;
};

/**
 * Reads a whole XML text with the browser's own parser, which weighs nothing; null when that parser does not take the text
 * (or there is none), for the streaming reader to say why. A text that declares a document type is not given to it, since
 * it would read the entities declared there.
 * @throws Problem `malformed` for a document that is too deep or too large, `unauthorized` when it says 401.
 */
export const readDocument = (call: string, text: string): XmlNode | null => {
  if (typeof DOMParser === 'undefined' || /<!doctype/i.test(text)) return null;
  const document = new DOMParser().parseFromString(text.trimStart(), 'application/xml');
  if (document.querySelector('parsererror')) return null;
  if (document.getElementsByTagName('*').length > mostElements) return raise(malformed(call, '', 'the document is too large'));
  return nodeOf(call, document.documentElement, 1);
};
