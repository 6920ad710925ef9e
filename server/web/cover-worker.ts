import type { Sharp } from 'sharp';
import type { CoverFormat } from './cover-formats.ts';
import { openPicture } from './safe-pictures.ts';

/** `format` as accepted by the browser; the picture is written to `target`. */
export type CoverTask = { source: string; target: string; width: number; format: CoverFormat };

/**
 * Encoders by format, whose results look alike on book covers; a higher `effort` for AVIF saves too
 * little to make the first visitor wait.
 */
const encode: Record<CoverFormat, (picture: Sharp) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 45, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 75 }),
  jpeg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
};

/**
 * Resizes a cover. Metadata of the camera or the publisher is removed.
 * @throws the library's errors for files that are not pictures, broken, too large, or take too long
 */
export async function makeCover({ source, target, width, format }: CoverTask): Promise<void> {
  await encode[format](openPicture(source).resize({ width, withoutEnlargement: true })).toFile(target);
}
