import { art, byline, type Composition, fonts, placed, words } from './composition.ts';

/** The drawing fills the lower part and runs off the edge, under a large title. */
export const poster: Composition = ({ title, subtitle, authors, publisher, motif, tones }) =>
  art(`<rect width="600" height="900" fill="${tones.ground}"/>
<circle cx="330" cy="640" r="330" fill="${tones.mist}"/><circle cx="330" cy="640" r="252" fill="${tones.soft}" opacity=".5"/>
${placed(motif(tones), 330, 610, 2.35)}
<rect y="846" width="600" height="54" fill="${tones.ink}"/>`) +
  words(byline(authors), {
    x: 48,
    y: 44,
    width: 504,
    height: 36,
    size: 25,
    font: fonts.geometric,
    colour: tones.ink,
    style: 'letter-spacing:.02em',
  }) +
  words(title, {
    x: 46,
    y: 92,
    width: 508,
    height: 250,
    size: 92,
    font: fonts.bookman,
    colour: tones.ink,
    style: 'line-height:.98;letter-spacing:-.02em;font-weight:600',
  }) +
  words(subtitle ?? publisher, {
    x: 48,
    y: 853,
    width: 504,
    height: 40,
    size: 19,
    font: fonts.geometric,
    colour: tones.ground,
    rest: 'center',
  });
