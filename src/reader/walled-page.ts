import { addressOf } from './resource-addresses.ts';
import { pageOf, XHTML, XHTML_NAME } from './well-formed-page.ts';

/**
 * A page may load pictures, styles, fonts and sounds of its book, and no script. The policy comes
 * first in the page, since it applies to the elements that follow it.
 */
const POLICY =
  "default-src 'none'; script-src 'none'; img-src blob: data:; style-src blob: data: 'unsafe-inline'; " +
  "font-src blob: data:; media-src blob: data:; form-action 'none'; base-uri 'none'";

/**
 * Elements that add nothing to the text and could run code or load another page, or whose content
 * is read in another way where scripts are allowed.
 */
const LEADING_AWAY =
  'script, noscript, template, base, iframe, frameset, frame, object, embed, meta[http-equiv], ' +
  'link:not([rel~="stylesheet" i]), link[rel~="alternate" i]';

const dataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error('The picture could not be read.'));
    reader.readAsDataURL(file);
  });

/** Links of a page have no address to start from, as the page itself comes from memory. */
const anchorLinks = (doc: Document, address: string): void => {
  for (const link of doc.querySelectorAll('a[href], area[href]')) {
    const target = URL.parse(link.getAttribute('href') ?? '', address);
    if (target === null) link.removeAttribute('href');
    else link.setAttribute('href', target.href);
  }
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
  if (doc.querySelector('body') === null) root.append(doc.createElementNS(XHTML_NAME, 'body'));
  // Beside a style, the same link could ask for a connection.
  for (const link of doc.querySelectorAll('link')) link.setAttribute('rel', 'stylesheet');
};

const walled = (text: string, address: string): string => {
  const doc = new DOMParser().parseFromString(text, XHTML);
  wall(doc);
  anchorLinks(doc, address);
  return new XMLSerializer().serializeToString(doc.documentElement);
};

/** A page of a book as it came out of its archive; texts are in XHTML. */
export type BookPage = { name: string; type: string; data: string | Blob };

/**
 * The page as it may be shown from memory, where no header can hold a policy: without scripts and
 * what leads away, behind a policy that forbids both.
 * @param base the made-up address of the book, to which its links lead
 */
export const walledPage = async ({ name, type, data }: BookPage, base: string): Promise<{ type: string; data: string }> => {
  const address = addressOf(name, base);
  if (typeof data === 'string') return { type: XHTML, data: walled(data, address) };
  const picture = type.startsWith('image/') ? `<img alt="" src="${await dataUrl(data)}" style="max-width:100%"/>` : '';
  return { type: XHTML, data: walled(pageOf(picture), address) };
};
