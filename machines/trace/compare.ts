import type { Plain, Reaction, CrossMessage } from './format.ts';
import {
  toDigest,
  isDigest,
  isHash,
  isWholeHash,
  keepOrDigest,
  MAX_CONTEXT_CHARS,
  toWholeHash,
  type WholeHash,
} from './plain.ts';
import { isSameJson } from '../same-json.ts';

const isObject = (value: Plain | undefined): value is { [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const findNullKeys = (value: Plain): string[] => {
  if (Array.isArray(value)) return value.flatMap(findNullKeys);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => (part === null ? [key] : findNullKeys(part)));
};

/** Up to this number of null fields every combination is tried; beyond it, only all and none. */
const MAX_TRIED_NAMES = 10;

const getSubsets = (names: readonly string[]): ReadonlySet<string>[] => {
  if (names.length > MAX_TRIED_NAMES) return [new Set(), new Set(names)];
  return names.reduce<Set<string>[]>((sets, name) => [...sets, ...sets.map((set) => new Set([...set, name]))], [new Set()]);
};

/**
 * Whether a value matches a hash if some of its null fields are left out. Tries every subset, since
 * the hash of a text does not name its fields.
 */
const matchesWholeHash = ({ $hash, length }: WholeHash, value: Plain): boolean =>
  getSubsets([...new Set(findNullKeys(value))]).some((missingKeys) => {
    const text = JSON.stringify(value, (key, part: Plain) => (part === null && missingKeys.has(key) ? undefined : part));
    return text.length === length && toWholeHash(text).$hash === $hash;
  });

/**
 * Compares a value with the recorded one. A field that the record lacks may be null, at any depth:
 * it was added later. But it must have had no value in `previousValue`: the record would contain
 * that change.
 */
export const isLike = (recorded: Plain | undefined, actualValue: Plain | undefined, previousValue?: Plain): boolean => {
  if (recorded === undefined || actualValue === undefined) return recorded === actualValue;
  if (isDigest(recorded)) return isSameJson(recorded, toDigest(actualValue));
  if (isWholeHash(recorded)) return matchesWholeHash(recorded, actualValue);
  if (Array.isArray(recorded)) {
    if (!Array.isArray(actualValue) || actualValue.length !== recorded.length) return false;
    const itemsBefore = Array.isArray(previousValue) ? previousValue : [];
    return recorded.every((part, at) => isLike(part, actualValue[at], itemsBefore[at]));
  }
  if (!isObject(recorded)) return recorded === actualValue;
  if (!isObject(actualValue)) return false;
  const objectBefore = isObject(previousValue) ? previousValue : {};
  const addedKeys = Object.keys(actualValue).filter((key) => !Object.hasOwn(recorded, key));
  if (addedKeys.some((key) => actualValue[key] !== null || (objectBefore[key] ?? null) !== null)) return false;
  return Object.entries(recorded).every(([key, part]) => isLike(part, actualValue[key], objectBefore[key]));
};

/** A reaction in a replay; `before` holds the previous values of the changed keys. */
export type ReplayedReaction = { reaction: Reaction; before: Record<string, Plain> };

export const isLikeReaction = (recorded: Reaction, { reaction, before }: ReplayedReaction): boolean => {
  const { changed, ...actual } = reaction;
  const { changed: expectedChanges, ...expected } = recorded;
  return isLike(expected, actual) && isLike(expectedChanges, changed, before);
};

export const isLikeMessage = (recorded: CrossMessage, actualMessage: CrossMessage): boolean => isLike(recorded, actualMessage);

/** A value for a divergence: as a hash if the record has a hash, or if the value is long. */
const toComparable = (recorded: Plain | undefined, actualValue: Plain): Plain =>
  isHash(recorded) ? toDigest(actualValue) : keepOrDigest(actualValue, MAX_CONTEXT_CHARS);

export const toComparableReaction = (recorded: Reaction | undefined, { reaction }: ReplayedReaction): Reaction => ({
  ...reaction,
  changed: Object.fromEntries(
    Object.entries(reaction.changed).map(([key, value]) => [key, toComparable(recorded?.changed[key], value)]),
  ),
});

export const toComparableMessage = (recorded: CrossMessage | undefined, message: CrossMessage): CrossMessage => {
  if ('input' in message)
    return { ...message, input: toComparable(recorded && 'input' in recorded ? recorded.input : undefined, message.input) };
  return { ...message, event: toComparable(recorded && 'event' in recorded ? recorded.event : undefined, message.event) };
};
