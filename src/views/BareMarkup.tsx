import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { chakra } from '../ui/chakra.ts';
import { prose } from './prose.ts';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** What lays text out and, without its attributes, can do nothing else. */
const laysOut = names(
  'address article aside b big blockquote br caption cite code dd details div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 ' +
    'header hr i kbd li mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead tr u ul var',
);
/** Where spaces between the elements are none of the text. */
const laysOutElements = names('table thead tbody tfoot tr');
/** What is no text to be read. */
const hidden = names('audio head iframe math noembed noscript object script style svg template textarea title video');

const drawn = (node: Node, key: number): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element) || hidden.has(node.localName)) return null;
  const inside = laysOutElements.has(node.localName) ? node.children : node.childNodes;
  const children = [...inside].map(drawn);
  return createElement(laysOut.has(node.localName) ? node.localName : Fragment, { key }, ...children);
};

/** Read by the browser into a document where nothing runs and nothing is fetched. */
const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/**
 * HTML as it is laid out, without links, pictures and any attribute: what stands below does not move when the sanitised text takes
 * its place.
 */
export const BareMarkup = ({ html }: { html: string }): ReactElement => (
  // The server, which has no parser, waits for the sanitised text and sends only that.
  <chakra.div css={prose}>{'DOMParser' in globalThis ? [...bodyOf(html).childNodes].map(drawn) : null}</chakra.div>
);
