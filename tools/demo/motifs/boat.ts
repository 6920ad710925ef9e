import { type Motif, ripple, round, swing } from './draw.ts';

export const boat: Motif = (t, turn = 0) => `
<g transform="translate(0 ${round(swing(turn) * 3)}) rotate(${round(swing(turn, 0.2) * 3)} 0 50)">
  <path d="M2 -92V34" stroke="${t.ink}" stroke-width="5" stroke-linecap="round"/>
  <path d="M8 -84C46 -58 66 -14 62 22H8Z" fill="${t.accent}"/>
  <path d="M8 -34C30 -30 48 -22 56 -14C60 -2 62 10 62 22H8Z" fill="${t.deep}" opacity=".35"/>
  <path d="M-5 -74C-36 -40 -52 -8 -54 22H-5Z" fill="${t.warm}"/>
  <path d="M2 -92L24 -86L2 -79Z" fill="${t.ink}"/>
  <path d="M-78 32H80C74 58 58 70 38 72H-44C-62 70 -74 54 -78 32Z" fill="${t.ink}"/>
  <path d="M-73 43H77" stroke="${t.accent}" stroke-width="4"/>
  <circle cx="-32" cy="55" r="4" fill="${t.soft}"/><circle cx="-10" cy="55" r="4" fill="${t.soft}"/><circle cx="12" cy="55" r="4" fill="${t.soft}"/>
</g>
<g fill="none" stroke="${t.half}" stroke-width="4" stroke-linecap="round">
  <path d="${ripple(-92, 92, 74, 46, 12, turn)}"/><path d="${ripple(-64, 70, 88, 40, 10, -turn)}" opacity=".6"/>
</g>`;
