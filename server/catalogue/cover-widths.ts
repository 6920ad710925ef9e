import { extname } from 'node:path';
import type { Cover } from '../database/schema/catalogue.ts';

/** Widths in pixels that covers are made in: what places of 144 to 320 CSS pixels need on screens of one to three pixels each. */
export const COVER_WIDTHS = [180, 240, 320, 400, 480, 600, 900];

/** The widths that a cover comes in: none wider than it is, and none of a drawing, which is sharp in any. */
export const widthsOf = ({ file, width = 0 }: Cover): number[] =>
  extname(file).toLowerCase() === '.svg' ? [] : COVER_WIDTHS.filter((each) => each <= width);
