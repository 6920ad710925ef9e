import { toFileAddress } from './resource-addresses.ts';
import { createPage, XHTML_TYPE, XHTML_NAMESPACE } from './well-formed-page.ts';

/**
 * A page may load pictures, styles, fonts and sounds of its book, and no script. The policy comes
 * first in the page, since it applies only to the elements after it.
 */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'none'; img-src blob: data:; style-src blob: data: 'unsafe-inline'; " +
  "font-src blob: data:; media-src blob: data:; form-action 'none'; base-uri 'none'";

/**
 * Elements that add nothing to the text and could run code or load another page, or whose content
 * is parsed differently where scripts are allowed.
 */
const FORBIDDEN_ELEMENTS =
  'script, noscript, template, base, iframe, frameset, frame, object, embed, meta[http-equiv], ' +
  'link:not([rel~="stylesheet" i]), link[rel~="alternate" i]';

const toDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error(`The picture (${file.type}, ${file.size} bytes) was not read.`));
    reader.readAsDataURL(file);
  });

/** Makes a page's links absolute, since the page itself is loaded from memory. */
const resolveLinks = (doc: Document, address: string): void => {
  for (const link of doc.querySelectorAll('a[href], area[href]')) {
    const target = URL.parse(link.getAttribute('href') ?? '', address);
    if (target === null) link.removeAttribute('href');
    else link.setAttribute('href', target.href);
  }
};

/** Removes forbidden elements and handlers, and inserts the policy before all other elements. */
const insertPolicy = (doc: Document): void => {
  for (const element of doc.querySelectorAll(FORBIDDEN_ELEMENTS)) element.remove();
  for (const element of doc.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) if (/^on/i.test(name)) element.removeAttribute(name);
  const root = doc.documentElement;
  const isHead = ({ localName, namespaceURI }: Element) => localName === 'head' && namespaceURI === XHTML_NAMESPACE;
  const head = [...root.children].find(isHead) ?? doc.createElementNS(XHTML_NAMESPACE, 'head');
  root.prepend(head);
  const policy = doc.createElementNS(XHTML_NAMESPACE, 'meta');
  policy.setAttribute('http-equiv', 'Content-Security-Policy');
  policy.setAttribute('content', CONTENT_POLICY);
  head.prepend(policy);
  if (doc.querySelector('body') === null) root.append(doc.createElementNS(XHTML_NAMESPACE, 'body'));
  // Besides a stylesheet, the same link could request a preconnect.
  for (const link of doc.querySelectorAll('link')) link.setAttribute('rel', 'stylesheet');
};

const sandboxMarkup = (text: string, address: string): string => {
  const doc = new DOMParser().parseFromString(text, XHTML_TYPE);
  insertPolicy(doc);
  resolveLinks(doc, address);
  return new XMLSerializer().serializeToString(doc.documentElement);
};

/** A page of a book from its archive; text pages are XHTML. */
export type BookPage = { name: string; type: string; data: string | Blob };

/**
 * A page made safe for loading from memory, where no header can carry a policy: without scripts and
 * navigating elements, and with a policy that forbids both.
 * @param base the synthetic address of the book, which its links resolve against
 */
export const sandboxPage = async ({ name, type, data }: BookPage, base: string): Promise<{ type: string; data: string }> => {
  const address = toFileAddress(name, base);
  if (typeof data === 'string') return { type: XHTML_TYPE, data: sandboxMarkup(data, address) };
  const picture = type.startsWith('image/') ? `<img alt="" src="${await toDataUrl(data)}" style="max-width:100%"/>` : '';
  return { type: XHTML_TYPE, data: sandboxMarkup(createPage(picture), address) };
};
