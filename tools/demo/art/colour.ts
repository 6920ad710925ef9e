/** A title's three colours, `#rrggbb`: ground, ink, accent. */
export type Palette = readonly [string, string, string];

/** The palette and the mixtures of it that drawings use; every value is `#rrggbb`. */
export interface Tones {
  ground: string;
  ink: string;
  accent: string;
  /** A trace of ink on the ground. */
  mist: string;
  /** About a third of ink on the ground. */
  soft: string;
  /** Halfway between ground and ink. */
  half: string;
  /** Accent lightened with ground. */
  warm: string;
  /** Accent darkened with ink, or with nearly black where the ink is light. */
  deep: string;
  /** Ground or ink, depending on the contrast with the accent. */
  onAccent: string;
}

const parseChannels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Mixes colour `b` into colour `a`; `share` is that of `b`, from 0 to 1. */
export function mix(a: string, b: string, share: number): string {
  const target = parseChannels(b);
  const mixedChannels = parseChannels(a).map((value, i) => Math.round(value + ((target[i] ?? 0) - value) * share));
  return `#${mixedChannels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, 0 black to 1 white (WCAG 2.2). */
export function computeLuminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = parseChannels(hex).map((value) => {
    const normalized = value / 255;
    return normalized <= 0.04045 ? normalized / 12.92 : ((normalized + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function computeContrast(a: string, b: string): number {
  const [x, y] = [computeLuminance(a), computeLuminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

export function createTones([ground, ink, accent]: Palette): Tones {
  return {
    ground,
    ink,
    accent,
    mist: mix(ground, ink, 0.1),
    soft: mix(ground, ink, 0.3),
    half: mix(ground, ink, 0.5),
    warm: mix(accent, ground, 0.45),
    onAccent: computeContrast(accent, ground) >= computeContrast(accent, ink) ? ground : ink,
    deep: mix(accent, computeLuminance(ink) < computeLuminance(ground) ? ink : '#101018', 0.4),
  };
}

/** A palette with ground and ink swapped. */
export const invertPalette = ([ground, ink, accent]: Palette): Palette => [ink, ground, accent];
