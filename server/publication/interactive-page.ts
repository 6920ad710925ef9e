import { crc32 } from 'node:zlib';
import { decodeText } from './text-encoding.ts';

/**
 * Runs before any script of an interactive title, in browsers that know no `webrtc` directive (none does yet). It takes away the
 * interfaces that the content policy does not reach, and keeps the title from making a document that this script is not in:
 * by the policy, every text that becomes markup or a script passes its one Trusted Types policy.
 * It keeps the built-in functions that it calls, since the title may replace them later.
 */
const GUARD = `(() => {
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

/** Bytes of a page: one that carries all its pictures and sounds. */
export const MAX_INTERACTIVE_PAGE_BYTES = 16 * 2 ** 20;

/** A doctype at the very beginning, as browsers read it: up to the first `>`, even a quoted one. */
const DOCTYPE = /^[\t\n\f\r ]*<!doctype[^>]*>/i;

/** Of the same length, so that nothing else changes. */
const withoutInnerDocuments = (html: string): string => html.replaceAll(/(srcdo)c/gi, '$1_');

/**
 * A page of an interactive title as it is sent, in UTF-8: the guard is its first script. It follows nothing but a doctype, so no
 * markup of the page can come before it, hide it or end it.
 */
export function prepareInteractivePage(source: Uint8Array): { etag: string; body: Buffer } {
  const text = withoutInnerDocuments(decodeText(source, { asHtml: true }).replace(/^\uFEFF/, ''));
  const [doctype = ''] = DOCTYPE.exec(text) ?? [];
  const body = Buffer.from(`${doctype}<script>${GUARD}</script>${text.slice(doctype.length)}`);
  return { etag: `"${crc32(body).toString(16)}-${body.length.toString(16)}-play"`, body };
}
