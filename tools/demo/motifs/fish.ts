import { type Motif, round, swing } from './draw.ts';

const scales = (colour: string): string =>
  [-22, -2, 18]
    .flatMap((x, i) =>
      (i % 2 ? [-16, 4, 24] : [-6, 14]).map(
        (y) =>
          `<path d="M${x} ${y - 10}a10 10 0 0 1 0 20" stroke="${colour}" stroke-width="3" fill="none" stroke-linecap="round"/>`,
      ),
    )
    .join('');

export const fish: Motif = (t, turn = 0) => `
<g transform="translate(${round(swing(turn) * 3)} ${round(swing(turn, 0.25) * 3)})">
  <g transform="translate(-54 2) scale(${round(1 + swing(turn * 2) * 0.14)} 1)"><path d="M8 0C-12 -22 -30 -36 -42 -38C-34 -12 -34 14 -42 42C-28 38 -10 22 8 4Z" fill="${t.deep}"/></g>
  <path d="M-6 -38C6 -66 34 -66 44 -60C42 -46 38 -38 30 -32Z" fill="${t.deep}"/>
  <path d="M-14 38C-8 58 8 64 20 62C20 50 18 44 14 38Z" fill="${t.deep}"/>
  <path d="M-62 2C-36 -44 24 -56 62 -30C82 -16 90 -4 92 4C88 12 78 26 60 34C22 54 -36 46 -62 2Z" fill="${t.accent}"/>
  <path d="M-62 2C-30 24 40 36 84 18C78 26 70 30 60 34C22 54 -36 46 -62 2Z" fill="${t.ink}" opacity=".22"/>
  ${scales(t.ink)}
  <path d="M46 -38C34 -16 34 16 46 38" stroke="${t.ink}" stroke-width="4" fill="none" stroke-linecap="round"/>
  <circle cx="64" cy="-10" r="9" fill="${t.ground}"/><circle cx="66" cy="-10" r="5" fill="${t.ink}"/>
  <path d="M78 14C82 14 86 12 88 9" stroke="${t.ink}" stroke-width="3.5" fill="none" stroke-linecap="round"/>
</g>
<g fill="none" stroke="${t.half}" stroke-width="3.5">
  <circle cx="84" cy="${round(-44 - turn * 20)}" r="6"/><circle cx="70" cy="${round(-62 - turn * 20)}" r="4"/><circle cx="90" cy="${round(-76 - turn * 10)}" r="3"/>
  <path d="M-92 78q14 -10 28 0t28 0M20 84q14 -10 28 0t28 0" stroke-linecap="round"/>
</g>`;
