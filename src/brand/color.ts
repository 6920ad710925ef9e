/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
const nearBlack: Rgb = [20, 18, 16];

/** Contrast that WCAG 2.2 requires for text at level AA. */
export const minTextContrast = 4.5;

/**
 * Reads `#rgb`, `#rrggbb` (with or without `#`, alpha ignored) and `rgb(r, g, b)`; null for
 * any other text.
 */
export const parseColor = (text: string): Rgb | null => {
  const trimmedText = text.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(trimmedText)?.[1];
  if (hex !== undefined) {
    const longHex = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
    const parseChannel = (start: number): number => Number.parseInt(longHex.slice(start, start + 2), 16);
    return [parseChannel(0), parseChannel(2), parseChannel(4)];
  }
  const match = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\b/.exec(trimmedText);
  if (!match) return null;
  const getChannel = (index: number): number => Math.min(255, Number(match[index]));
  return [getChannel(1), getChannel(2), getChannel(3)];
};

export const toCssColor = (color: Rgb): string => `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

/**
 * Mixes `share` of `overlay` into `color`: 0 is `color` itself, 1 is `overlay`. Rounded to whole
 * numbers, as CSS shows them.
 */
export const mix = (color: Rgb, overlay: Rgb, share: number): Rgb => {
  const mixChannel = (index: 0 | 1 | 2): number => Math.round(color[index] + (overlay[index] - color[index]) * share);
  return [mixChannel(0), mixChannel(1), mixChannel(2)];
};

/** Darkens a colour: `share` 0.3 is 30% darker. */
export const darken = (color: Rgb, share: number): Rgb => mix(color, [0, 0, 0], share);

const getLuminance = (color: Rgb): number => {
  const toLinear = (channel: number): number => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * toLinear(color[0]) + 0.7152 * toLinear(color[1]) + 0.0722 * toLinear(color[2]);
};

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export const getContrast = (a: Rgb, b: Rgb): number => {
  const [dark, light] = [getLuminance(a), getLuminance(b)].toSorted((x, y) => x - y);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
};

/** White where it is readable on `color`, else near black where that is, else black. */
export const chooseTextColor = (color: Rgb): Rgb => {
  if (getContrast(white, color) >= minTextContrast) return white;
  return getContrast(nearBlack, color) >= minTextContrast ? nearBlack : [0, 0, 0];
};

/**
 * Mixes `color` with `target` (black or white) just enough to be readable as text on each of
 * `backgrounds`.
 */
export const makeReadable = (color: Rgb, backgrounds: readonly Rgb[], target: Rgb): Rgb => {
  for (let share = 0; share < 1; share += 0.05) {
    const ink = mix(color, target, share);
    if (backgrounds.every((background) => getContrast(ink, background) >= minTextContrast)) return ink;
  }
  return target;
};
