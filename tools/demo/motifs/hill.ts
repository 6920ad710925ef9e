import { type Motif, round, swing } from './draw.ts';

export const hill: Motif = (t, turn = 0) => `
<defs><clipPath id="land"><circle r="98"/></clipPath></defs>
<g clip-path="url(#land)"><circle r="98" fill="${t.mist}"/>
<circle cx="34" cy="${round(-42 + swing(turn) * 3)}" r="34" fill="${t.accent}"/>
<g fill="${t.soft}" transform="translate(${round(swing(turn) * 6)} 0)">
  <path d="M-84 -46h58a11 11 0 0 0 0-22a20 20 0 0 0-36-8a15 15 0 0 0-22 14a9 9 0 0 0 0 16Z"/>
  <path d="M46 -72h40a8 8 0 0 0 0-16a14 14 0 0 0-26-4a10 10 0 0 0-14 10a6 6 0 0 0 0 10Z" opacity=".7"/>
</g>
<path d="M-100 20C-70 -22 -34 -34 -4 -2C22 -20 62 -24 100 10V96H-100Z" fill="${t.soft}"/>
<path d="M-100 44C-56 6 -18 10 22 34C48 22 78 22 100 34V96H-100Z" fill="${t.half}"/>
<path d="M-100 74C-50 40 24 44 100 70V96H-100Z" fill="${t.ink}"/>
<path d="M-100 96C-40 64 30 70 100 88V96Z" fill="${t.deep}"/>
<g fill="${t.ink}"><path d="M-46 36h26v-16l-13 -13l-13 13Z"/><path d="M52 40l9 -30l9 30ZM68 42l7 -24l7 24Z"/></g>
<path d="M-38 24h9v12h-9Z" fill="${t.accent}"/>
<path d="M-20 96C-8 80 -30 70 -34 40" stroke="${t.warm}" stroke-width="5" fill="none" stroke-linecap="round"/></g>`;
