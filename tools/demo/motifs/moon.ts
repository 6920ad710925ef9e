import { type Motif, round, swing } from './draw.ts';

const stars: [number, number, number][] = [
  [-66, -58, 9],
  [66, -74, 7],
  [78, 8, 10],
  [52, 58, 6],
  [-82, 18, 6],
  [-58, 72, 8],
  [20, -92, 5],
];

const star = (size: number): string =>
  `M0 ${-size}L${round(size * 0.24)} ${round(-size * 0.24)}L${size} 0L${round(size * 0.24)} ${round(size * 0.24)}L0 ${size}L${round(-size * 0.24)} ${round(size * 0.24)}L${-size} 0L${round(-size * 0.24)} ${round(-size * 0.24)}Z`;

export const moon: Motif = (t, turn = 0) => `
<circle r="86" fill="${t.accent}" opacity=".1"/><circle r="72" fill="${t.accent}" opacity=".12"/>
<circle r="58" fill="${t.accent}"/>
<path d="M20 -54A58 58 0 1 1 -42 40A50 50 0 0 0 20 -54Z" fill="${t.warm}" opacity=".55"/>
<g fill="${t.deep}" opacity=".28"><circle cx="-22" cy="-22" r="11"/><circle cx="8" cy="30" r="8"/><circle cx="-30" cy="14" r="6"/><circle cx="10" cy="-38" r="5"/></g>
<g fill="none" stroke="${t.deep}" stroke-width="4" stroke-linecap="round"><path d="M4 -6q7 -7 14 0M32 -6q7 -7 14 0M14 12q10 10 22 0"/></g>
<g fill="${t.ink}">${stars
  .map(
    ([x, y, size], i) =>
      `<path transform="translate(${x} ${y})" d="${star(size)}" opacity="${round(0.7 + swing(turn, i / 7) * 0.3)}"/>`,
  )
  .join('')}</g>`;
