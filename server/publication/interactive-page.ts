import { crc32 } from 'node:zlib';
import { copyToOwnMemory } from '../base/copy-buffer.ts';
import { decodeText } from './text-encoding.ts';

/**
 * Runs before any script of an interactive title. It removes the interfaces that the content policy
 * does not cover (at present, all browsers lack its `webrtc` directive), and keeps the title from
 * creating a document without this script: by the policy, every text that becomes markup or a
 * script passes its single Trusted Types policy. It saves the built-in functions that it calls,
 * since the title may replace them later.
 */
const GUARD_SCRIPT = `(() => {
  const { apply } = Reflect;
  const { includes, toLowerCase } = String.prototype;
  const holds = (text, part) => apply(includes, apply(toLowerCase, text, []), [part]);
  for (const name of Object.getOwnPropertyNames(self))
    if (/^(?:webkit|moz)?RTC|^WebTransport|^XSLTProcessor$/.test(name)) delete self[name];
  self.trustedTypes?.createPolicy('default', {
    createHTML(html, _, sink) {
      const refused = sink === 'Document write' || sink === 'Document writeln' || sink === 'HTMLIFrameElement srcdoc';
      return refused || holds(html, 'srcdoc') || holds(html, '<!entity') ? null : html;
    },
    createScript: (script, _, sink) => (sink === 'Location href' ? null : script),
    createScriptURL: (url) => url,
  });
  document.currentScript.remove();
})()`;

const SPACE = /[\t\n\f\r ]*/y;
const COMMENT_END = /--!?>/g;

/**
 * The end of a page's doctype, as browsers find it after spaces, comments and an XML declaration
 * (HTML, 13.2.5 and 13.2.6.4.1); 0 for a page without one, which is in quirks mode with and without
 * the guard. Not a single regular expression, since backtracking could re-enter a comment that has
 * ended.
 */
function findDoctypeEnd(text: string): number {
  let index = 0;
  for (;;) {
    SPACE.lastIndex = index;
    SPACE.test(text);
    index = SPACE.lastIndex;
    const comment = text.startsWith('<!--', index);
    const start = text.slice(index, index + '<!doctype'.length).toLowerCase();
    if (!comment && start !== '<!doctype' && !/^<\?xml[\t\n\f\r ]/.test(start)) return 0;
    const end = comment ? findCommentEnd(text, index) : text.indexOf('>', index) + 1;
    if (end === 0 || start === '<!doctype') return end;
    index = end;
  }
}

/** The index after a comment that starts at `index`; 0 for a comment that never ends. */
function findCommentEnd(text: string, index: number): number {
  COMMENT_END.lastIndex = index + '<!--'.length;
  const abrupt = /^-?>/.exec(text.slice(COMMENT_END.lastIndex, COMMENT_END.lastIndex + 2));
  if (abrupt) return COMMENT_END.lastIndex + abrupt[0].length;
  return COMMENT_END.test(text) ? COMMENT_END.lastIndex : 0;
}

/** Disables `srcdoc` attributes by a replacement of the same length. */
const disableInnerDocuments = (html: string): string => html.replaceAll(/(srcdo)c/gi, '$1_');

/** A page as it is sent. */
export type GuardedPage = { etag: string; body: Buffer };

/**
 * A page of an interactive title as it is sent, in UTF-8: the guard is its first script. Only
 * spaces, comments, an XML declaration and the doctype may precede it, so no markup of the page can
 * run before it, hide it or close it.
 */
export function prepareInteractivePage(source: Uint8Array): GuardedPage {
  const text = disableInnerDocuments(decodeText(source, { asHtml: true }).replace(/^\uFEFF/, ''));
  const scriptIndex = findDoctypeEnd(text);
  const body = copyToOwnMemory(
    Buffer.from(`${text.slice(0, scriptIndex)}<script>${GUARD_SCRIPT}</script>${text.slice(scriptIndex)}`),
  );
  return { etag: `"${crc32(body).toString(16)}-${body.length.toString(16)}-play"`, body };
}
