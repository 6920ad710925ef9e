/** A short word, or several, as the shop's own cookies have them. */
const WORDS = /^[a-z.]{1,40}$/;

/** The value of a cookie that has a certain form; empty without one. */
export function cookieIn(header: string | undefined, name: string, form = WORDS): string {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return form.test(value) ? value : '';
}
