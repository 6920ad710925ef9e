import type { Plain } from './format.ts';

/** Replaces a value before it is recorded; gets the key under which it stands. */
export type Redact = (key: string, value: unknown) => unknown;

export const asIs: Redact = (_, value) => value;

const isActor = (value: unknown): boolean => typeof value === 'object' && value !== null && 'xstate$$type' in value;

/** A copy as plain JSON: errors become `{$error, name}`, actor references the word `$actor`. */
export const plainOf = (value: unknown, redact: Redact = asIs): Plain => {
  if (value === undefined) return null;
  const text = JSON.stringify(value, (key, part: unknown) => {
    if (part instanceof Error) return { $error: part.message, name: part.name };
    return isActor(part) ? '$actor' : redact(key, part);
  });
  return JSON.parse(text) as Plain;
};

/** The value again, errors as errors. */
export const revived = (value: Plain): unknown => {
  if (Array.isArray(value)) return value.map(revived);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value['$error'] === 'string') {
    return Object.assign(new Error(value['$error']), { name: typeof value['name'] === 'string' ? value['name'] : 'Error' });
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revived(part)]));
};

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The keys whose values differ, with their new values; a key that went is null. */
export const differences = (before: Record<string, Plain>, after: Record<string, Plain>): Record<string, Plain> => {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isSame(before[key], after[key]));
  return Object.fromEntries(changed.map((key) => [key, after[key] ?? null]));
};
