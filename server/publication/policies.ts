/**
 * Chapters are plain pages of our own origin, so that the reader can lay them out; this policy, on
 * every file of a book, blocks their scripts and keeps their pictures from contacting other
 * servers.
 */
export const bookPolicy =
  "default-src 'none'; script-src 'none'; object-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
  "font-src 'self'; media-src 'self'; form-action 'none'; frame-ancestors 'self'";

/**
 * Interactive titles run scripts, so they are sandboxed in an origin of their own: they can access
 * neither the shop nor its storage, and load only their own files. Frames and workers would have
 * the interfaces that `interactive-page.ts` removes. Pictures and fonts may be in the page itself,
 * since neither loads anything more. Video and audio may not: a playlist (HLS) in a `data:` address
 * names parts on other servers, which Safari's player may fetch without checking the policy.
 * @param source the address of the title's files: a folder ending with a slash, or the title's only
 * file
 */
export const createInteractivePolicy = (source: string): string =>
  [
    'sandbox allow-scripts',
    `default-src ${source} 'unsafe-inline'`,
    `connect-src ${source}`,
    `img-src ${source} data: blob:`,
    `font-src ${source} data: blob:`,
    "webrtc 'block'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** Headers of every answer below a media token, which must not leak in a Referer. */
export const mediaHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
};
