import { createCurrencyFormat } from '../../machines/model/store/currency.ts';
import type { Plain, RecordedEvent } from '../../machines/trace/format.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { OTHER_REGION } from '../../machines/model/buying/tax.ts';
import { getCustomCreditName } from '../../src/brand/credits.ts';
import type { StateValue } from 'xstate';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or returns it unchanged. */
export type Colors = (style: Style, text: string) => string;

export const plainColors: Colors = (_, text) => text;

/** Colours on a terminal, none in a pipe; NO_COLOR and FORCE_COLOR override this. */
export const createColors =
  (stream: NodeJS.WritableStream): Colors =>
  (style, text) =>
    styleText(style, text, { stream });

/** Control and invisible characters, which could move a terminal's cursor or reverse a line. */
const unprintablePattern = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** Replaces the unprintable characters of a text from a file. */
export const toPrintable = (text: string): string => text.replace(unprintablePattern, '\uFFFD');

/** Applies `toPrintable` to every text in a value, and to its keys. */
export const toPrintableDeep = <Value>(value: Value): Value => {
  const sanitize = (part: unknown): unknown => {
    if (typeof part === 'string') return toPrintable(part);
    if (Array.isArray(part)) return part.map(sanitize);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(Object.entries(part).map(([key, child]) => [toPrintable(key), sanitize(child)]));
  };
  return sanitize(value) as Value;
};

const MAX_NAMES = 3;

/** Lists the first names, and the number of the others. */
export const formatNames = (names: readonly string[]): string =>
  names.length > MAX_NAMES + 1
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
    : names.join(', ');

/** Wraps a text between words; a word longer than the width gets its own line. */
export const wrapText = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};

/** Pads a text to a width, or cuts off its beginning if it is longer. */
export const fitText = (text: string, width: number): string =>
  text.length > width ? `…${text.slice(text.length - width + 1)}` : text.padEnd(width);

const padTwo = (value: number): string => String(value).padStart(2, '0');

/** Milliseconds as `m:ss.mmm`, with hours before them if there are any. */
export const formatClock = (ms: number): string => {
  const totalMs = Math.round(ms);
  const [hours, minutes] = [Math.floor(totalMs / 3_600_000), Math.floor(totalMs / 60_000) % 60];
  const seconds = `${padTwo(Math.floor(totalMs / 1000) % 60)}.${String(totalMs % 1000).padStart(3, '0')}`;
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${seconds}` : `${minutes}:${seconds}`;
};

/** Milliseconds as `m:ss`, with hours before them if there are any. */
export const formatShortClock = (ms: number): string => formatClock(Math.floor(ms / 1000) * 1000).slice(0, -4);

/** Formats an ISO 8601 time for readers. */
export const formatDate = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** JSON with unprintable characters escaped. */
export const toSafeJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(unprintablePattern, (characters) =>
    characters === '\n'
      ? characters
      : [...Array(characters.length).keys()]
          .map((index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`)
          .join(''),
  );

const MAX_TEXT_CHARS = 32;
/** Maximum length of a nested value: longer ones are mostly ids. */
const MAX_INNER_CHARS = 16;
const MAX_PAYLOAD_CHARS = 160;
const MAX_VALUES = 6;

const shortenValue = (value: Plain | undefined, maxChars = MAX_TEXT_CHARS): string => {
  if (typeof value === 'string') return `“${value.length > maxChars ? `${value.slice(0, maxChars)}…` : value}”`;
  if (Array.isArray(value)) return `${value.length} of them`;
  if (value === null || value === undefined || typeof value !== 'object') return String(value);
  // The kind of a problem describes it best.
  if (typeof value['kind'] === 'string')
    return [value['kind'], value['code'] ?? value['status']].filter(Boolean).map(String).join(' ');
  // Primitive values first: they say more than nested objects.
  const isPlain = (part: Plain | undefined): boolean => typeof part !== 'object';
  const parts = Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .toSorted(([, one], [, other]) => Number(isPlain(other)) - Number(isPlain(one)))
    .map(([key, part]) => (isPlain(part) && key !== 'pii' ? `${key} ${shortenValue(part, MAX_INNER_CHARS)}` : key));
  return `{${parts.slice(0, MAX_VALUES).join(', ')}${parts.length > MAX_VALUES ? `, ${parts.length - MAX_VALUES} more` : ''}}`;
};

/** An event's data in a few words, without personal data. */
export const describePayload = (event: RecordedEvent): string => {
  const text = Object.entries(event)
    .filter(([key, value]) => key !== 'type' && key !== 'actorId' && value !== null)
    .map(([key, value]) => `${key} ${key === 'pii' ? 'hidden' : shortenValue(value)}`)
    .join(', ');
  return text.length > MAX_PAYLOAD_CHARS ? `${text.slice(0, MAX_PAYLOAD_CHARS)}…` : text;
};

const getStates = (value: StateValue): string[] => {
  if (typeof value === 'string') return [value];
  return Object.entries(value).flatMap(([name, child]) => {
    const parts = child === undefined ? [] : getStates(child);
    return parts.length === 0 ? [name] : parts.map((part) => `${name}.${part}`);
  });
};

const STATE_SEPARATOR = ' + ';

/**
 * A state value in one line: `ready`, `shown.resting`, `reading.page.open + reading.panel.closed`.
 */
export const formatState = (value: StateValue): string => getStates(value).join(STATE_SEPARATOR);

/** A change of state as texts; of parallel states, only those that change. */
export const formatStateChange = (from: string, to: string): string => {
  const [fromParts, toParts] = [from.split(STATE_SEPARATOR), to.split(STATE_SEPARATOR)];
  const [removedParts, addedParts] = [
    fromParts.filter((part) => !toParts.includes(part)),
    toParts.filter((part) => !fromParts.includes(part)),
  ];
  return removedParts.length > 0 && addedParts.length > 0
    ? `${removedParts.join(STATE_SEPARATOR)} → ${addedParts.join(STATE_SEPARATOR)}`
    : `${from} → ${to}`;
};

const regionNames = new Intl.DisplayNames('en', { type: 'region' });

/** A place chosen for tax: `France`, `CA, United States`; null if it is not a place. */
export const formatTaxPlace = (place: unknown): string | null => {
  const { country, region } = (typeof place === 'object' && place !== null ? place : {}) as Record<string, unknown>;
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return null;
  const name = regionNames.of(country) ?? country;
  return typeof region === 'string' && region !== OTHER_REGION ? `${region}, ${name}` : name;
};

/**
 * Formats credits; `currency` is the store's own name for them, if any. In a record, both may be
 * any value.
 */
export const formatCredits = (amount: unknown, currency: unknown = ''): string => {
  const customName = typeof currency === 'string' ? getCustomCreditName({ creditCurrency: currency }) : '';
  return `${String(amount)} ${customName || (amount === 1 ? 'Credit' : 'Credits')}`;
};

/** Formats a price as receipts do. */
export const formatPrice = ({ amount, currency }: Price): string => {
  try {
    return createCurrencyFormat('en', currency).format(amount);
  } catch {
    return formatCredits(amount, currency);
  }
};
