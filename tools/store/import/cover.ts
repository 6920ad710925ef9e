import { openPicture } from '../../../server/web/safe-pictures.ts';
import type { CoverImage } from './facts.ts';

/** Maximum width in pixels: twice the widest display of a cover. */
const MAX_COVER_WIDTH = 1800;

const toHexColor = (...channels: number[]): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/**
 * Converts a cover for the shop: to JPEG, at most `MAX_COVER_WIDTH` pixels wide, without EXIF data.
 * @throws the library's error for a file that is not an image, broken or too large
 */
export async function readCover(source: string | Uint8Array): Promise<CoverImage> {
  const { data, info } = await openPicture(source)
    .resize({ width: MAX_COVER_WIDTH, withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 90, mozjpeg: true })
    .toBuffer({ resolveWithObject: true });
  const { dominant } = await openPicture(data).stats();
  return {
    bytes: new Uint8Array(data),
    width: info.width,
    height: info.height,
    color: toHexColor(dominant.r, dominant.g, dominant.b),
  };
}
