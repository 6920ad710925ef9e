import { wrapSvg, formatByline, capitals, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** A ruled frame, the drawing in a medallion, everything on one axis. */
export const classic: Composition = ({ title, subtitle, authors, publisher, motif, tones }) =>
  wrapSvg(`<rect width="600" height="900" fill="${tones.ground}"/>
<rect x="26" y="26" width="548" height="848" fill="none" stroke="${tones.accent}" stroke-width="5"/>
<rect x="38" y="38" width="524" height="824" fill="none" stroke="${tones.accent}" stroke-width="1.5"/>
${[
  [38, 38],
  [562, 38],
  [38, 862],
  [562, 862],
]
  .map(
    ([x, y]) =>
      `<circle cx="${x}" cy="${y}" r="16" fill="${tones.ground}"/><path d="M${x} ${(y ?? 0) - 15}l15 15l-15 15l-15 -15Z" fill="${tones.accent}"/>`,
  )
  .join('')}
<circle cx="300" cy="540" r="196" fill="${tones.mist}" stroke="${tones.accent}" stroke-width="3"/>
<circle cx="300" cy="540" r="184" fill="none" stroke="${tones.accent}" stroke-width="1" stroke-dasharray="2 7" stroke-linecap="round"/>
${transformDrawing(motif(tones), 300, 540, 1.42)}`) +
  createTextBlock(title, {
    x: 70,
    y: 82,
    width: 460,
    height: 190,
    size: 68,
    font: fonts.century,
    colour: tones.ink,
    align: 'center',
    verticalAlign: 'center',
    style: 'line-height:1.06',
  }) +
  createTextBlock(subtitle, {
    x: 90,
    y: 278,
    width: 420,
    height: 52,
    size: 23,
    font: fonts.palatino,
    colour: tones.ink,
    align: 'center',
    style: 'font-style:italic',
  }) +
  createTextBlock(formatByline(authors), {
    x: 70,
    y: 762,
    width: 460,
    height: 44,
    size: 27,
    font: fonts.century,
    colour: tones.ink,
    align: 'center',
    verticalAlign: 'center',
    style: 'letter-spacing:.04em',
  }) +
  createTextBlock(publisher, {
    x: 100,
    y: 816,
    width: 400,
    height: 24,
    size: 13,
    font: fonts.geometric,
    colour: tones.ink,
    align: 'center',
    style: `${capitals};opacity:.7`,
  });
