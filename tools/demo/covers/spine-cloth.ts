import { wrapSvg, formatByline, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** A cloth spine, a plain board and one stamped drawing: a quiet, bound look. */
export const spineCloth: Composition = ({ title, subtitle, authors, publisher, motif, tones }) => {
  const threads = Array.from(
    { length: 38 },
    (_, i) => `<path d="M0 ${i * 24}H132" stroke="${tones.ground}" stroke-width="1" opacity=".16"/>`,
  ).join('');
  return (
    wrapSvg(`<rect width="600" height="900" fill="${tones.ground}"/>
<rect width="132" height="900" fill="${tones.deep}"/>${threads}
<path d="M132 0V900" stroke="${tones.ink}" stroke-width="3" opacity=".35"/><path d="M146 0V900" stroke="${tones.accent}" stroke-width="3"/>
<path d="M190 396H552" stroke="${tones.ink}" stroke-width="2"/><path d="M190 403H552" stroke="${tones.ink}" stroke-width="1"/>
<rect x="190" y="440" width="362" height="362" fill="${tones.mist}"/>
${transformDrawing(motif(tones), 371, 621, 1.6)}`) +
    createTextBlock(title, {
      x: 188,
      y: 60,
      width: 366,
      height: 250,
      size: 66,
      font: fonts.century,
      colour: tones.ink,
      verticalAlign: 'end',
      style: 'line-height:1.02;letter-spacing:-.01em',
    }) +
    createTextBlock(subtitle, {
      x: 190,
      y: 318,
      width: 362,
      height: 64,
      size: 21,
      font: fonts.century,
      colour: tones.ink,
      verticalAlign: 'center',
      style: 'font-style:italic',
    }) +
    createTextBlock(formatByline(authors), {
      x: 190,
      y: 816,
      width: 362,
      height: 34,
      size: 23,
      font: fonts.century,
      colour: tones.ink,
      verticalAlign: 'center',
    }) +
    createTextBlock(publisher, {
      x: 190,
      y: 852,
      width: 362,
      height: 22,
      size: 13,
      font: fonts.geometric,
      colour: tones.ink,
      style: 'opacity:.7;letter-spacing:.06em',
    })
  );
};
