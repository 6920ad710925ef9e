import { type Motif, ripple, round, swing } from './draw.ts';

export const wave: Motif = (t, turn = 0) => {
  const row = (y: number, fill: string, shift: number, height: number): string =>
    `<path d="${ripple(-100, 100, y, 66, height, shift)}V100H-100Z" fill="${fill}"/>`;
  return `
<defs><clipPath id="sea"><circle r="98"/></clipPath></defs>
<g clip-path="url(#sea)"><circle r="98" fill="${t.mist}"/><circle cx="-42" cy="-46" r="24" fill="${t.accent}"/>
  ${row(4, t.soft, turn, 16)}
  <g transform="translate(${round(swing(turn) * 4)} ${round(swing(turn, 0.25) * 3)})">
    <path d="M-100 60C-60 50 -44 -6 -2 -38C34 -64 82 -46 84 -10C86 14 60 24 46 10C38 0 46 -14 58 -10C50 -28 26 -22 18 2C10 30 40 58 110 58V110H-110Z" fill="${t.ink}"/>
    <path d="M-60 62C-30 48 -20 4 8 -20M-34 66C-10 54 -8 26 6 8" stroke="${t.half}" stroke-width="4" fill="none" stroke-linecap="round"/>
    <path d="M-2 -38C34 -64 82 -46 84 -10" stroke="${t.warm}" stroke-width="6" fill="none" stroke-linecap="round"/>
    <g fill="${t.warm}"><circle cx="88" cy="-32" r="3.5"/><circle cx="74" cy="-50" r="3"/><circle cx="66" cy="-60" r="2"/></g>
  </g>
  ${row(56, t.deep, -turn, 14)}${row(74, t.half, turn + 0.4, 12)}
</g>`;
};
