import { type Motif, round, swing } from './draw.ts';

const crown: [number, number, number][] = [
  [0, -52, 42],
  [-40, -28, 34],
  [40, -30, 34],
  [-22, -66, 28],
  [26, -68, 26],
  [-58, -6, 22],
  [58, -8, 22],
  [0, -14, 36],
];

export const tree: Motif = (t, turn = 0) => {
  const sway = (i: number): number => round(swing(turn, i / 8) * 2.5);
  const puffs = crown
    .map(([x, y, r], i) => `<circle cx="${x + sway(i)}" cy="${y}" r="${r}" fill="${i % 3 === 1 ? t.half : t.ink}"/>`)
    .join('');
  const fruit = [
    [-36, -40],
    [12, -70],
    [38, -34],
    [-8, -30],
    [-56, -6],
    [24, -10],
    [58, -14],
    [-18, -74],
  ]
    .map(([x = 0, y = 0], i) => `<circle cx="${x + sway(i)}" cy="${y}" r="6" fill="${t.accent}"/>`)
    .join('');
  return `
<ellipse cy="86" rx="78" ry="9" fill="${t.soft}"/>
${puffs}
<path d="M-12 88C-6 50 -10 30 -34 2L-28 -2C-14 14 -8 20 -4 28C-4 2 -2 -14 0 -34H5C4 -10 6 6 6 26C14 14 22 6 32 0L37 5C16 26 10 52 16 88Z" fill="${t.deep}"/>
${fruit}
<path d="M-60 88q6 -14 10 0M-48 88q4 -18 10 0M42 88q6 -16 10 0M54 88q4 -12 8 0" stroke="${t.ink}" stroke-width="3" fill="none" stroke-linecap="round"/>`;
};
