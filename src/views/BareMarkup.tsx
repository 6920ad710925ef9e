import { useCallback, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { prose } from './prose.ts';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements that the sanitiser leaves, too. Without other attributes than those below they can do nothing. */
const kept = names(
  'a abbr acronym address area article aside audio b bdi bdo big blink blockquote br canvas caption center cite code col ' +
    'colgroup content data datalist dd decorator del details dfn dir div dl dt element em fieldset figcaption figure font ' +
    'footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label legend li main map mark marquee menu menuitem meter nav ' +
    'nobr ol optgroup option output p picture pre progress q rp rt ruby s samp search section shadow slot small source spacer ' +
    'span strike strong sub summary sup table tbody td template tfoot th thead time tr tt u ul var video wbr',
);
/** Attributes that lay out. */
const laysOut = names(
  'align alt border cellpadding cellspacing clear colspan controls dir face height hidden high label lang low max media min ' +
    'noshade nowrap open optimum popover reversed rowspan size sizes span start type valign value width wrap',
);
/** Where a picture is; it is asked for as the sanitised text will ask for it. */
const ofPictures = names('crossorigin loading src srcset');
/** What is no text to be read; of all other elements the text stays. */
const unread = names('head iframe math noembed noframes noscript plaintext script selectedcontent style svg title xmp');

const isOfPicture = ({ localName, parentElement }: Element, attribute: string): boolean =>
  ofPictures.has(attribute) &&
  (localName === 'img' || (localName === 'source' && parentElement?.localName === 'picture' && attribute === 'srcset'));

const copyAttributes = (from: Element, to: Element): void => {
  for (const { name, value } of from.attributes) if (laysOut.has(name) || isOfPicture(from, name)) to.setAttribute(name, value);
};

const copyContent = (from: Node, to: Element): void => {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.nodeValue ?? '');
    if (!(node instanceof Element) || unread.has(node.localName)) continue;
    if (!kept.has(node.localName)) copyContent(node, to);
    else {
      const copy = to.ownerDocument.createElement(node.localName);
      copyAttributes(node, copy);
      to.append(copy);
      copyContent(node, copy);
    }
  }
};

/** Parsed in standards mode, as the page is, into a document where nothing runs and nothing is fetched. */
const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(`<!doctype html>${html}`, 'text/html').body;

/**
 * HTML as it is laid out, with nothing that acts or leads anywhere: what stands below does not move when the sanitised text takes its
 * place. The server, which has no such document, waits for the sanitised text and sends only that.
 */
export const BareMarkup = ({ html }: { html: string }): ReactElement => {
  const fill = useCallback(
    (text: HTMLElement | null) => {
      if (!text) return;
      // Where an element goes and its content stays, what is left may be parsed otherwise: the sanitised text is parsed once more, too.
      const copy = bodyOf('');
      copyContent(bodyOf(html), copy);
      // oxlint-disable-next-line no-self-assign -- it is parsed anew
      copy.innerHTML = copy.innerHTML;
      text.replaceChildren();
      copyContent(copy, text);
    },
    [html],
  );
  return <chakra.div ref={fill} css={prose} />;
};
