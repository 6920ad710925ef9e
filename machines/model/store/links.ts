/**
 * Formatting characters (zero-width ones, soft hyphens) that would hide a link from `linkPattern`.
 */
const invisibleChars = /\p{Cf}/gu;

/**
 * Text that mail programs turn into links: a URL with a scheme, www., an e-mail address, a
 * number of four parts before a path or a port, and a bare domain: a letter or digit, a dot, and at
 * least two alphabetic characters, without spaces. URL parsers treat the ideographic full stop as a
 * dot, too (UTS 46): it counts between scripts whose sentences do not end with it. Telephone
 * numbers are allowed: customers leave their own, mail programs ask before they call, and dates
 * look alike.
 */
const linkPattern = new RegExp(
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
 * Whether a text contains a URL or e-mail address that its reader could open. Full-width characters
 * count as plain ones.
 */
export const containsLink = (text: string): boolean => linkPattern.test(text.replaceAll(invisibleChars, '').normalize('NFKC'));
