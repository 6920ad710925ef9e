import { useCallback, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { prose } from './prose.ts';

const parseNames = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements that the sanitiser keeps, too. They are harmless with only the attributes below. */
const allowedElements = parseNames(
  'a abbr acronym address area article aside audio b bdi bdo big blink blockquote br canvas caption center cite code col ' +
    'colgroup content data datalist dd decorator del details dfn dir div dl dt element em fieldset figcaption figure font ' +
    'footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label legend li main map mark marquee menu menuitem meter nav ' +
    'nobr ol optgroup option output p picture pre progress q rp rt ruby s samp search section shadow slot small source spacer ' +
    'span strike strong sub summary sup table tbody td template tfoot th thead time tr tt u ul var video wbr',
);
/** Attributes that affect the layout. */
const layoutAttributes = parseNames(
  'align alt border cellpadding cellspacing clear colspan controls dir face height hidden high label lang low max media min ' +
    'noshade nowrap open optimum popover reversed rowspan size sizes span start type valign value width wrap',
);
/** Attributes for loading pictures, with which the sanitised text will request them as well. */
const pictureAttributes = parseNames('crossorigin loading src srcset');
/** Elements whose text is not meant to be read; of all other removed elements the text stays. */
const droppedElements = parseNames(
  'head iframe math noembed noframes noscript plaintext script selectedcontent style svg title xmp',
);

const isPictureAttribute = ({ localName, parentElement }: Element, attribute: string): boolean =>
  pictureAttributes.has(attribute) &&
  (localName === 'img' || (localName === 'source' && parentElement?.localName === 'picture' && attribute === 'srcset'));

const copyAttributes = (from: Element, to: Element): void => {
  for (const { name, value } of from.attributes)
    if (layoutAttributes.has(name) || isPictureAttribute(from, name)) to.setAttribute(name, value);
};

const copyContent = (from: Node, to: Element): void => {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.nodeValue ?? '');
    if (!(node instanceof Element) || droppedElements.has(node.localName)) continue;
    if (!allowedElements.has(node.localName)) copyContent(node, to);
    else {
      const copy = to.ownerDocument.createElement(node.localName);
      copyAttributes(node, copy);
      to.append(copy);
      copyContent(node, copy);
    }
  }
};

/** Parsed in standards mode, as the page is, into an inert document that runs and loads nothing. */
const parseBody = (html: string): HTMLElement => new DOMParser().parseFromString(`<!doctype html>${html}`, 'text/html').body;

/**
 * HTML reduced to its layout, without scripts or links: the content below does not shift when the
 * sanitised text replaces it. The server, which has no such parser, waits for the sanitised text
 * and sends only that.
 */
export const BareMarkup = ({ html }: { html: string }): ReactElement => {
  const fill = useCallback(
    (text: HTMLElement | null) => {
      if (!text) return;
      // Unwrapping an element may change how the rest is parsed: the sanitised text is parsed a
      // second time, too.
      const copy = parseBody('');
      copyContent(parseBody(html), copy);
      // oxlint-disable-next-line no-self-assign -- it is parsed again
      copy.innerHTML = copy.innerHTML;
      text.replaceChildren();
      copyContent(copy, text);
    },
    [html],
  );
  return <chakra.div ref={fill} css={prose} />;
};
