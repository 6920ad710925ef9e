/** Controls and invisible marks, which could move a terminal's cursor or turn a line around. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** A text out of a file as one line that does nothing to a terminal. */
export const printable = (text: string): string => text.replace(unprintable, '\uFFFD');

/** The same for every text in a value, and for its keys. */
export const printableAll = <Value>(value: Value): Value => {
  const safe = (part: unknown): unknown => {
    if (typeof part === 'string') return printable(part);
    if (Array.isArray(part)) return part.map(safe);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [printable(key), safe(inner)]));
  };
  return safe(value) as Value;
};

/** Breaks a text into lines of a width, between words; a longer word stands alone. */
export const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};

/** A text that is at least so wide, and ends in its last characters when it is longer. */
export const fitted = (text: string, width: number): string =>
  text.length > width ? `…${text.slice(text.length - width + 1)}` : text.padEnd(width);

const two = (value: number): string => String(value).padStart(2, '0');

/** Milliseconds as `m:ss.mmm`, with hours before them when there are any. */
export const clockText = (ms: number): string => {
  const whole = Math.round(ms);
  const [hours, minutes] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60];
  const seconds = `${two(Math.floor(whole / 1000) % 60)}.${String(whole % 1000).padStart(3, '0')}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
};

/** A time in ISO 8601 as people read it. */
export const dateText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** JSON that says the unprintable in escapes. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(unprintable, (found) =>
    found === '\n'
      ? found
      : [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
