/**
 * Sanitises addresses and colours from answers, which are untrusted: anything that a browser would
 * run is dropped, and relative addresses are resolved. Every function returns an empty text for
 * a dropped value.
 */
/** The base that relative addresses are resolved against. */
export type Base = {
  href: string;
  /** Whether the shop's pages have the same origin. */
  isOwn: boolean;
};

const maxAddressChars = 4000;

const parseAddress = (text: string, { href }: Base): URL | null => (URL.canParse(text, href) ? new URL(text, href) : null);

const parseWebAddress = (text: string | undefined, base: Base): URL | null => {
  const url = text && text.length <= maxAddressChars ? parseAddress(text, base) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
};

/** An http(s) address. */
export const toWebAddress = (text: string | undefined, base: Base): string => parseWebAddress(text, base)?.href ?? '';

/**
 * An http(s) address for a page to show or link to. Same-origin addresses lose their origin: a
 * server that renders pages behind a proxy may see another origin than browsers do, and both must
 * render the same screen.
 */
export const toPageAddress = (text: string | undefined, base: Base): string => {
  const url = parseWebAddress(text, base);
  const isSameOrigin = base.isOwn && url?.origin === new URL(base.href).origin;
  return isSameOrigin ? url.pathname + url.search + url.hash : (url?.href ?? '');
};

const INLINE_PICTURE = /^data:image\/(png|jpeg|webp|gif|avif|svg\+xml)[;,]/i;
const maxPictureChars = 100_000;

/** As `toPageAddress`, but also accepts a `data:` image: for `<img>` only, which runs no script. */
export const toPictureAddress = (text: string | undefined, base: Base): string =>
  text !== undefined && text.length <= maxPictureChars && INLINE_PICTURE.test(text) ? text : toPageAddress(text, base);

/** A hex colour; other CSS could contain more than a colour. */
export const toHexColor = (text: string | undefined): string =>
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text ?? '') ? (text ?? '') : '';

/** An e-mail address without further parameters, as it goes into `mailto:`. */
export const toEmailAddress = (text = ''): string => (/^[\p{L}\p{N}._+'-]+@[\p{L}\p{N}.-]+$/u.test(text) ? text : '');

const executableProtocols = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:']);

/**
 * Text that may be an address, a word or a document; unchanged unless a browser would run it as an
 * address.
 */
export const dropExecutable = (text: string | undefined, base: Base): string =>
  text !== undefined && !executableProtocols.has(parseAddress(text, base)?.protocol ?? '') ? text : '';
