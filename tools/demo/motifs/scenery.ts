import { flying } from './bird.ts';
import { type Motif, round, swing } from './draw.ts';

const breaker: Motif = (t, turn = 0) => `
<g transform="translate(${round(swing(turn) * 12)} ${round(swing(turn, 0.25) * 8)})">
  <path d="M-190 84C-90 64 -50 -6 -2 -38C34 -64 82 -46 84 -10C86 14 60 24 46 10C38 0 46 -14 58 -10C50 -28 26 -22 18 2C10 34 60 66 190 84Z" fill="${t.ink}"/>
  <path d="M-80 66C-34 46 -20 4 8 -20M-40 68C-10 54 -8 26 6 8" stroke="${t.half}" stroke-width="4" fill="none" stroke-linecap="round"/>
  <path d="M-2 -38C34 -64 82 -46 84 -10" stroke="${t.warm}" stroke-width="6" fill="none" stroke-linecap="round"/>
  <g fill="${t.warm}"><circle cx="94" cy="-34" r="4"/><circle cx="80" cy="-56" r="3"/><circle cx="100" cy="-14" r="3"/></g>
</g>`;

const sun: Motif = (t) => `<circle r="62" fill="${t.accent}" opacity=".25"/><circle r="46" fill="${t.accent}"/>`;

const gull = (x: number, y: number, size: number, beat: number): string => {
  const lift = round(size * (0.5 + 0.35 * beat));
  return `<path d="M${round(x - size)} ${round(y - lift)}Q${round(x - size * 0.4)} ${round(y - lift)} ${x} ${y}Q${round(x + size * 0.4)} ${round(y - lift)} ${round(x + size)} ${round(y - lift)}"/>`;
};

const gulls: Motif = (t, turn = 0) =>
  `<g fill="none" stroke="${t.ink}" stroke-width="4" stroke-linecap="round">${[
    [-60, 0, 22],
    [10, -30, 16],
    [60, 14, 13],
    [-10, 30, 11],
  ]
    .map(([x = 0, y = 0, size = 0], i) => gull(x, y, size, swing(turn * 6, i / 4)))
    .join('')}</g>`;

/** Worm casts that appear in the sand, row by row. */
const casts: Motif = (t, turn = 0) =>
  Array.from({ length: 4 }, (_, row) =>
    Array.from({ length: 7 + row }, (_, i) => {
      const size = 12 + row * 6;
      const x = (i - (6 + row) / 2) * (44 + row * 18) + (row % 2) * 14;
      const drawnShare = Math.min(1, Math.max(0, turn * 9 - i * 0.28 - row * 0.5));
      return `<path d="M${x} ${row * 34 - 50}q${size * 0.3} ${-size} ${size * 0.6} 0t${size * 0.6} 0t${size * 0.5} 4" pathLength="1" stroke-dasharray="1" stroke-dashoffset="${round((1 - drawnShare) * 10) / 10}" fill="none" stroke="${t.ink}" stroke-width="${3 + row}" stroke-linecap="round" opacity="${0.35 + row * 0.15}"/>`;
    }).join(''),
  ).join('');

const house = (x: number, y: number, wall: string, glass: string, width: number): string =>
  `<path d="M${x} ${y}v-34l${width / 2} -20l${width / 2} 20v34Z" fill="${wall}"/><path d="M${x + width * 0.2} ${y - 26}h${width * 0.2}v12h${-width * 0.2}ZM${x + width * 0.6} ${y - 26}h${width * 0.2}v12h${-width * 0.2}Z" fill="${glass}"/>`;

const village =
  (isLit: boolean): Motif =>
  (t) =>
    [
      [-150, 10, 46],
      [-98, 4, 40],
      [-50, 0, 52],
      [10, 4, 38],
      [56, 8, 48],
      [112, 14, 42],
    ]
      .map(([x = 0, y = 0, wide = 0], i) => house(x, y, i % 2 ? t.deep : t.half, isLit ? t.accent : t.ground, wide))
      .join('');

/** Neighbours coming down a path with lanterns. */
const lanterns: Motif = (t, turn = 0) =>
  Array.from({ length: 6 }, (_, i) => {
    const x = -130 + i * 46 + turn * 60;
    const y = -30 + i * 12 + swing(turn * 6, i / 3) * 2;
    return `<circle cx="${round(x)}" cy="${round(y)}" r="20" fill="${t.accent}" opacity=".22"/><circle cx="${round(x)}" cy="${round(y)}" r="6" fill="${t.accent}"/><path d="M${round(x - 9)} ${round(y + 22)}q-2 -34 -9 -36q-8 2 -9 36Z" fill="#05070f"/><circle cx="${round(x - 18)}" cy="${round(y - 20)}" r="6" fill="#05070f"/>`;
  }).join('');

/** Drawings that only make sense inside a scene. */
export const scenery: Record<string, Motif> = {
  breaker,
  casts,
  darkVillage: village(false),
  flying,
  gulls,
  lanterns,
  sun,
  village: village(true),
};
