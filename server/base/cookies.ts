/** Matches one or several short words, as the shop's own cookies hold them. */
const WORD_PATTERN = /^[a-z.]{1,40}$/;

/** The value of a cookie if it matches the pattern; otherwise empty. */
export function readCookie(header: string | undefined, name: string, pattern = WORD_PATTERN): string {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return pattern.test(value) ? value : '';
}
