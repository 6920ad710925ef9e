/**
 * Addresses and colours out of answers, which are untrusted: what a browser would run is dropped, relative addresses
 * become absolute. Every function gives an empty text for what it drops.
 */
const longest = 4000;

const addressOf = (text: string, base: string): URL | null => (URL.canParse(text, base) ? new URL(text, base) : null);

/** An http(s) address. */
export const webAddress = (text: string | undefined, base: string): string => {
  const url = text && text.length <= longest ? addressOf(text, base) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : '';
};

const inlinePicture = /^data:image\/(png|jpeg|webp|gif|avif|svg\+xml)[;,]/i;
const longestPicture = 100_000;

/** An http(s) address or an inline picture, for an `img` only: there a picture runs nothing. */
export const pictureAddress = (text: string | undefined, base: string): string =>
  text !== undefined && text.length <= longestPicture && inlinePicture.test(text) ? text : webAddress(text, base);

/** A hex colour; anything else could carry more style than a colour. */
export const colour = (text: string | undefined): string =>
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text ?? '') ? (text ?? '') : '';

const running = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:']);

/** Text that may be an address, a word or a document, kept as it stands unless a browser would run it as an address. */
export const harmless = (text: string | undefined, base: string): string =>
  text !== undefined && !running.has(addressOf(text, base)?.protocol ?? '') ? text : '';
