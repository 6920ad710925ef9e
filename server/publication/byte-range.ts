/** Bytes from `start` up to but not including `end`. */
export type ByteRange = { start: number; end: number };

/**
 * Reads a Range header (RFC 9110, 14.2) against a size in bytes. `null`: answer the whole (no
 * range, an invalid one, several ranges or another unit, all of which a server may ignore).
 * `'unsatisfiable'`: answer 416.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
