import { SaxesParser } from 'saxes';
import { BrokenPublication, assertReadable } from './broken-publication.ts';

/**
 * An element of a parsed document. Attributes are by local name, those of EPUB and XML with the
 * prefixes `epub:` and `xml:`.
 */
export type XmlElement = { name: string; space: string; attributes: Record<string, string>; children: XmlNode[] };
export type XmlNode = XmlElement | string;

const EPUB_SPACE = 'http://www.idpf.org/2007/ops';
/**
 * Maximum nesting. Real documents have a few dozen levels, and browsers give up at some hundreds.
 */
export const MAX_DEPTH = 256;
/**
 * Maximum elements of a document that is kept as a tree. A thousand chapters need some thousands.
 */
const MAX_ELEMENTS = 250_000;

/**
 * HTML entities that books use without declaring them; beside these, only XML's own entities are
 * expanded.
 */
const entities: Record<string, string> = {
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  middot: '·',
  bull: '•',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  shy: '\u00ad',
  deg: '°',
  sect: '§',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  atilde: 'ã',
  auml: 'ä',
  aring: 'å',
  aelig: 'æ',
  ccedil: 'ç',
  egrave: 'è',
  eacute: 'é',
  ecirc: 'ê',
  euml: 'ë',
  iacute: 'í',
  icirc: 'î',
  iuml: 'ï',
  ntilde: 'ñ',
  oacute: 'ó',
  ocirc: 'ô',
  ouml: 'ö',
  oslash: 'ø',
  ugrave: 'ù',
  uacute: 'ú',
  ucirc: 'û',
  uuml: 'ü',
  szlig: 'ß',
  oelig: 'œ',
};

/**
 * Parses a document into a tree. No document type or external entity is ever loaded. Minor errors,
 * which many books have, are ignored. Throws BrokenPublication, naming the document, when it has no
 * root element, is nested too deeply or has too many elements.
 */
export function parseXml(source: string, documentName: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: false });
  Object.assign(parser.ENTITIES, entities);
  const virtualRoot: XmlElement = { name: '', space: '', attributes: {}, children: [] };
  const openElements = [virtualRoot];
  let elements = 0;
  const addNode = (node: XmlNode): void => void openElements.at(-1)?.children.push(node);
  parser.on('error', () => undefined);
  parser.on('opentag', ({ local, uri, attributes }) => {
    assertReadable(
      openElements.length <= MAX_DEPTH,
      `${documentName} is nested too deeply: expected at most ${MAX_DEPTH} levels`,
      'book_too_deep',
    );
    assertReadable(
      ++elements <= MAX_ELEMENTS,
      `${documentName} has too many elements: expected at most ${MAX_ELEMENTS}`,
      'book_too_many',
    );
    const element: XmlElement = { name: local, space: uri, attributes: {}, children: [] };
    for (const { uri: space, prefix, local: key, value } of Object.values(attributes)) {
      const attributePrefix = space === EPUB_SPACE ? 'epub:' : prefix === 'xml' ? 'xml:' : '';
      element.attributes[attributePrefix + key] = value;
    }
    addNode(element);
    openElements.push(element);
  });
  parser.on('closetag', () => void (openElements.length > 1 && openElements.pop()));
  parser.on('text', addNode);
  parser.on('cdata', addNode);
  parser.write(source).close();
  const root = getChildElements(virtualRoot)[0];
  if (root === undefined) throw new BrokenPublication(`${documentName} is not a readable document`);
  return root;
}

/** The child elements, optionally only those of one name. */
export function getChildElements(element: XmlElement | undefined, name?: string): XmlElement[] {
  const elements = (element?.children ?? []).filter((node) => typeof node !== 'string');
  return name === undefined ? elements : elements.filter((child) => child.name === name);
}

/** All descendants of one name, in document order. */
export function findDescendants(element: XmlElement | undefined, name: string): XmlElement[] {
  return getChildElements(element).flatMap((child) => [...(child.name === name ? [child] : []), ...findDescendants(child, name)]);
}

/** The text of an element with white space collapsed; pictures count as their alternative text. */
export function getText(element: XmlElement | undefined): string {
  return collectText(element).replace(/\s+/g, ' ').trim();
}

function collectText(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((node) => {
      if (typeof node === 'string') return node;
      return node.name === 'img' ? (node.attributes['alt'] ?? '') : collectText(node);
    })
    .join('');
}
