import { mix } from '../art/colour.ts';
import { wrapSvg, formatByline, capitals, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** Bands of colour like a landscape seen from far, the drawing on the near band. */
export const strata: Composition = ({ title, subtitle, authors, motif, tones, random }) => {
  const bands = Array.from({ length: 6 }, (_, i) => {
    const y = 470 + i * 62;
    const lift = () => Math.round((random() - 0.5) * 74);
    return `<path d="M0 ${y + lift()}C150 ${y - 40 + lift()} 250 ${y + 40 + lift()} 360 ${y + lift()}S520 ${y - 30 + lift()} 600 ${y + lift()}V900H0Z" fill="${mix(mix(tones.ground, tones.accent, 0.75 - i * 0.08), tones.ink, 0.08 + i * 0.15)}"/>`;
  });
  return (
    wrapSvg(`<rect width="600" height="900" fill="${tones.ground}"/>
<circle cx="300" cy="470" r="206" fill="${tones.warm}" opacity=".55"/><circle cx="300" cy="470" r="160" fill="${tones.warm}" opacity=".6"/>
${bands.slice(0, 2).join('')}${transformDrawing(motif(tones), 300, 500, 1.6)}${bands.slice(3).join('')}`) +
    createTextBlock(title, {
      x: 50,
      y: 54,
      width: 500,
      height: 178,
      size: 78,
      font: fonts.didone,
      colour: tones.ink,
      align: 'center',
      verticalAlign: 'center',
      style: 'font-weight:700;line-height:1.02',
    }) +
    createTextBlock(subtitle, {
      x: 70,
      y: 238,
      width: 460,
      height: 36,
      size: 21,
      font: fonts.palatino,
      colour: tones.ink,
      align: 'center',
      verticalAlign: 'center',
      style: 'font-style:italic',
    }) +
    createTextBlock(formatByline(authors), {
      x: 50,
      y: 822,
      width: 500,
      height: 38,
      size: 20,
      font: fonts.geometric,
      colour: tones.ground,
      align: 'center',
      verticalAlign: 'center',
      style: capitals,
    })
  );
};
