/**
 * A page may load pictures, styles, fonts and sounds of its book, and no script. The policy comes
 * first in the page, since it applies to the elements that follow it.
 */
const POLICY =
  "default-src 'none'; script-src 'none'; img-src blob: data:; style-src blob: data: 'unsafe-inline'; " +
  "font-src blob: data:; media-src blob: data:; form-action 'none'; base-uri 'none'";

const XHTML = 'application/xhtml+xml';
const HTML = 'text/html';
const SVG = 'image/svg+xml';
const XHTML_NAME = 'http://www.w3.org/1999/xhtml';

/** Elements that add nothing to the text and could run code or load another page. */
const LEADING_AWAY = 'script, base, iframe, object, embed, meta[http-equiv], link:not([rel~="stylesheet" i])';

const pageOf = (content: string, more = ''): string =>
  `<html xmlns="${XHTML_NAME}"><head>${more}</head><body style="margin:0">${content}</body></html>`;

const dataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error('The picture could not be read.'));
    reader.readAsDataURL(file);
  });

/** The styles that instructions before the root name; others may run a transformation. */
const takeInstructions = (doc: Document): string[] => {
  const all = [...doc.childNodes].filter((node) => node.nodeType === Node.PROCESSING_INSTRUCTION_NODE);
  for (const node of all) node.remove();
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

/** Links of a page have no address to start from, as the page itself comes from memory. */
const anchorLinks = (doc: Document, address: string): void => {
  for (const link of doc.querySelectorAll('a[href], area[href]')) {
    const target = URL.parse(link.getAttribute('href') ?? '', address);
    if (target === null) link.removeAttribute('href');
    else link.setAttribute('href', target.href);
  }
};

/** A drawing, or other XML, in a page: by itself it has no element that holds a policy. */
const wrapped = (doc: Document): Document => {
  const root = doc.documentElement;
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const viewport = width && height ? `<meta name="viewport" content="width=${width}, height=${height}"/>` : '';
  const page = new DOMParser().parseFromString(pageOf('', viewport), XHTML);
  page.body.append(page.adoptNode(root));
  return page;
};

/** Puts the policy before all that it is for. */
const wall = (doc: Document): void => {
  for (const element of doc.querySelectorAll(LEADING_AWAY)) element.remove();
  for (const element of doc.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) if (/^on/i.test(name)) element.removeAttribute(name);
  const root = doc.documentElement;
  const isHead = ({ localName, namespaceURI }: Element) => localName === 'head' && namespaceURI === XHTML_NAME;
  const first = [...root.children].find(isHead) ?? doc.createElementNS(XHTML_NAME, 'head');
  root.prepend(first);
  const policy = doc.createElementNS(XHTML_NAME, 'meta');
  policy.setAttribute('http-equiv', 'Content-Security-Policy');
  policy.setAttribute('content', POLICY);
  first.prepend(policy);
};

const walled = (text: string, type: string, address: string): string => {
  const parsed = new DOMParser().parseFromString(text, type as DOMParserSupportedType);
  const styles = takeInstructions(parsed);
  const { localName, namespaceURI } = parsed.documentElement;
  const doc = localName === 'html' && namespaceURI === XHTML_NAME ? parsed : wrapped(parsed);
  wall(doc);
  doc.head.append(...styles.map((each) => linkTo(doc, each)));
  anchorLinks(doc, address);
  return type === HTML ? `<!doctype html>${doc.documentElement.outerHTML}` : new XMLSerializer().serializeToString(doc);
};

/** A page of a book as it came out of its archive. */
export type BookPage = { name: string; type: string; data: string | Blob };

/**
 * The page as it may be shown from memory, where no header can hold a policy: without scripts and
 * what leads away, behind a policy that forbids both.
 * @param base the made-up address of the book, to which its links lead
 */
export const walledPage = async ({ name, type, data }: BookPage, base: string): Promise<{ type: string; data: string }> => {
  const address = `${base}${name.split('/').map(encodeURIComponent).join('/')}`;
  if (typeof data === 'string' && [XHTML, HTML, SVG].includes(type))
    return { type: type === HTML ? HTML : XHTML, data: walled(data, type, address) };
  const picture =
    typeof data !== 'string' && type.startsWith('image/')
      ? `<img alt="" src="${await dataUrl(data)}" style="max-width:100%"/>`
      : '';
  return { type: XHTML, data: walled(pageOf(picture), XHTML, address) };
};
