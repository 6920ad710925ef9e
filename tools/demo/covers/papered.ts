import { wrapSvg, formatByline, capitals, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** A patterned paper of small repeats with a pasted label. */
export const papered: Composition = ({ title, subtitle, authors, publisher, motif, tones }) => {
  const repeats = Array.from({ length: 9 }, (_, row) =>
    Array.from({ length: 6 }, (_, column) => {
      const x = column * 120 + (row % 2 ? 0 : 60) - 30;
      const y = row * 112 + 4;
      return (row + column) % 2
        ? transformDrawing(motif(tones), x, y, 0.4)
        : `<circle cx="${x}" cy="${y}" r="8" fill="${tones.accent}"/><circle cx="${x}" cy="${y}" r="17" fill="none" stroke="${tones.soft}" stroke-width="3"/>`;
    }).join(''),
  ).join('');
  return (
    wrapSvg(`<rect width="600" height="900" fill="${tones.ground}"/>${repeats}
<rect x="82" y="238" width="436" height="404" fill="${tones.ink}" opacity=".18" transform="translate(7 9)"/>
<rect x="82" y="238" width="436" height="404" fill="${tones.ink}"/>
<rect x="96" y="252" width="408" height="376" fill="none" stroke="${tones.accent}" stroke-width="3"/>
<path d="M250 512H350" stroke="${tones.accent}" stroke-width="3"/><circle cx="300" cy="512" r="6" fill="${tones.accent}"/>`) +
    createTextBlock(title, {
      x: 120,
      y: 276,
      width: 360,
      height: 168,
      size: 62,
      font: fonts.didone,
      colour: tones.ground,
      align: 'center',
      verticalAlign: 'center',
      style: 'line-height:1.04;font-weight:700',
    }) +
    createTextBlock(subtitle, {
      x: 126,
      y: 448,
      width: 348,
      height: 50,
      size: 20,
      font: fonts.palatino,
      colour: tones.ground,
      align: 'center',
      verticalAlign: 'center',
      style: 'font-style:italic',
    }) +
    createTextBlock(formatByline(authors), {
      x: 120,
      y: 534,
      width: 360,
      height: 40,
      size: 24,
      font: fonts.palatino,
      colour: tones.ground,
      align: 'center',
      verticalAlign: 'center',
    }) +
    createTextBlock(publisher, {
      x: 120,
      y: 588,
      width: 360,
      height: 22,
      size: 12,
      font: fonts.geometric,
      colour: tones.ground,
      align: 'center',
      style: `${capitals};opacity:.75`,
    })
  );
};
