import type { Plain } from './format.ts';
import { hashText } from '../paths/hash.ts';
import { isSameJson } from '../same-json.ts';

/** Replaces personal data and secrets in recorded data by values of the same shape. */
export type Redact = {
  /** Redacts the whole value under a `pii` key. */
  personal: (value: Plain) => Plain;
  /** Redacts any other text. */
  text: (text: string) => string;
};

/** Replaces nothing: for tests, and for data that is already redacted. */
export const unredacted: Redact = { personal: (value) => value, text: (text) => text };

const isActor = (value: object): boolean => 'sessionId' in value && 'send' in value;

const hasToJson = (value: object): value is { toJSON: () => unknown } => 'toJSON' in value && typeof value.toJSON === 'function';

const copyPlain = (value: unknown, redact: Redact): Plain | undefined => {
  if (typeof value === 'string') return redact.text(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return undefined;
  if (value instanceof Error) return { $error: redact.text(value.message), name: value.name };
  if (Array.isArray(value)) return value.map((part) => copyPlain(part, redact) ?? null);
  if (isActor(value)) return '$actor';
  if (hasToJson(value)) return copyPlain(value.toJSON(), redact);
  const entries: [string, Plain][] = [];
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    const plainValue = key === 'pii' ? redact.personal(copyPlain(part, unredacted) ?? null) : copyPlain(part, redact);
    if (plainValue !== undefined) entries.push([key, plainValue]);
  }
  return Object.fromEntries(entries);
};

/**
 * A copy as plain JSON: errors become `{$error, name}`, actor references become `$actor`, numbers
 * that are not finite become null, and other values without a JSON equivalent are dropped (in a
 * list they become null).
 */
export const toPlain = (value: unknown, redact: Redact = unredacted): Plain => copyPlain(value, redact) ?? null;

/** Restores a value from plain JSON, with real errors. */
export const revivePlain = (value: Plain): unknown => {
  if (Array.isArray(value)) return value.map(revivePlain);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value['$error'] === 'string') {
    return Object.assign(new Error(value['$error']), { name: typeof value['name'] === 'string' ? value['name'] : 'Error' });
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revivePlain(part)]));
};

/** Maximum characters of JSON of a value in a context; a longer value is stored as its hash. */
export const MAX_CONTEXT_CHARS = 2_000;

/** A hash of a value's whole JSON, in records of format 2 or 3. */
export type WholeHash = { $hash: string; length: number };

/**
 * A hash of a value's JSON with sorted keys and without null fields, so that fields can be added
 * later.
 */
export type Digest = { $digest: string; length: number };

export const toWholeHash = (text: string): WholeHash => ({ $hash: hashText(text).toString(36), length: text.length });

const withoutNulls = (value: Plain): Plain => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, withoutNulls(part)]));
};

/** Replaces a value by its hash, which a replay compares with the hash of its own value. */
export const toDigest = (plain: Plain): Digest => {
  const text = JSON.stringify(withoutNulls(plain));
  return { $digest: hashText(text).toString(36), length: text.length };
};

const isObject = (value: Plain | undefined): value is { [key: string]: Plain } => typeof value === 'object' && value !== null;

export const isWholeHash = (value: Plain | undefined): value is WholeHash => isObject(value) && '$hash' in value;
export const isDigest = (value: Plain | undefined): value is Digest => isObject(value) && '$digest' in value;
export const isHash = (value: Plain | undefined): boolean => isWholeHash(value) || isDigest(value);

/**
 * A value for a step: in full if its JSON has at most `maxChars` characters, otherwise as a hash.
 */
export const keepOrDigest = (plain: Plain, maxChars: number): Plain =>
  JSON.stringify(plain).length <= maxChars ? plain : toDigest(plain);

type Context = Readonly<Record<string, unknown>>;

/**
 * The changed keys of a context; a value longer than `maxChars` as a hash, a removed key as null.
 */
export const diffContexts = (before: Context, after: Context, redact: Redact, maxChars: number): Record<string, Plain> => {
  const changes: [string, Plain][] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // Contexts are immutable: the same object has the same value.
    if (key in before && Object.is(before[key], after[key])) continue;
    const value = toPlain({ [key]: after[key] }, redact);
    const valueBefore = key in before ? toPlain({ [key]: before[key] }, redact) : undefined;
    if (!isSameJson(valueBefore, value))
      changes.push([key, keepOrDigest((value as Record<string, Plain>)[key] ?? null, maxChars)]);
  }
  return Object.fromEntries(changes);
};
