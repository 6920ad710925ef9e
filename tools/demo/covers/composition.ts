import type { Tones } from '../art/colour.ts';
import { escapeText, typeset } from '../text.ts';
import type { Motif } from '../motifs/draw.ts';

/** The text and drawing of a cover, which is 600 by 900 CSS pixels. */
interface CoverSubject {
  title: string;
  subtitle: string | undefined;
  authors: string[];
  publisher: string;
  motif: Motif;
  tones: Tones;
  random: () => number;
}

/** Returns the HTML body of a cover. */
export type Composition = (subject: CoverSubject) => string;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Largest font size in px; reduced until the text fits the box. */
  size: number;
  font: string;
  colour: string;
  align?: 'left' | 'center' | 'right';
  /** The vertical alignment of the text in the box. */
  verticalAlign?: 'start' | 'center' | 'end';
  style?: string;
}

export const fonts = {
  bookman: "font-family:'URW Bookman','Bookman Old Style',serif",
  century: "font-family:'C059','Century Schoolbook',serif",
  didone: "font-family:'Noto Serif Display','Didot',serif",
  geometric: "font-family:'URW Gothic','Century Gothic',sans-serif",
  narrow: "font-family:'Liberation Sans Narrow','Arial Narrow',sans-serif",
  palatino: "font-family:'P052','Palatino',serif",
};

export const wrapSvg = (content: string): string =>
  `<svg width="600" height="900" viewBox="0 0 600 900" xmlns="http://www.w3.org/2000/svg">${content}</svg>`;

export const transformDrawing = (content: string, x: number, y: number, scale: number, turn = 0): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${content}</g>`;

export function createTextBlock(text: string | undefined, box: Box): string {
  if (!text) return '';
  const boxStyle = `left:${box.x}px;top:${box.y}px;width:${box.width}px;height:${box.height}px`;
  const textStyle = `${box.font};font-size:${box.size}px;color:${box.colour};text-align:${box.align ?? 'left'}`;
  return `<div class="words" style="${boxStyle};justify-content:${box.verticalAlign ?? 'start'};${textStyle};${box.style ?? ''}"><span>${escapeText(typeset(text))}</span></div>`;
}

/** The authors in a cover's form: "A", "A & B", "A, B & C". */
export function formatByline(authors: string[]): string {
  const last = authors.at(-1) ?? '';
  return authors.length < 2 ? last : `${authors.slice(0, -1).join(', ')} & ${last}`;
}

export const capitals = 'text-transform:uppercase;letter-spacing:.14em';
