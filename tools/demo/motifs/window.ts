import { computeLuminance } from '../art/colour.ts';
import { type Motif, round, swing } from './draw.ts';

const getLighter = (a: string, b: string): string => (computeLuminance(a) > computeLuminance(b) ? a : b);

export const window: Motif = (t, turn = 0) => `
<path d="M-62 78V-30C-62 -112 62 -112 62 -30V78Z" fill="${t.ink}"/>
<path d="M-52 72V-30C-52 -98 52 -98 52 -30V72Z" fill="${t.warm}"/>
<circle cx="22" cy="-44" r="17" fill="${getLighter(t.ground, t.ink)}"/>
<path d="M-52 34C-30 8 -8 16 10 26C28 12 42 14 52 22V72H-52Z" fill="${t.accent}"/>
<path d="M-52 56C-20 34 20 44 52 50V72H-52Z" fill="${t.deep}"/>
<path d="M0 -84V72M-54 -18H54M-54 26H54" stroke="${t.ink}" stroke-width="6"/>
<path d="M-76 78H76V92H-76Z" fill="${t.ink}"/>
<g transform="translate(-30 78) rotate(${round(swing(turn) * 2)})">
  <path d="M0 -24C-18 -34 -24 -48 -16 -60C-2 -54 2 -40 0 -24ZM0 -24C4 -44 16 -54 26 -50C26 -36 14 -26 0 -24Z" fill="${t.half}"/>
  <path d="M0 -14V-44" stroke="${t.ink}" stroke-width="3"/>
  <path d="M-14 -24H14L10 0H-10Z" fill="${t.accent}" stroke="${t.ink}" stroke-width="3"/>
</g>
<g transform="rotate(${round(swing(turn, 0.3) * 1.5)} -56 -80)">
  <path d="M-66 -92C-40 -70 -44 0 -70 40Z" fill="${t.soft}" opacity=".9"/>
</g>
<g transform="rotate(${round(swing(turn) * -1.5)} 56 -80)"><path d="M66 -92C40 -70 44 0 70 40Z" fill="${t.soft}" opacity=".9"/></g>
<path d="M-78 -92H78" stroke="${t.ink}" stroke-width="5" stroke-linecap="round"/>`;
