import sharp, { type Sharp } from 'sharp';

/** 64 million pixels: the largest covers that publishers deliver. Larger ones are not opened. */
const MAX_PIXELS = 64_000_000;
const MAX_SECONDS = 10;

// Only picture formats of the web are allowed: vector graphics and documents, which the library
// could also read, may contain programs.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});
// One picture at a time is read on one processor: the others stay free for visitors. No picture is
// read twice, so there is no cache.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Opens a picture supplied by a store, upright; reading it fails where it is not a picture, broken,
 * too large, or takes too long.
 */
export const openPicture = (source: string | Uint8Array): Sharp =>
  sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: MAX_SECONDS }).autoOrient();
