import { invertPalette, createTones } from '../art/colour.ts';
import { wrapSvg, formatByline, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** Two grounds; the drawing lies across the border and changes colours there. */
export const halves: Composition = ({ title, subtitle, authors, motif, tones }) => {
  const invertedTones = createTones(invertPalette([tones.ground, tones.ink, tones.accent]));
  return (
    wrapSvg(`<defs><clipPath id="left"><rect width="300" height="900"/></clipPath><clipPath id="right"><rect x="300" width="300" height="900"/></clipPath></defs>
<rect width="300" height="900" fill="${tones.ink}"/><rect x="300" width="300" height="900" fill="${tones.ground}"/>
<g clip-path="url(#left)">${transformDrawing(motif(invertedTones), 300, 330, 2.2)}</g>
<g clip-path="url(#right)">${transformDrawing(motif(tones), 300, 330, 2.2)}</g>
<rect y="600" width="600" height="300" fill="${tones.accent}"/>
<path d="M0 600H600" stroke="${tones.ground}" stroke-width="6"/>`) +
    createTextBlock(title, {
      x: 40,
      y: 622,
      width: 520,
      height: 150,
      size: 66,
      font: fonts.geometric,
      colour: tones.onAccent,
      verticalAlign: 'center',
      style: 'font-weight:600;line-height:1.02;letter-spacing:-.02em',
    }) +
    createTextBlock(subtitle, {
      x: 42,
      y: 776,
      width: 516,
      height: 34,
      size: 20,
      font: fonts.geometric,
      colour: tones.onAccent,
      verticalAlign: 'center',
    }) +
    createTextBlock(formatByline(authors), {
      x: 42,
      y: 822,
      width: 516,
      height: 40,
      size: 27,
      font: fonts.palatino,
      colour: tones.onAccent,
      verticalAlign: 'center',
      style: 'font-style:italic',
    })
  );
};
