import { wrapSvg, formatByline, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** The drawing fills the lower part and runs off the edge, under a large title. */
export const poster: Composition = ({ title, subtitle, authors, publisher, motif, tones }) =>
  wrapSvg(`<rect width="600" height="900" fill="${tones.ground}"/>
<circle cx="330" cy="640" r="330" fill="${tones.mist}"/><circle cx="330" cy="640" r="252" fill="${tones.soft}" opacity=".5"/>
${transformDrawing(motif(tones), 330, 610, 2.35)}
<rect y="846" width="600" height="54" fill="${tones.ink}"/>`) +
  createTextBlock(formatByline(authors), {
    x: 48,
    y: 44,
    width: 504,
    height: 36,
    size: 25,
    font: fonts.geometric,
    colour: tones.ink,
    style: 'letter-spacing:.02em',
  }) +
  createTextBlock(title, {
    x: 46,
    y: 92,
    width: 508,
    height: 250,
    size: 92,
    font: fonts.bookman,
    colour: tones.ink,
    style: 'line-height:.98;letter-spacing:-.02em;font-weight:600',
  }) +
  createTextBlock(subtitle ?? publisher, {
    x: 48,
    y: 853,
    width: 504,
    height: 40,
    size: 19,
    font: fonts.geometric,
    colour: tones.ground,
    verticalAlign: 'center',
  });
