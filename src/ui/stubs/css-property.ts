const cachedResults = new Map<string, boolean>();

/**
 * Names of descriptors of `@font-face` and `@page`, which browsers list among the CSS properties;
 * on an element they are attributes.
 */
const descriptors = new Set(['src', 'size']);

const isStyle = (name: string): boolean =>
  (name in document.documentElement.style && !descriptors.has(name)) || name.startsWith('--') || /[&@]/.test(name);

/**
 * Whether a property is a style rather than an attribute, according to the browser itself. Replaces
 * `@pandacss/is-valid-prop`, which lists every CSS property. Saves 2.4 KB on each first visit.
 */
export const isCssProperty = (name: string): boolean => {
  const result = cachedResults.get(name) ?? isStyle(name);
  cachedResults.set(name, result);
  return result;
};
