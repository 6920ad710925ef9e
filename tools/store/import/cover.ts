import { openPicture } from '../../../server/web/safe-pictures.ts';
import type { ReadCover } from './facts.ts';

/** Pixels: twice as wide as any place that shows one, on any screen. */
const WIDEST = 1800;

const hex = (...parts: number[]): string => `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/**
 * A cover as the shop keeps it: of no kind but JPEG, no wider than anybody needs, without what a camera wrote into it.
 * @throws what the library says of what is no picture, broken or too large
 */
export async function readCover(source: string | Uint8Array): Promise<ReadCover> {
  const { data, info } = await openPicture(source)
    .resize({ width: WIDEST, withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 90, mozjpeg: true })
    .toBuffer({ resolveWithObject: true });
  const { dominant } = await openPicture(data).stats();
  return { bytes: new Uint8Array(data), width: info.width, height: info.height, color: hex(dominant.r, dominant.g, dominant.b) };
}
