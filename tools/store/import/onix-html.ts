import { elementsOf, type XmlElement, type XmlNode } from '../../../server/publication/xml-tree.ts';
import { escapeXml } from '../../../server/base/xml/write.ts';

/** Elements of XHTML that a description keeps; of others the text stays. */
const KEPT = new Set([
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
const SILENT = new Set(['script', 'style', 'head', 'title']);

function written(node: XmlNode): string {
  if (typeof node === 'string') return escapeXml(node);
  if (SILENT.has(node.name)) return '';
  if (node.name === 'br') return '<br />';
  const inside = node.children.map(written).join('');
  return KEPT.has(node.name) ? `<${node.name}>${inside}</${node.name}>` : inside;
}

/**
 * A text of ONIX as HTML: of XHTML the plain elements without their attributes. Text that is written as HTML within XML (format 02) or
 * without any markup stays as it is; pages clean every description of a store before they show it.
 */
export function onixHtml(text: XmlElement): string {
  if (elementsOf(text).length > 0) return text.children.map(written).join('').trim();
  return text.children
    .filter((node) => typeof node === 'string')
    .join('')
    .trim();
}
