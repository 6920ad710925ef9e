import { placedStyle, type FindResource } from './resource-addresses.ts';

export const XHTML = 'application/xhtml+xml';
export const XHTML_NAME = 'http://www.w3.org/1999/xhtml';
const SVG_NAME = 'http://www.w3.org/2000/svg';
const XLINK_NAME = 'http://www.w3.org/1999/xlink';
const MATHML_NAME = 'http://www.w3.org/1998/Math/MathML';
/** Browsers show the elements of these names, and of others their text alone. */
const SHOWN_NAMES: readonly (string | null)[] = [XHTML_NAME, SVG_NAME, MATHML_NAME];
const isShown = ({ namespaceURI }: Element): boolean => SHOWN_NAMES.includes(namespaceURI);

/** Characters that XML cannot hold. */
const BEYOND_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const XML_NAME = /^[a-z_][\w.-]*$/i;

export const pageOf = (content: string, more = ''): string =>
  `<html xmlns="${XHTML_NAME}"><head>${more}</head><body style="margin:0">${content}</body></html>`;

/** The styles that instructions before the root name; others may run a transformation. */
const instructedStyles = (doc: Document): string[] => {
  const all = [...doc.childNodes].filter((node) => node.nodeType === Node.PROCESSING_INSTRUCTION_NODE);
  return all.flatMap((node) => {
    const { data, target } = node as ProcessingInstruction;
    const address = /href\s*=\s*["']([^"']+)/.exec(data)?.[1];
    return target === 'xml-stylesheet' && !/xsl/i.test(data) && address !== undefined ? [address] : [];
  });
};

const linkTo = (doc: Document, address: string): Element => {
  const link = doc.createElementNS(XHTML_NAME, 'link');
  link.setAttribute('rel', 'stylesheet');
  link.setAttribute('href', address);
  return link;
};

/** A copy, as attributes are removed on the way. */
const attributesOf = (element: Element): Attr[] => [...element.attributes];

/** An element in HTML under this name, with the attributes and the children of another. */
const asHtml = (element: Element, name: string): void => {
  const named = element.ownerDocument.createElementNS(XHTML_NAME, name);
  for (const attribute of attributesOf(element))
    if (attribute.name !== 'xmlns') named.setAttributeNode(element.removeAttributeNode(attribute));
  named.append(...element.childNodes);
  element.replaceWith(named);
};

/** Other XML, such as DTBook, is blank or runs together unless its elements are those of HTML. */
const nameAsHtml = (doc: Document): void => {
  if (isShown(doc.documentElement)) return;
  for (const element of doc.querySelectorAll('*')) if (!isShown(element)) asHtml(element, element.localName);
};

/** A drawing, or other XML, in a page: by itself it has no element that holds a policy. */
const wrapped = (doc: Document): Document => {
  nameAsHtml(doc);
  const root = doc.documentElement;
  const size = `0 0 ${root.getAttribute('width')} ${root.getAttribute('height')}`;
  const [, , width, height] = (root.getAttribute('viewBox') ?? size).split(/[\s,]+/).map(Number.parseFloat);
  const viewport = width && height ? `<meta name="viewport" content="width=${width}, height=${height}"/>` : '';
  const page = new DOMParser().parseFromString(pageOf('', viewport), XHTML);
  page.body.append(page.adoptNode(root));
  return page;
};

/** HTML allows names that XML does not. */
const nameAsXml = (doc: Document): void => {
  for (const element of doc.querySelectorAll('*')) {
    const language = element.getAttribute('xml:lang');
    for (const attribute of attributesOf(element))
      if (attribute.namespaceURI === null && (attribute.name === 'xmlns' || !XML_NAME.test(attribute.name)))
        element.removeAttributeNode(attribute);
    if (language !== null && !element.hasAttribute('lang')) element.setAttribute('lang', language);
    if (XML_NAME.test(element.localName)) continue;
    asHtml(element, 'span');
  }
};

const parsed = (text: string): Document => {
  const xml = new DOMParser().parseFromString(text, XHTML);
  const { localName, namespaceURI } = xml.documentElement;
  const isPage = localName === 'html' && namespaceURI === XHTML_NAME;
  const isOther = localName.toLowerCase() !== 'html' && namespaceURI !== null;
  if (xml.querySelector('parsererror') === null && (isPage || isOther)) {
    const styles = instructedStyles(xml);
    const page = isPage ? xml : wrapped(xml);
    page.querySelector('head')?.append(...styles.map((each) => linkTo(page, each)));
    return page;
  }
  const html = new DOMParser().parseFromString(text, 'text/html');
  nameAsXml(html);
  return html;
};

/** The addresses of a `srcset`, of the largest picture first. */
const candidates = (element: Element): string[] =>
  [...(element.getAttribute('srcset') ?? '').matchAll(/([^\s,](?:\S*[^\s,])?)(?:\s+([\d.]+)[wx])?/g)]
    .map(([, address = '', size = '1']) => ({ address, size: Number(size) }))
    .toSorted((one, other) => other.size - one.size)
    .map(({ address }) => address);

/** foliate rewrites no `srcset`: a picture gets the first of its sources that the book has. */
const placePictures = (doc: Document, find: FindResource): void => {
  for (const image of doc.querySelectorAll('img')) {
    const sources = [...(image.closest('picture')?.querySelectorAll('source') ?? [])];
    const addresses = [image.getAttribute('src') ?? '', ...[image, ...sources].flatMap(candidates)];
    const held = addresses.find((each) => /^data:/i.test(each) || find(each) !== null);
    if (held !== undefined) image.setAttribute('src', held);
    for (const source of sources) source.remove();
    image.removeAttribute('srcset');
    image.removeAttribute('sizes');
  }
};

/** foliate rewrites of SVG only `xlink:href`, and that of links too. */
const placeReferences = (doc: Document): void => {
  for (const element of doc.querySelectorAll('[*|href]')) {
    const address = element.getAttribute('href') ?? element.getAttributeNS(XLINK_NAME, 'href') ?? '';
    const isPicture = element.namespaceURI === SVG_NAME && /^(image|use|feImage)$/.test(element.localName);
    if (isPicture) {
      element.setAttributeNS(XLINK_NAME, 'xlink:href', address);
      element.removeAttribute('href');
    } else if (element.namespaceURI !== SVG_NAME || element.localName === 'a') {
      element.setAttribute('href', address);
      element.removeAttributeNS(XLINK_NAME, 'href');
    }
  }
};

/** Addresses of resources are written as foliate looks for them; those of links stay. */
const placeAddresses = (doc: Document, find: FindResource): void => {
  placePictures(doc, find);
  placeReferences(doc);
  for (const element of doc.querySelectorAll('[src], [poster], link[href], [*|href]:not([href])'))
    for (const attribute of attributesOf(element))
      if (/^(src|poster|href)$/.test(attribute.localName)) attribute.value = find(attribute.value) ?? attribute.value;
  for (const style of doc.querySelectorAll('style')) style.textContent = placedStyle(style.textContent, find);
  for (const element of doc.querySelectorAll('[style]'))
    element.setAttribute('style', placedStyle(element.getAttribute('style') ?? '', find));
};

const comments = (doc: Document): Node[] => {
  const walker = doc.createTreeWalker(doc, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
};

/**
 * A page of a book, from XHTML, HTML or other XML, as XHTML: it is parsed the same with scripts
 * allowed or not. Its addresses are where foliate looks for them.
 */
export const wellFormedPage = (text: string, find: FindResource): string => {
  const doc = parsed(text);
  for (const element of doc.querySelectorAll('noscript, template')) element.remove();
  for (const comment of comments(doc)) comment.parentNode?.removeChild(comment);
  placeAddresses(doc, find);
  return new XMLSerializer().serializeToString(doc.documentElement).replace(BEYOND_XML, '');
};
