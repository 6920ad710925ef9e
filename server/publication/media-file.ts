import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readRange } from './byte-range.ts';
import { mediaTypeOf } from './media-types.ts';
import type { Resource, Unsatisfiable } from './resource.ts';

/** A file of a title's media folder as it is; `null` when there is none, it lies elsewhere or is of a kind not served. */
export async function mediaFile(
  folder: string,
  segments: readonly string[],
  rangeHeader?: string,
): Promise<Resource | Unsatisfiable | null> {
  const type = mediaTypeOf(segments.at(-1) ?? '');
  const path = type === undefined || type.includes('epub') ? null : await insidePath(folder, segments);
  if (path === null || type === undefined) return null;
  const file = await open(path, 'r');
  const { size, mtimeMs } = await file.stat();
  const range = readRange(rangeHeader, size);
  if (range === 'unsatisfiable' || size === 0) {
    await file.close();
    return range === null ? { type, etag: '"empty"', size, range, body: Buffer.alloc(0) } : { unsatisfiable: true, size };
  }
  const { start, end } = range ?? { start: 0, end: size };
  const etag = `"${Math.round(mtimeMs).toString(16)}-${size.toString(16)}"`;
  return { type, etag, size, range, body: file.createReadStream({ start, end: end - 1 }) };
}

/** The real path of a file below the folder; null when it is missing, no file or reached by a link that leads out. */
export async function insidePath(folder: string, segments: readonly string[]): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, ...segments));
    return path.startsWith(root + sep) ? path : null;
  } catch {
    return null;
  }
}
