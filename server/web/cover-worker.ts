import sharp from 'sharp';

/** `format` as the browser takes it; the picture is written to `target`. */
export type CoverTask = { source: string; target: string; width: number; format: 'webp' | 'jpeg' };

/** 64 million pixels: the largest covers that publishers deliver. What claims to be larger is not opened. */
const MOST_PIXELS = 64_000_000;
const MOST_SECONDS = 10;

// Pictures as the web has them and nothing else that the library could read: drawings and documents hold programs.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});
// One cover at a time on one processor: visitors who browse keep the others. None is asked for twice, so nothing is kept.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Makes a cover of another width. What the camera or the publisher wrote into the file is left out.
 * @throws what the library says of files that are no picture, broken, too large, or take too long
 */
export async function makeCover({ source, target, width, format }: CoverTask): Promise<void> {
  const picture = sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient()
    .resize({ width, withoutEnlargement: true });
  const written =
    format === 'webp'
      ? picture.webp({ quality: 75 })
      : picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true });
  await written.toFile(target);
}
