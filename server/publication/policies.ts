/**
 * Chapters are plain pages of our own origin, so that the reader can lay them out; this policy, on every file of a
 * book, is what keeps their scripts from running and their pictures from calling home.
 */
export const bookPolicy =
  "default-src 'none'; script-src 'none'; object-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
  "font-src 'self'; media-src 'self'; form-action 'none'; frame-ancestors 'self'";

/** Interactive titles run scripts, so they live in an origin of their own: they see neither the shop nor its storage. */
export const interactivePolicy = "sandbox allow-scripts; default-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

/** On every answer below a media token; the token must not leave in a Referer. */
export const mediaHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
};
