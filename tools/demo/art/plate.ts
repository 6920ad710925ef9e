import { getMotif } from '../motifs/all.ts';
import { mix, type Palette, createTones, computeLuminance } from './colour.ts';
import { createSeededRandom } from './seeded.ts';

/** The palette of a plate, with a light ground of its own: pages are read on white or on black. */
export function toPaperPalette([ground, ink, accent]: Palette): Palette {
  return computeLuminance(ground) > computeLuminance(ink) ? [ground, ink, accent] : [mix(ink, '#ffffff', 0.2), ground, accent];
}

function drawBackground(random: () => number, tones: ReturnType<typeof createTones>): string {
  const lift = () => Math.round((random() - 0.5) * 50);
  const far = `<path d="M0 ${270 + lift()}C120 ${220 + lift()} 220 ${300 + lift()} 330 ${262 + lift()}S520 ${230 + lift()} 640 ${270 + lift()}V400H0Z" fill="${tones.mist}"/>`;
  const near = `<path d="M0 ${330 + lift() / 2}C160 ${300 + lift() / 2} 300 ${350 + lift() / 2} 640 ${318 + lift() / 2}V400H0Z" fill="${tones.warm}" opacity=".55"/>`;
  const specks = Array.from(
    { length: 16 },
    () =>
      `<circle cx="${Math.round(random() * 640)}" cy="${Math.round(30 + random() * 180)}" r="${(1.5 + random() * 2.5).toFixed(1)}" fill="${tones.soft}"/>`,
  ).join('');
  return `<circle cx="320" cy="190" r="168" fill="${mix(tones.ground, '#ffffff', 0.45)}"/>${specks}${far}${near}`;
}

/**
 * The book's small round emblem, 200 by 200, legible on light and dark pages, as a complete SVG
 * document.
 */
export function drawEmblem(name: string, palette: Palette): string {
  const tones = createTones(toPaperPalette(palette));
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="-100 -100 200 200">
<circle r="99" fill="${tones.ground}"/><circle r="92" fill="none" stroke="${tones.accent}" stroke-width="2"/>
<g transform="scale(.74)">${getMotif(name)(tones)}</g>
</svg>
`;
}

/** A chapter's picture, 640 by 400, as a complete SVG document; `seed` varies its setting. */
export function drawPlate(name: string, palette: Palette, seed: string, alt: string): string {
  const tones = createTones(toPaperPalette(palette));
  const title = alt.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? char);
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400" role="img"><title>${title}</title>
<rect width="640" height="400" rx="6" fill="${tones.ground}"/>
${drawBackground(createSeededRandom(seed), tones)}
<g transform="translate(320 204) scale(1.62)">${getMotif(name)(tones)}</g>
<rect x="7" y="7" width="626" height="386" rx="3" fill="none" stroke="${tones.ink}" stroke-width="2" opacity=".5"/>
</svg>
`;
}
