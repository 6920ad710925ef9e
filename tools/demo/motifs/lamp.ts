import { type Motif, round, swing } from './draw.ts';

const rays = (colour: string, turn: number): string =>
  Array.from({ length: 12 }, (_, i) => {
    const angle = (i * 30 * Math.PI) / 180;
    const from = 62;
    const to = 84 + (i % 2) * 10 + swing(turn, i / 12) * 4;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return `<path d="M${round(c * from)} ${round(8 + s * from)}L${round(c * to)} ${round(8 + s * to)}" stroke="${colour}" stroke-width="3.5" stroke-linecap="round"/>`;
  }).join('');

export const lamp: Motif = (t, turn = 0) => `
<circle cy="8" r="${round(72 + swing(turn) * 2)}" fill="${t.accent}" opacity=".16"/>
<circle cy="8" r="${round(54 + swing(turn, 0.3) * 2)}" fill="${t.accent}" opacity=".22"/>
<g opacity=".75">${rays(t.warm, turn)}</g>
<path d="M-30 -46C-30 -98 30 -98 30 -46" fill="none" stroke="${t.ink}" stroke-width="5"/>
<path d="M-14 -62H14L26 -44H-26Z" fill="${t.ink}"/>
<path d="M-30 -44H30C44 -16 44 20 32 52H-32C-44 20 -44 -16 -30 -44Z" fill="${t.accent}" opacity=".38"/>
<path d="M-30 -44H30C44 -16 44 20 32 52H-32C-44 20 -44 -16 -30 -44Z" fill="none" stroke="${t.ink}" stroke-width="4.5"/>
<g transform="translate(${round(swing(turn * 2) * 1.5)} 0)">
  <path d="M0 -26C20 0 22 18 16 30C12 40 -12 40 -16 30C-22 16 -8 8 0 -26Z" fill="${t.accent}"/>
  <path d="M1 4C10 16 10 26 6 32C3 37 -6 36 -8 30C-10 22 -2 18 1 4Z" fill="${t.ground}" opacity=".85"/>
</g>
<path d="M-36 -14H36M-37 22H37" stroke="${t.ink}" stroke-width="3" opacity=".8"/>
<path d="M-38 52H38L46 84H-46Z" fill="${t.ink}"/><path d="M-52 84H52V94H-52Z" fill="${t.ink}"/>
<path d="M-38 66H38" stroke="${t.accent}" stroke-width="4"/>`;
