/**
 * Addresses and colours out of answers, which are untrusted: what a browser would run is dropped, relative addresses
 * become whole ones. Every function gives an empty text for what it drops.
 */
/** What relative addresses are relative to. */
export type Base = {
  href: string;
  /** Whether the pages come from there as well. */
  isOwn: boolean;
};

const longest = 4000;

const addressOf = (text: string, { href }: Base): URL | null => (URL.canParse(text, href) ? new URL(text, href) : null);

const webAddressOf = (text: string | undefined, base: Base): URL | null => {
  const url = text && text.length <= longest ? addressOf(text, base) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
};

/** An http(s) address. */
export const webAddress = (text: string | undefined, base: Base): string => webAddressOf(text, base)?.href ?? '';

/**
 * An http(s) address for a page to show or lead to. What lies beside the page goes without its origin: a server that paints pages behind a
 * proxy may know itself by another one than browsers do, and both must come to the same screen.
 */
export const pageAddress = (text: string | undefined, base: Base): string => {
  const url = webAddressOf(text, base);
  const isBeside = base.isOwn && url?.origin === new URL(base.href).origin;
  return isBeside ? url.pathname + url.search + url.hash : (url?.href ?? '');
};

const inlinePicture = /^data:image\/(png|jpeg|webp|gif|avif|svg\+xml)[;,]/i;
const longestPicture = 100_000;

/** The same or an inline picture, for an `img` only: there a picture runs nothing. */
export const pictureAddress = (text: string | undefined, base: Base): string =>
  text !== undefined && text.length <= longestPicture && inlinePicture.test(text) ? text : pageAddress(text, base);

/** A hex colour; anything else could carry more style than a colour. */
export const colour = (text: string | undefined): string =>
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text ?? '') ? (text ?? '') : '';

/** An e-mail address and nothing behind it, as it goes into `mailto:`. */
export const emailAddress = (text = ''): string => (/^[\p{L}\p{N}._+'-]+@[\p{L}\p{N}.-]+$/u.test(text) ? text : '');

const running = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:']);

/** Text that may be an address, a word or a document, kept as it stands unless a browser would run it as an address. */
export const harmless = (text: string | undefined, base: Base): string =>
  text !== undefined && !running.has(addressOf(text, base)?.protocol ?? '') ? text : '';
