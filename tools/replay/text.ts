import { currencyFormat } from '../../machines/model/store/currency.ts';
import type { Plain, RecordedEvent } from '../../machines/trace/format.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { elsewhere } from '../../machines/model/buying/tax.ts';
import { ownCurrency } from '../../src/brand/credits.ts';
import type { StateValue } from 'xstate';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

export const plainPaint: Paint = (_, text) => text;

/** Colours on a terminal, none in a pipe; NO_COLOR and FORCE_COLOR decide otherwise. */
export const paintFor =
  (stream: NodeJS.WritableStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });

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

const mostNames = 3;

/** The first of a list of names, and how many more there are. */
export const someOf = (names: readonly string[]): string =>
  names.length > mostNames + 1
    ? `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`
    : names.join(', ');

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

/** Milliseconds as `m:ss`, with hours before them when there are any. */
export const shortClockText = (ms: number): string => clockText(Math.floor(ms / 1000) * 1000).slice(0, -4);

/** A time in ISO 8601 as people read it. */
export const dateText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** JSON that says the unprintable in escapes. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(unprintable, (found) =>
    found === '\n'
      ? found
      : [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

const longestText = 32;
/** Of a value within another: what is longer is mostly a number that nobody reads. */
const longestInner = 16;
const longest = 160;
const mostValues = 6;

const brief = (value: Plain | undefined, most = longestText): string => {
  if (typeof value === 'string') return `“${value.length > most ? `${value.slice(0, most)}…` : value}”`;
  if (Array.isArray(value)) return `${value.length} of them`;
  if (value === null || value === undefined || typeof value !== 'object') return String(value);
  // A problem says by its kind what went wrong.
  if (typeof value['kind'] === 'string')
    return [value['kind'], value['code'] ?? value['status']].filter(Boolean).map(String).join(' ');
  // Plain values first: they say more than the names of what is inside.
  const isPlain = (part: Plain | undefined): boolean => typeof part !== 'object';
  const parts = Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .toSorted(([, one], [, other]) => Number(isPlain(other)) - Number(isPlain(one)))
    .map(([key, part]) => (isPlain(part) && key !== 'pii' ? `${key} ${brief(part, longestInner)}` : key));
  return `{${parts.slice(0, mostValues).join(', ')}${parts.length > mostValues ? `, ${parts.length - mostValues} more` : ''}}`;
};

/** An event's data in a few words, without personal data. */
export const payloadText = (event: RecordedEvent): string => {
  const text = Object.entries(event)
    .filter(([key, value]) => key !== 'type' && key !== 'actorId' && value !== null)
    .map(([key, value]) => `${key} ${key === 'pii' ? 'hidden' : brief(value)}`)
    .join(', ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

const statesIn = (value: StateValue): string[] => {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([name, inner]) => {
    const parts = inner === undefined ? [] : statesIn(inner);
    return parts.length === 0 ? [name] : parts.map((part) => `${name}.${part}`);
  });
};

const and = ' + ';

/** A state value in one line: `ready`, `shown.resting`, `reading.page.open + reading.panel.closed`. */
export const stateText = (value: StateValue): string => statesIn(value).join(and);

/** From one state to another, as texts; of a machine that is in several states at once, only those that change. */
export const moveText = (from: string, to: string): string => {
  const [before, after] = [from.split(and), to.split(and)];
  const [gone, come] = [before.filter((part) => !after.includes(part)), after.filter((part) => !before.includes(part))];
  return gone.length > 0 && come.length > 0 ? `${gone.join(and)} → ${come.join(and)}` : `${from} → ${to}`;
};

const regionNames = new Intl.DisplayNames('en', { type: 'region' });

/** A place that somebody chose for its tax: `France`, `CA, United States`; null for what is none. */
export const placeText = (place: unknown): string | null => {
  const { country, region } = (typeof place === 'object' && place !== null ? place : {}) as Record<string, unknown>;
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return null;
  const name = regionNames.of(country) ?? country;
  return typeof region === 'string' && region !== elsewhere ? `${region}, ${name}` : name;
};

/** Credits in the shop's words; `currency` is the store's own word for them, which may be none. Out of a record they may be anything. */
export const creditsText = (amount: unknown, currency: unknown = ''): string => {
  const own = typeof currency === 'string' ? ownCurrency({ creditCurrency: currency }) : '';
  return `${String(amount)} ${own || (amount === 1 ? 'Credit' : 'Credits')}`;
};

/** What something costs, as a receipt says it. */
export const priceText = ({ amount, currency }: Price): string => {
  try {
    return currencyFormat('en', currency).format(amount);
  } catch {
    return creditsText(amount, currency);
  }
};
