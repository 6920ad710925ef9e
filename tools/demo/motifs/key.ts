import { type Motif, round, swing } from './draw.ts';

export const key: Motif = (t, turn = 0) => `
<g transform="rotate(${round(-38 + swing(turn) * 5)})">
  <path d="M-9 -22H9V78C9 90 -9 90 -9 78Z" fill="${t.ink}"/>
  <path d="M7 46H40V60H30V68H40V82H7Z" fill="${t.ink}"/>
  <path d="M-14 -10H14V-2H-14ZM-12 4H12V10H-12Z" fill="${t.accent}"/>
  <g fill="${t.ink}"><circle cy="-74" r="21"/><circle cx="-25" cy="-44" r="21"/><circle cx="25" cy="-44" r="21"/><circle cy="-46" r="20"/></g>
  <g fill="${t.ground}"><circle cy="-74" r="10"/><circle cx="-25" cy="-44" r="10"/><circle cx="25" cy="-44" r="10"/></g>
  <circle cy="-52" r="8" fill="${t.accent}"/>
  <path d="M-2 14V74" stroke="${t.half}" stroke-width="3.5" stroke-linecap="round"/>
</g>
<g fill="${t.accent}"><path d="M62 -66l4 12l12 4l-12 4l-4 12l-4 -12l-12 -4l12 -4Z" opacity="${round(0.75 + swing(turn) * 0.25)}"/>
<path d="M-72 44l3 9l9 3l-9 3l-3 9l-3 -9l-9 -3l9 -3Z" opacity="${round(0.75 - swing(turn) * 0.25)}"/></g>`;
