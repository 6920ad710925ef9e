import { wrapSvg, formatByline, capitals, type Composition, fonts, transformDrawing, createTextBlock } from './composition.ts';

/** A scene behind an arch, the words beneath it. */
export const arch: Composition = ({ title, subtitle, authors, motif, tones, random }) => {
  const specks = Array.from(
    { length: 26 },
    () =>
      `<circle cx="${Math.round(120 + random() * 360)}" cy="${Math.round(90 + random() * 260)}" r="${(1.4 + random() * 2.4).toFixed(1)}" fill="${tones.ground}" opacity=".55"/>`,
  ).join('');
  return (
    wrapSvg(`<defs><clipPath id="arch"><path d="M92 560V272C92 -4 508 -4 508 272V560Z"/></clipPath></defs>
<rect width="600" height="900" fill="${tones.ground}"/>
<path d="M76 576V272C76 -26 524 -26 524 272V576Z" fill="none" stroke="${tones.accent}" stroke-width="4"/>
<g clip-path="url(#arch)"><rect width="600" height="600" fill="${tones.deep}"/>${specks}
<circle cx="300" cy="330" r="190" fill="${tones.ground}" opacity=".92"/>
<path d="M60 500C180 440 260 480 340 470C420 460 480 440 560 480V600H60Z" fill="${tones.soft}"/>
${transformDrawing(motif(tones), 300, 352, 1.75)}
<path d="M60 548C200 500 380 560 560 520V600H60Z" fill="${tones.accent}"/></g>`) +
    createTextBlock(title, {
      x: 56,
      y: 606,
      width: 488,
      height: 152,
      size: 66,
      font: fonts.palatino,
      colour: tones.ink,
      align: 'center',
      verticalAlign: 'center',
      style: 'line-height:1.04;font-weight:700',
    }) +
    createTextBlock(subtitle, {
      x: 70,
      y: 762,
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
      x: 60,
      y: 816,
      width: 480,
      height: 34,
      size: 18,
      font: fonts.geometric,
      colour: tones.ink,
      align: 'center',
      verticalAlign: 'center',
      style: capitals,
    })
  );
};
