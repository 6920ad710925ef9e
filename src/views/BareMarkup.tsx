import { useCallback, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { prose } from './prose.ts';

const parseNames = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/**
 * The allowed elements, which the sanitiser keeps as well. With only the attributes below they are
 * harmless.
 */
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
/**
 * Attributes for loading pictures; the sanitised text has them as well, so it requests the same
 * pictures.
 */
const pictureAttributes = parseNames('crossorigin loading src srcset');
/**
 * Elements that are removed with their text; other elements that are not allowed are removed, but
 * keep their text.
 */
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

/**
 * Parses HTML in standards mode, as the page is, into an inert document that runs and loads
 * nothing; returns its body.
 */
const parseBody = (html: string): HTMLElement => new DOMParser().parseFromString(`<!doctype html>${html}`, 'text/html').body;

/**
 * HTML reduced to its layout, without scripts or links: the content below does not shift when the
 * sanitised text replaces it. The server, which has no such parser, waits for the sanitised text
 * and sends only that.
 */
export const BareMarkup = ({ html }: { html: string }): ReactElement => {
  const fill = useCallback(
    (target: HTMLElement | null) => {
      if (!target) return;
      // Unwrapping an element may change how the HTML is parsed, so it is parsed again, as the
      // sanitised text is.
      const copy = parseBody('');
      copyContent(parseBody(html), copy);
      // oxlint-disable-next-line no-self-assign -- it is parsed again
      copy.innerHTML = copy.innerHTML;
      target.replaceChildren();
      copyContent(copy, target);
    },
    [html],
  );
  return <chakra.div ref={fill} css={prose} />;
};
