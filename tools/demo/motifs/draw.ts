import type { Tones } from '../art/colour.ts';

/**
 * Draws inside a 200 by 200 box centred on 0,0; `turn` (0 to 1, cyclic) is the phase of its
 * movement.
 */
export type Motif = (tones: Tones, turn?: number) => string;

export const round = (value: number): number => Math.round(value * 10) / 10;

/** The sine of the phase, -1 to 1. */
export const swing = (turn: number, shift = 0): number => Math.sin((turn + shift) * Math.PI * 2);

/** A rippled line from x0 to x1 about y. */
export function ripple(x0: number, x1: number, y: number, length: number, height: number, shift = 0): string {
  const start = x0 - length * (1 - (((shift % 1) + 1) % 1));
  let path = `M${round(start)} ${y}`;
  for (let x = start, up = 1; x < x1; x += length / 2, up = -up) {
    path += `q${round(length / 4)} ${round(-height * up)} ${round(length / 2)} 0`;
  }
  return path;
}
