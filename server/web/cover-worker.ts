import { openPicture } from './safe-pictures.ts';

/** `format` as the browser takes it; the picture is written to `target`. */
export type CoverTask = { source: string; target: string; width: number; format: 'webp' | 'jpeg' };

/**
 * Makes a cover of another width. What the camera or the publisher wrote into the file is left out.
 * @throws what the library says of files that are no picture, broken, too large, or take too long
 */
export async function makeCover({ source, target, width, format }: CoverTask): Promise<void> {
  const picture = openPicture(source).resize({ width, withoutEnlargement: true });
  const written =
    format === 'webp'
      ? picture.webp({ quality: 75 })
      : picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true });
  await written.toFile(target);
}
