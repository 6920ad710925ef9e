/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
const nearBlack: Rgb = [20, 18, 16];

/** Contrast that WCAG 2.2 requires for text at level AA. */
export const minTextContrast = 4.5;

/**
 * Reads `#rgb`, `#rrggbb` (with or without `#`, alpha ignored) and `rgb(r, g, b)`; anything else is
 * null.
 */
export const parseColor = (text: string): Rgb | null => {
  const trimmed = text.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(trimmed)?.[1];
  if (hex !== undefined) {
    const wide = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
    const part = (at: number): number => Number.parseInt(wide.slice(at, at + 2), 16);
    return [part(0), part(2), part(4)];
  }
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\b/.exec(trimmed);
  if (!parts) return null;
  const part = (at: number): number => Math.min(255, Number(parts[at]));
  return [part(1), part(2), part(3)];
};

export const toCssColor = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/**
 * Blends `share` of `over` into `color`: 0 is `color` itself, 1 is `over`. Rounded to whole
 * numbers, as CSS shows them.
 */
export const mix = (color: Rgb, over: Rgb, share: number): Rgb => {
  const part = (at: 0 | 1 | 2): number => Math.round(color[at] + (over[at] - color[at]) * share);
  return [part(0), part(1), part(2)];
};

/** `share` 0.3 is 30% darker. */
export const darken = (color: Rgb, share: number): Rgb => mix(color, [0, 0, 0], share);

const luminance = (color: Rgb): number => {
  const linear = (part: number): number => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
};

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export const contrast = (a: Rgb, b: Rgb): number => {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
};

/** White where it is readable on `color`, else near black; one of the two always is. */
export const textOn = (color: Rgb): Rgb => {
  if (contrast(white, color) >= minTextContrast) return white;
  return contrast(nearBlack, color) >= minTextContrast ? nearBlack : [0, 0, 0];
};

/**
 * Mixes `color` with `toward` (black or white) just enough to be readable as text on each of
 * `backgrounds`.
 */
export const readableInk = (color: Rgb, backgrounds: readonly Rgb[], toward: Rgb): Rgb => {
  for (let share = 0; share < 1; share += 0.05) {
    const ink = mix(color, toward, share);
    if (backgrounds.every((ground) => contrast(ink, ground) >= minTextContrast)) return ink;
  }
  return toward;
};
