import type { Sharp } from 'sharp';
import type { CoverFormat } from './cover-formats.ts';
import { openPicture } from './safe-pictures.ts';

/** `format` as the browser takes it; the picture is written to `target`. */
export type CoverTask = { source: string; target: string; width: number; format: CoverFormat };

/** All three look alike on the covers of books; more `effort` for AVIF saves nothing that would be worth the first visitor's time. */
const encode: Record<CoverFormat, (picture: Sharp) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 45, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 75 }),
  jpeg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
};

/**
 * Makes a cover of another width. What the camera or the publisher wrote into the file is left out.
 * @throws what the library says of files that are no picture, broken, too large, or take too long
 */
export async function makeCover({ source, target, width, format }: CoverTask): Promise<void> {
  await encode[format](openPicture(source).resize({ width, withoutEnlargement: true })).toFile(target);
}
