import { type Motif, round } from './draw.ts';

const marks = (colour: string): string =>
  Array.from({ length: 12 }, (_, i) => {
    const long = i % 3 === 0;
    return `<path transform="rotate(${i * 30})" d="M0 ${long ? -46 : -52}V-58" stroke="${colour}" stroke-width="${long ? 6 : 3.5}" stroke-linecap="round"/>`;
  }).join('');

/** Without movement the clock shows ten past four. */
export const clock: Motif = (t, turn = 0) => `
<path d="M-36 66L-50 94M36 66L50 94" stroke="${t.ink}" stroke-width="10" stroke-linecap="round"/>
<g fill="${t.accent}"><path d="M-74 -44A34 34 0 0 1 -28 -78Z"/><path d="M74 -44A34 34 0 0 0 28 -78Z"/></g>
<path d="M-10 -86h20v14h-20Z" fill="${t.ink}"/><circle cy="-90" r="8" fill="none" stroke="${t.ink}" stroke-width="4"/>
<circle r="76" fill="${t.ink}"/><circle r="66" fill="${t.ground}"/><circle r="60" fill="${t.mist}"/>
${marks(t.ink)}
<path transform="rotate(${round(125 + turn * 30)})" d="M-5 10L0 -34L5 10Z" fill="${t.ink}" stroke="${t.ink}" stroke-width="3" stroke-linejoin="round"/>
<path transform="rotate(${round(60 + turn * 360)})" d="M-4 12L0 -52L4 12Z" fill="${t.accent}" stroke="${t.accent}" stroke-width="2" stroke-linejoin="round"/>
<circle r="7" fill="${t.ink}"/><circle r="3" fill="${t.accent}"/>`;
