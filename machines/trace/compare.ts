import type { Plain, Reaction, Told } from './format.ts';
import { digestOf, isDigest, isHash, isSame, isWholeHash, kept, longestInContext, wholeHashOf, type WholeHash } from './plain.ts';

const isObject = (value: Plain | undefined): value is { [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nullKeysIn = (value: Plain): string[] => {
  if (Array.isArray(value)) return value.flatMap(nullKeysIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => (part === null ? [key] : nullKeysIn(part)));
};

/** Names of null fields of which every combination is tried; beyond, only all of them and none. */
const MAX_TRIED_NAMES = 10;

const subsetsOf = (names: readonly string[]): ReadonlySet<string>[] => {
  if (names.length > MAX_TRIED_NAMES) return [new Set(), new Set(names)];
  return names.reduce<Set<string>[]>((sets, name) => [...sets, ...sets.map((set) => new Set([...set, name]))], [new Set()]);
};

/** Tries every set of null fields as missing: the hash of a text does not name its fields. */
const isWholeHashOf = ({ $hash, length }: WholeHash, value: Plain): boolean =>
  subsetsOf([...new Set(nullKeysIn(value))]).some((absent) => {
    const text = JSON.stringify(value, (key, part: Plain) => (part === null && absent.has(key) ? undefined : part));
    return text.length === length && wholeHashOf(text).$hash === $hash;
  });

/**
 * Compares a value with the recorded one. A field that the record lacks may be null, at any depth:
 * it was added later. It must not have had a value `before`: the record would have that change.
 */
export const isLike = (recorded: Plain | undefined, got: Plain | undefined, before?: Plain): boolean => {
  if (recorded === undefined || got === undefined) return recorded === got;
  if (isDigest(recorded)) return isSame(recorded, digestOf(got));
  if (isWholeHash(recorded)) return isWholeHashOf(recorded, got);
  if (Array.isArray(recorded)) {
    if (!Array.isArray(got) || got.length !== recorded.length) return false;
    const were = Array.isArray(before) ? before : [];
    return recorded.every((part, at) => isLike(part, got[at], were[at]));
  }
  if (!isObject(recorded)) return recorded === got;
  if (!isObject(got)) return false;
  const was = isObject(before) ? before : {};
  const added = Object.keys(got).filter((key) => !Object.hasOwn(recorded, key));
  if (added.some((key) => got[key] !== null || (was[key] ?? null) !== null)) return false;
  return Object.entries(recorded).every(([key, part]) => isLike(part, got[key], was[key]));
};

/** `before` holds what the changed keys were. */
export type GotReaction = { reaction: Reaction; before: Record<string, Plain> };

export const isLikeReaction = (recorded: Reaction, { reaction, before }: GotReaction): boolean => {
  const { changed, ...did } = reaction;
  const { changed: wanted, ...expected } = recorded;
  return isLike(expected, did) && isLike(wanted, changed, before);
};

export const isLikeTold = (recorded: Told, got: Told): boolean => isLike(recorded, got);

/** A value as a divergence shows it: by its hash where the record has one, or where it is long. */
const shown = (recorded: Plain | undefined, got: Plain): Plain =>
  isHash(recorded) ? digestOf(got) : kept(got, longestInContext);

export const shownReaction = (recorded: Reaction | undefined, { reaction }: GotReaction): Reaction => ({
  ...reaction,
  changed: Object.fromEntries(
    Object.entries(reaction.changed).map(([key, value]) => [key, shown(recorded?.changed[key], value)]),
  ),
});

export const shownTold = (recorded: Told | undefined, got: Told): Told => {
  if ('input' in got) return { ...got, input: shown(recorded && 'input' in recorded ? recorded.input : undefined, got.input) };
  return { ...got, event: shown(recorded && 'event' in recorded ? recorded.event : undefined, got.event) };
};
