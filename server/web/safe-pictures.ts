import sharp, { type Sharp } from 'sharp';

/** 64 million pixels: the largest covers that publishers deliver. What claims to be larger is not opened. */
const MOST_PIXELS = 64_000_000;
const MOST_SECONDS = 10;

// Pictures as the web has them and nothing else that the library could read: drawings and documents hold programs.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});
// One picture at a time on one processor: visitors who browse keep the others. None is asked for twice, so nothing is kept.
sharp.concurrency(1);
sharp.cache(false);

/** A picture that a store supplies, upright; reading it fails where it is none, broken, too large, or takes too long. */
export const openPicture = (source: string | Uint8Array): Sharp =>
  sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).timeout({ seconds: MOST_SECONDS }).autoOrient();
