import { type Motif, round, swing } from './draw.ts';

export const map: Motif = (t, turn = 0) => `
<g stroke="${t.ink}" stroke-width="4" stroke-linejoin="round">
  <path d="M-92 -56L-32 -74V58L-92 76Z" fill="${t.warm}"/><path d="M-32 -74L32 -56V76L-32 58Z" fill="${t.mist}"/><path d="M32 -56L92 -74V58L32 76Z" fill="${t.warm}"/>
</g>
<path d="M-90 -8C-66 -20 -58 6 -34 -4V55L-90 73Z" fill="${t.accent}" opacity=".55"/>
<path d="M34 -54C46 -30 74 -38 90 -26V-70Z" fill="${t.accent}" opacity=".55"/>
<path d="M-32 18C-14 26 -4 8 10 14C22 18 22 36 32 40V72L-30 55Z" fill="${t.half}" opacity=".5"/>
<path d="M-74 38C-58 14 -40 30 -22 10C-6 -8 -12 -34 12 -34C34 -34 30 0 58 2" fill="none" stroke="${t.ink}" stroke-width="4.5" stroke-dasharray="3 10" stroke-dashoffset="${round(-turn * 26)}" stroke-linecap="round"/>
<path d="M52 -6L70 12M70 -6L52 12" stroke="${t.deep}" stroke-width="7" stroke-linecap="round"/>
<circle cx="-74" cy="38" r="7" fill="${t.deep}"/>
<g transform="translate(62 42) rotate(${round(swing(turn) * 8)})"><circle r="17" fill="${t.ground}" stroke="${t.ink}" stroke-width="3"/><path d="M0 -13L5 0L0 13L-5 0Z" fill="${t.ink}"/><path d="M0 -13L5 0H-5Z" fill="${t.accent}"/></g>
<path d="M-74 -38l8 -12l8 12M-60 -34l6 -9l6 9" fill="none" stroke="${t.ink}" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>`;
