/**
 * Formatting signs (zero-width ones, soft hyphens) that would part an address only for this rule.
 */
const invisible = /\p{Cf}/gu;

/**
 * What mail programs make a link of: an address with a scheme, www., an e-mail address, a number of
 * four parts before a path or a port, and a bare domain, which is a letter or digit, a dot, and at
 * least two letters without a blank between.
 */
const link =
  /[a-z\d]:\/\/|\b(?:mailto|tel|sms):|\bwww\.|\S@\S|\d{1,3}(?:\.\d{1,3}){3}[/:]|[\p{L}\p{M}\p{N}]\.(?:[\p{L}\p{M}]{2}|xn--)/iu;

/**
 * Whether a text holds a web or e-mail address that its reader could follow. Full-width signs count
 * as plain ones.
 */
export const holdsLink = (text: string): boolean => link.test(text.replaceAll(invisible, '').normalize('NFKC'));
