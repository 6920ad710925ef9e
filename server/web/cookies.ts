/** Characters of a cookie that is read; the shop's own are words. */
const LONGEST = 40;

/** The value of a cookie that holds a word or some; empty where there is none, or something else. */
export function cookieIn(header: string | undefined, name: string): string {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return value.length <= LONGEST && /^[a-z.]+$/.test(value) ? value : '';
}
