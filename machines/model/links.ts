/**
 * Formatting signs (zero-width ones, soft hyphens) that would part an address only for this rule.
 */
const invisible = /\p{Cf}/gu;

/**
 * Text that mail programs turn into links: an address with a scheme, www., an e-mail address, a
 * number of four parts before a path or a port, and a bare domain: a letter or digit, a dot, and at
 * least two alphabetic characters, without blanks.
 */
const link =
  /[a-z\d]:\/\/|\b(?:mailto|tel|sms):|\bwww\.|\S@\S|\d{1,3}(?:\.\d{1,3}){3}[/:]|[\p{L}\p{M}\p{N}]\.(?:[\p{L}\p{M}]{2}|xn--)/iu;

/**
 * Whether a text holds a web or e-mail address that its reader could follow. Full-width signs count
 * as plain ones.
 */
export const holdsLink = (text: string): boolean => link.test(text.replaceAll(invisible, '').normalize('NFKC'));
