/** A record by the shop has no more than 2 million characters; larger files are not even read. In bytes. */
export const largestFile = 8 * 1024 * 1024;

/** Levels of nesting; records have about 20. */
const deepest = 64;

/** Keys that mean something to JavaScript itself: no record has them. */
const hostileKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type Place = { key: string; within: Place | null };
type Visit = { value: object; place: Place | null; level: number };

const pathOf = (place: Place | null): string => {
  const keys: string[] = [];
  for (let at = place; at; at = at.within) keys.unshift(at.key);
  return keys.slice(0, 6).join('.') + (keys.length > 6 ? '…' : '') || 'its top';
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What is wrong with the shape of parsed JSON, and where; null when nothing is. Does not recurse, however deep the value. */
export const limitExceeded = (root: unknown): string | null => {
  const waiting: Visit[] = isObject(root) ? [{ value: root, place: null, level: 1 }] : [];
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const { value, place, level } = visit;
    if (level > deepest) return `It is nested more than ${deepest} levels deep, at ${pathOf(place)}.`;
    for (const key of Object.keys(value)) {
      if (hostileKeys.has(key)) return `It has a key “${key}”, at ${pathOf(place)}.`;
      const part = (value as Record<string, unknown>)[key];
      if (isObject(part)) waiting.push({ value: part, place: { key, within: place }, level: level + 1 });
    }
  }
  return null;
};
