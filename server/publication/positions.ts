import { assertReadable } from './broken-publication.ts';
import type { PublicationLink, Positions, WebPublication } from './web-publication.ts';

const BYTES_PER_POSITION = 1024;
/** Maximum positions of a book; the longest novels have several thousand. */
const MAX_POSITIONS = 200_000;

/**
 * Adds the number of positions to each item of the reading order, by Readium's rule: one per 1024
 * packed bytes of a reflowable chapter, one per fixed page.
 * @throws BrokenPublication for a book with more positions than any real one
 */
export function addPositionCounts(manifest: WebPublication, packedBytes: (link: PublicationLink) => number): WebPublication {
  const { metadata, readingOrder } = manifest;
  const countPositions = (link: PublicationLink): number =>
    (link.properties?.layout ?? metadata.layout) === 'fixed' ? 1 : Math.max(1, Math.ceil(packedBytes(link) / BYTES_PER_POSITION));
  const countedOrder = readingOrder.map((link) => ({
    ...link,
    properties: { ...link.properties, positions: countPositions(link) },
  }));
  const total = countedOrder.reduce((sum, { properties }) => sum + properties.positions, 0);
  assertReadable(
    total <= MAX_POSITIONS,
    `the book is too long: ${total} positions, expected at most ${MAX_POSITIONS}`,
    'book_too_large',
  );
  return { ...manifest, readingOrder: countedOrder };
}

/** Readium's list of positions, from the counts in a manifest. */
export function listPositions({ readingOrder }: WebPublication): Positions {
  const getPositionCount = ({ properties }: PublicationLink): number => properties?.positions ?? 1;
  const total = readingOrder.reduce((sum, link) => sum + getPositionCount(link), 0);
  let precedingPositions = 0;
  const positions = readingOrder.flatMap((link) => {
    const { href, type } = link;
    const count = getPositionCount(link);
    const firstIndex = precedingPositions;
    precedingPositions += count;
    return Array.from({ length: count }, (_, index) => ({
      href,
      type,
      locations: { progression: index / count, position: firstIndex + index + 1, totalProgression: (firstIndex + index) / total },
    }));
  });
  return { total, positions };
}
