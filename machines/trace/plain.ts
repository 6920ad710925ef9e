import type { Plain } from './format.ts';
import { hashOf } from '../paths/hash.ts';

/** Replaces personal data and secrets in what is recorded, by values of the same shape. */
export type Redact = {
  /** What stands under a `pii` key, whole. */
  personal: (value: Plain) => Plain;
  /** Any other text. */
  text: (text: string) => string;
};

/** Replaces nothing: for tests, and for data that was redacted before. */
export const asIs: Redact = { personal: (value) => value, text: (text) => text };

const isActor = (value: object): boolean => 'sessionId' in value && 'send' in value;

const saysItself = (value: object): value is { toJSON: () => unknown } => 'toJSON' in value && typeof value.toJSON === 'function';

const copied = (value: unknown, redact: Redact): Plain | undefined => {
  if (typeof value === 'string') return redact.text(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return undefined;
  if (value instanceof Error) return { $error: redact.text(value.message), name: value.name };
  if (Array.isArray(value)) return value.map((part) => copied(part, redact) ?? null);
  if (isActor(value)) return '$actor';
  if (saysItself(value)) return copied(value.toJSON(), redact);
  const entries: [string, Plain][] = [];
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    const plain = key === 'pii' ? redact.personal(copied(part, asIs) ?? null) : copied(part, redact);
    if (plain !== undefined) entries.push([key, plain]);
  }
  return Object.fromEntries(entries);
};

/** A copy as plain JSON: errors become `{$error, name}`, actor references the word `$actor`, what JSON has not is left out. */
export const plainOf = (value: unknown, redact: Redact = asIs): Plain => copied(value, redact) ?? null;

/** Turns plain JSON back into the value, with real errors. */
export const revived = (value: Plain): unknown => {
  if (Array.isArray(value)) return value.map(revived);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value['$error'] === 'string') {
    return Object.assign(new Error(value['$error']), { name: typeof value['name'] === 'string' ? value['name'] : 'Error' });
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revived(part)]));
};

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Characters of JSON above which a value in a context is kept by its hash. */
export const longestInContext = 2_000;

/** A hash in a record of format 2 or 3: of the whole JSON. */
export type WholeHash = { $hash: string; length: number };

/** A hash of the JSON with sorted keys and without null fields, so that fields may be added. */
export type Digest = { $digest: string; length: number };

export const wholeHashOf = (text: string): WholeHash => ({ $hash: hashOf(text).toString(36), length: text.length });

const withoutNulls = (value: Plain): Plain => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, withoutNulls(part)]));
};

/** In place of a value its hash, by which a replay compares its own. */
export const digestOf = (plain: Plain): Digest => {
  const text = JSON.stringify(withoutNulls(plain));
  return { $digest: hashOf(text).toString(36), length: text.length };
};

const isObject = (value: Plain | undefined): value is { [key: string]: Plain } => typeof value === 'object' && value !== null;

export const isWholeHash = (value: Plain | undefined): value is WholeHash => isObject(value) && '$hash' in value;
export const isDigest = (value: Plain | undefined): value is Digest => isObject(value) && '$digest' in value;
export const isHash = (value: Plain | undefined): boolean => isWholeHash(value) || isDigest(value);

/** A value as a step keeps it: a small one whole, of a large one only a hash. */
export const kept = (plain: Plain, longest: number): Plain => (JSON.stringify(plain).length <= longest ? plain : digestOf(plain));

type Context = Readonly<Record<string, unknown>>;

/** The changed keys of a context; values beyond `longest` by their hash, a removed key as null. */
export const differences = (before: Context, after: Context, redact: Redact, longest: number): Record<string, Plain> => {
  const changed: [string, Plain][] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // Contexts are never changed in place: the same object has the same value.
    if (key in before && Object.is(before[key], after[key])) continue;
    const value = plainOf({ [key]: after[key] }, redact);
    const was = key in before ? plainOf({ [key]: before[key] }, redact) : undefined;
    if (!isSame(was, value)) changed.push([key, kept((value as Record<string, Plain>)[key] ?? null, longest)]);
  }
  return Object.fromEntries(changed);
};
