/**
 * Chapters are plain pages of our own origin, so that the reader can lay them out; this policy, on every file of a
 * book, is what keeps their scripts from running and their pictures from calling home.
 */
export const bookPolicy =
  "default-src 'none'; script-src 'none'; object-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
  "font-src 'self'; media-src 'self'; form-action 'none'; frame-ancestors 'self'";

/**
 * Interactive titles run scripts, so they live in an origin of their own: they see neither the shop
 * nor its storage, and reach their own files alone. Frames and workers would have the interfaces
 * that `interactive-page.ts` takes away. Pictures and fonts may be in the page itself, since
 * neither loads anything more. Films and sounds may not: a playlist (HLS) in a `data:` address
 * names parts on other servers, which Safari's player may fetch without asking the policy.
 * @param files where the title's files are: an address that ends with a slash, or that of its only
 * file
 */
export const interactivePolicy = (files: string): string =>
  [
    'sandbox allow-scripts',
    `default-src ${files} 'unsafe-inline'`,
    `connect-src ${files}`,
    `img-src ${files} data: blob:`,
    `font-src ${files} data: blob:`,
    "webrtc 'block'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** On every answer below a media token; the token must not leave in a Referer. */
export const mediaHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
};
