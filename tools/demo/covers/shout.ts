import { wrapSvg, formatByline, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** Big condensed capitals over a disc, the drawing sitting on a bar. */
export const shout: Composition = ({ title, subtitle, authors, motif, tones }) =>
  wrapSvg(`<rect width="600" height="900" fill="${tones.ground}"/>
<path d="M0 420L600 300V900H0Z" fill="${tones.accent}"/>
<path d="M0 760L600 690V900H0Z" fill="${tones.ink}"/>
<circle cx="402" cy="566" r="180" fill="${tones.ground}"/>
${transformDrawing(motif(tones), 402, 570, 1.45)}`) +
  createTextBlock(title, {
    x: 42,
    y: 40,
    width: 516,
    height: 310,
    size: 118,
    font: fonts.narrow,
    colour: tones.ink,
    style: 'font-weight:700;text-transform:uppercase;line-height:.94;letter-spacing:-.01em',
  }) +
  createTextBlock(formatByline(authors), {
    x: 44,
    y: 800,
    width: 512,
    height: 44,
    size: 32,
    font: fonts.narrow,
    colour: tones.ground,
    style: 'font-weight:700;letter-spacing:.03em',
  }) +
  createTextBlock(subtitle, {
    x: 44,
    y: 846,
    width: 512,
    height: 30,
    size: 19,
    font: fonts.narrow,
    colour: tones.ground,
    style: 'opacity:.85;letter-spacing:.02em',
  });
