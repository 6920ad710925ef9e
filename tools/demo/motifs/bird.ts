import { type Motif, round, swing } from './draw.ts';

const leaf = (x: number, y: number, angle: number, fill: string): string =>
  `<path transform="translate(${x} ${y}) rotate(${angle})" d="M0 0C6 -14 22 -18 34 -12C28 2 14 8 0 0Z" fill="${fill}"/>`;

const body: Motif = (t, turn = 0) => `<path d="M-34 18L-96 44L-88 58L-22 38Z" fill="${t.deep}"/>
  <path d="M-52 26C-44 -16 -14 -30 6 -52C20 -76 62 -74 64 -40C68 8 40 46 -2 46C-26 46 -44 40 -52 26Z" fill="${t.ink}"/>
  <path d="M62 -30C62 8 40 46 0 46C30 26 34 -6 40 -22C46 -30 56 -34 62 -30Z" fill="${t.accent}"/>
  <path d="M62 -50L88 -40L63 -34Z" fill="${t.warm}"/>
  <circle cx="44" cy="-48" r="6.5" fill="${t.ground}"/><circle cx="46" cy="-48" r="3" fill="${t.ink}"/>
<g transform="rotate(${round(swing(turn * 2) * 5)} 10 -8)">
    <path d="M-60 34C-46 -6 -14 -20 18 -14C16 14 -14 36 -60 34Z" fill="${t.half}"/>
    <path d="M-40 26C-26 8 -8 -2 10 -4M-30 30C-14 18 0 10 8 6" stroke="${t.ink}" stroke-width="3" fill="none" stroke-linecap="round"/>
  </g>`;

export const bird: Motif = (t, turn = 0) => `
<path d="M-94 72C-50 62 10 62 94 50" stroke="${t.deep}" stroke-width="7" fill="none" stroke-linecap="round"/>
${leaf(56, 54, -24, t.warm)}${leaf(-78, 70, -40, t.warm)}${leaf(74, 52, 52, t.soft)}${leaf(-58, 68, 40, t.soft)}
<g transform="rotate(${round(swing(turn) * 2.5)} 0 60)">
  <path d="M-8 38L-12 64M10 38L10 62" stroke="${t.ink}" stroke-width="4" stroke-linecap="round"/>
  ${body(t, turn)}
</g>`;

/** The bird in flight. */
export const flying: Motif = (t, turn = 0) => `
<g transform="translate(0 ${round(swing(turn) * 6)}) rotate(-12)">
  ${body(t, turn)}
  <path transform="rotate(${round(-20 + swing(turn * 4) * 22)} 0 -10)" d="M20 -12C6 -60 -34 -92 -70 -96C-66 -50 -44 -8 -14 8Z" fill="${t.half}"/>
</g>`;
