import { extname } from 'node:path';
import type { Cover } from '../database/schema/catalogue.ts';

/**
 * Widths of covers in pixels: for slots of 144 to 320 CSS pixels on screens with 1 to 3 device
 * pixels each.
 */
export const COVER_WIDTHS = [180, 240, 320, 400, 480, 600, 900];

/**
 * The widths that a cover is offered in: none wider than the original, and none for an SVG, which
 * is sharp at any size.
 */
export const getCoverWidths = ({ file, width = 0 }: Cover): number[] =>
  extname(file).toLowerCase() === '.svg' ? [] : COVER_WIDTHS.filter((each) => each <= width);
