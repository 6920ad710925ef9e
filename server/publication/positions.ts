import { demand } from './broken-publication.ts';
import type { PublicationLink, Positions, WebPublication } from './web-publication.ts';

const BYTES_PER_POSITION = 1024;
// The longest novels have some thousands.
const MAX_POSITIONS = 200_000;

/** Readium's rule: one position per 1024 packed bytes of a flowing chapter, one per fixed page. */
export function listPositions(
  { metadata, readingOrder }: WebPublication,
  packedBytes: (link: PublicationLink) => number,
): Positions {
  const counts = readingOrder.map((link) =>
    (link.properties?.layout ?? metadata.layout) === 'fixed' ? 1 : Math.max(1, Math.ceil(packedBytes(link) / BYTES_PER_POSITION)),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  demand(total <= MAX_POSITIONS, 'the book is too long', 'book_too_large');
  let before = 0;
  const positions = readingOrder.flatMap(({ href, type }, index) => {
    const count = counts[index] ?? 1;
    const first = before;
    before += count;
    return Array.from({ length: count }, (_, nth) => ({
      href,
      type,
      locations: { progression: nth / count, position: first + nth + 1, totalProgression: (first + nth) / total },
    }));
  });
  return { total, positions };
}
