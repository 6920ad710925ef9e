/**
 * Formatting signs (zero-width ones, soft hyphens) that would part an address only for this rule.
 */
const invisible = /\p{Cf}/gu;

/**
 * Text that mail programs turn into links: an address with a scheme, www., an e-mail address, a
 * number of four parts before a path or a port, and a bare domain: a letter or digit, a dot, and at
 * least two alphabetic characters, without blanks. URL parsers take the ideographic full stop for a
 * dot, too (UTS 46): it counts between scripts whose sentences do not end with it. Telephone
 * numbers are allowed: people leave their own, mail programs ask before they call, and dates look
 * alike.
 */
const link = new RegExp(
  [
    String.raw`[a-z\d]:\/\/`,
    String.raw`\b(?:https?|mailto|tel|sms):`,
    String.raw`\bwww[.。]`,
    String.raw`\S@\S`,
    String.raw`\d{1,3}(?:[.。]\d{1,3}){3}[/:]`,
    String.raw`[\p{L}\p{M}\p{N}]\.(?:[\p{L}\p{M}]{2}|xn--)`,
    String.raw`[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\d]。(?:[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]{2}|xn--)`,
  ].join('|'),
  'iu',
);

/**
 * Whether a text holds a web or e-mail address that its reader could follow. Full-width signs count
 * as plain ones.
 */
export const holdsLink = (text: string): boolean => link.test(text.replaceAll(invisible, '').normalize('NFKC'));
