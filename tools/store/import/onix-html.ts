import { getChildElements, type XmlElement, type XmlNode } from '../../../server/publication/xml-tree.ts';
import { escapeXml } from '../../../server/base/xml/write.ts';

/** XHTML elements that a description keeps; others are replaced by their text. */
const ALLOWED_TAGS = new Set([
  'p',
  'br',
  'em',
  'strong',
  'b',
  'i',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'sub',
  'sup',
  'blockquote',
  'h3',
  'h4',
]);
const DROPPED_TAGS = new Set(['script', 'style', 'head', 'title']);

function writeNode(node: XmlNode): string {
  if (typeof node === 'string') return escapeXml(node);
  if (DROPPED_TAGS.has(node.name)) return '';
  if (node.name === 'br') return '<br />';
  const content = node.children.map(writeNode).join('');
  return ALLOWED_TAGS.has(node.name) ? `<${node.name}>${content}</${node.name}>` : content;
}

/**
 * Converts an ONIX text to HTML: keeps the plain XHTML elements without attributes. HTML escaped
 * within XML (format 02) and plain text are unchanged; pages sanitise every description before they
 * show it.
 */
export function toHtml(text: XmlElement): string {
  if (getChildElements(text).length > 0) return text.children.map(writeNode).join('').trim();
  return text.children
    .filter((node) => typeof node === 'string')
    .join('')
    .trim();
}
