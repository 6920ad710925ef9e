import { rewriteStyle, type FindResource } from './resource-addresses.ts';

export const XHTML_TYPE = 'application/xhtml+xml';
export const XHTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
const MATHML_NAMESPACE = 'http://www.w3.org/1998/Math/MathML';
/** Namespaces whose elements browsers render; of others they show only the text. */
const SHOWN_NAMESPACES: readonly (string | null)[] = [XHTML_NAMESPACE, SVG_NAMESPACE, MATHML_NAMESPACE];
const isShown = ({ namespaceURI }: Element): boolean => SHOWN_NAMESPACES.includes(namespaceURI);

/** Characters that XML does not allow. */
const NON_XML_CHARACTERS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const XML_NAME = /^[a-z_][\w.-]*$/i;

export const createPage = (content: string, headContent = ''): string =>
  `<html xmlns="${XHTML_NAMESPACE}"><head>${headContent}</head><body style="margin:0">${content}</body></html>`;

/** The stylesheets in processing instructions before the root; others may run a transformation. */
const getInstructedStyles = (doc: Document): string[] => {
  const instructions = [...doc.childNodes].filter((node) => node.nodeType === Node.PROCESSING_INSTRUCTION_NODE);
  return instructions.flatMap((node) => {
    const { data, target } = node as ProcessingInstruction;
    const address = /href\s*=\s*["']([^"']+)/.exec(data)?.[1];
    return target === 'xml-stylesheet' && !/xsl/i.test(data) && address !== undefined ? [address] : [];
  });
};

const createStyleLink = (doc: Document, address: string): Element => {
  const link = doc.createElementNS(XHTML_NAMESPACE, 'link');
  link.setAttribute('rel', 'stylesheet');
  link.setAttribute('href', address);
  return link;
};

/** A copy of an element's attributes, for loops that remove them. */
const copyAttributes = (element: Element): Attr[] => [...element.attributes];

/** Replaces an element with an HTML element of this name, with its attributes and children. */
const replaceWithHtml = (element: Element, name: string): void => {
  const replacement = element.ownerDocument.createElementNS(XHTML_NAMESPACE, name);
  for (const attribute of copyAttributes(element))
    if (attribute.name !== 'xmlns') replacement.setAttributeNode(element.removeAttributeNode(attribute));
  replacement.append(...element.childNodes);
  element.replaceWith(replacement);
};

/** Makes elements of other XML, such as DTBook, HTML: browsers would show blank or running text. */
const convertToHtml = (doc: Document): void => {
  if (isShown(doc.documentElement)) return;
  for (const element of doc.querySelectorAll('*')) if (!isShown(element)) replaceWithHtml(element, element.localName);
};

/** Wraps a drawing or other XML in a page: by itself it has no element that can hold a policy. */
const wrapInPage = (doc: Document): Document => {
  convertToHtml(doc);
  const root = doc.documentElement;
  const size = `0 0 ${root.getAttribute('width')} ${root.getAttribute('height')}`;
  const [, , width, height] = (root.getAttribute('viewBox') ?? size).split(/[\s,]+/).map(Number.parseFloat);
  const viewport = width && height ? `<meta name="viewport" content="width=${width}, height=${height}"/>` : '';
  const page = new DOMParser().parseFromString(createPage('', viewport), XHTML_TYPE);
  page.body.append(page.adoptNode(root));
  return page;
};

/** Replaces elements and removes attributes whose names HTML allows and XML does not. */
const convertNames = (doc: Document): void => {
  for (const element of doc.querySelectorAll('*')) {
    const language = element.getAttribute('xml:lang');
    for (const attribute of copyAttributes(element))
      if (attribute.namespaceURI === null && (attribute.name === 'xmlns' || !XML_NAME.test(attribute.name)))
        element.removeAttributeNode(attribute);
    if (language !== null && !element.hasAttribute('lang')) element.setAttribute('lang', language);
    if (XML_NAME.test(element.localName)) continue;
    replaceWithHtml(element, 'span');
  }
};

const parsePage = (text: string): Document => {
  const xml = new DOMParser().parseFromString(text, XHTML_TYPE);
  const { localName, namespaceURI } = xml.documentElement;
  const isPage = localName === 'html' && namespaceURI === XHTML_NAMESPACE;
  const isOtherXml = localName.toLowerCase() !== 'html' && namespaceURI !== null;
  if (xml.querySelector('parsererror') === null && (isPage || isOtherXml)) {
    const styles = getInstructedStyles(xml);
    const page = isPage ? xml : wrapInPage(xml);
    page.querySelector('head')?.append(...styles.map((each) => createStyleLink(page, each)));
    return page;
  }
  const html = new DOMParser().parseFromString(text, 'text/html');
  convertNames(html);
  return html;
};

/** The addresses of a `srcset`, the largest picture first. */
const getSources = (element: Element): string[] =>
  [...(element.getAttribute('srcset') ?? '').matchAll(/([^\s,](?:\S*[^\s,])?)(?:\s+([\d.]+)[wx])?/g)]
    .map(([, address = '', size = '1']) => ({ address, size: Number(size) }))
    .toSorted((one, other) => other.size - one.size)
    .map(({ address }) => address);

/** Gives a picture the first of its sources in the book, since foliate rewrites no `srcset`. */
const rewritePictures = (doc: Document, find: FindResource): void => {
  for (const image of doc.querySelectorAll('img')) {
    const sources = [...(image.closest('picture')?.querySelectorAll('source') ?? [])];
    const addresses = [image.getAttribute('src') ?? '', ...[image, ...sources].flatMap(getSources)];
    const available = addresses.find((each) => /^data:/i.test(each) || find(each) !== null);
    if (available !== undefined) image.setAttribute('src', available);
    for (const source of sources) source.remove();
    image.removeAttribute('srcset');
    image.removeAttribute('sizes');
  }
};

/** Sets `xlink:href` on SVG pictures only: in SVG, foliate rewrites it, also on links. */
const rewriteReferences = (doc: Document): void => {
  for (const element of doc.querySelectorAll('[*|href]')) {
    const address = element.getAttribute('href') ?? element.getAttributeNS(XLINK_NAMESPACE, 'href') ?? '';
    const isPicture = element.namespaceURI === SVG_NAMESPACE && /^(image|use|feImage)$/.test(element.localName);
    if (isPicture) {
      element.setAttributeNS(XLINK_NAMESPACE, 'xlink:href', address);
      element.removeAttribute('href');
    } else if (element.namespaceURI !== SVG_NAMESPACE || element.localName === 'a') {
      element.setAttribute('href', address);
      element.removeAttributeNS(XLINK_NAMESPACE, 'href');
    }
  }
};

/** Rewrites resources' addresses as foliate looks them up; those of links stay. */
const rewriteAddresses = (doc: Document, find: FindResource): void => {
  rewritePictures(doc, find);
  rewriteReferences(doc);
  for (const element of doc.querySelectorAll('[src], [poster], link[href], [*|href]:not([href])'))
    for (const attribute of copyAttributes(element))
      if (/^(src|poster|href)$/.test(attribute.localName)) attribute.value = find(attribute.value) ?? attribute.value;
  for (const style of doc.querySelectorAll('style')) style.textContent = rewriteStyle(style.textContent, find);
  for (const element of doc.querySelectorAll('[style]'))
    element.setAttribute('style', rewriteStyle(element.getAttribute('style') ?? '', find));
};

const findComments = (doc: Document): Node[] => {
  const walker = doc.createTreeWalker(doc, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  return comments;
};

/**
 * Converts a page of a book, from XHTML, HTML or other XML, to XHTML that is parsed the same with
 * scripts allowed or not. Its addresses are as foliate looks them up.
 */
export const toWellFormedPage = (text: string, find: FindResource): string => {
  const doc = parsePage(text);
  for (const element of doc.querySelectorAll('noscript, template')) element.remove();
  for (const comment of findComments(doc)) comment.parentNode?.removeChild(comment);
  rewriteAddresses(doc, find);
  return new XMLSerializer().serializeToString(doc.documentElement).replace(NON_XML_CHARACTERS, '');
};
