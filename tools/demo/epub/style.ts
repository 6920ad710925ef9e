import { computeContrast, mix, type Palette } from '../art/colour.ts';

/**
 * The first of accent, ink and ground that is legible on white, else a darkened accent; readers
 * with a night theme override it.
 */
export function getHeadingColour([ground, ink, accent]: Palette): string {
  const legibleColour = [accent, ink, ground].find((colour) => computeContrast(colour, '#ffffff') >= 4.5);
  return legibleColour ?? mix(accent, '#000000', 0.5);
}

/** The stylesheet of a reflowable book: font size, font and background are the reader's choice. */
export const createStyle = (palette: Palette): string => `@namespace epub "http://www.idpf.org/2007/ops";
body { margin: 0 4%; line-height: 1.5; hyphens: auto; -webkit-hyphens: auto; orphans: 2; widows: 2; }
h1 { font-size: 1.7em; line-height: 1.2; font-weight: normal; text-align: center; margin: .5em 0 1.6em; hyphens: none; break-after: avoid; }
h1::after { content: ""; display: block; width: 2.6em; margin: .7em auto 0; border-bottom: 2px solid ${getHeadingColour(palette)}; }
img.headpiece { display: block; width: 5.2em; height: 5.2em; margin: 1.6em auto 0; break-after: avoid; }
h2 { font-size: 1.2em; line-height: 1.3; margin: 1.8em 0 .6em; hyphens: none; break-after: avoid; }
h3 { font-size: 1em; margin: 1.4em 0 .4em; break-after: avoid; }
p { margin: 0; text-indent: 1.3em; }
h1 + p, h2 + p, h3 + p, hr + p, figure + p, blockquote + p, ul + p, ol + p, table + p, li p, blockquote p:first-child { text-indent: 0; }
hr.break { border: 0; margin: 1.4em 0; text-align: center; }
hr.break::after { content: "\\2042"; font-size: 1.2em; opacity: .7; }
blockquote { margin: 1em 1.6em; font-style: italic; }
ul, ol { margin: .8em 0; padding-left: 1.6em; }
li { margin: .25em 0; }
table { border-collapse: collapse; margin: 1em auto; font-size: .95em; }
th, td { border-bottom: 1px solid currentColor; padding: .3em .7em; text-align: left; vertical-align: top; }
figure { margin: 1.4em 0; text-align: center; break-inside: avoid; }
figure img { max-width: 100%; max-height: 80vh; height: auto; }
.cover { text-align: center; } .cover img { max-width: 100%; max-height: 96vh; }
.title-page { text-align: center; } .title-page img.headpiece { width: 8em; height: 8em; margin-top: 12%; } .title-page h1 { font-size: 2.2em; margin: .9em 0 .6em; }
.title-page p { text-indent: 0; } .subtitle { font-style: italic; margin-bottom: 2em; }
.author { font-size: 1.2em; margin: 2em 0; } .publisher { font-size: .85em; letter-spacing: .08em; margin-top: 4em; }
.part h1 { margin-top: 34%; font-size: 2em; }
.imprint { margin-top: 30%; font-size: .9em; text-align: center; } .imprint p { text-indent: 0; margin: .6em 0; }
nav ol { list-style: none; padding-left: 1.2em; } nav > ol { padding-left: 0; }
`;
