import { demand } from './broken-publication.ts';
import type { ZipLimits } from './zip-limits.ts';
import { decodeName, safeName } from './zip-names.ts';

/** One file of the container. `size` is unpacked, `packed` as stored, `offset` that of its local header; all bytes. */
export type ZipEntry = { name: string; stored: boolean; crc: number; size: number; packed: number; offset: number };

const RECORD = 0x02014b50;
const RECORD_BYTES = 46;
const STORED = 0;
const DEFLATED = 8;
const SYMLINK = 0o120000;
const FILE_KIND = 0o170000;

/**
 * Reads the central directory (APPNOTE 4.3.12) into entries by name and refuses what no honest book contains: paths
 * out of the container, links, encryption, duplicates, overlaps, bombs, sizes that cannot be true.
 */
export function readDirectory(directory: Buffer, count: number, fileSize: number, limits: ZipLimits): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  let total = 0;
  for (let index = 0; index < count; index++) {
    demand(at + RECORD_BYTES <= directory.length && directory.readUInt32LE(at) === RECORD, 'the central directory is broken');
    const { entry, isFolder, length } = readRecord(directory, at);
    at += length;
    if (isFolder) continue;
    checkSizes(entry, fileSize, limits);
    total += entry.size;
    demand(total <= limits.totalBytes, 'the container unpacks to too much');
    demand(!entries.has(entry.name), `two entries are named ${entry.name}`);
    entries.set(entry.name, entry);
  }
  demandNoOverlap([...entries.values()]);
  return entries;
}

function readRecord(bytes: Buffer, at: number): { entry: ZipEntry; isFolder: boolean; length: number } {
  const flags = bytes.readUInt16LE(at + 8);
  const method = bytes.readUInt16LE(at + 10);
  const nameEnd = at + RECORD_BYTES + bytes.readUInt16LE(at + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
  const length = extraEnd + bytes.readUInt16LE(at + 32) - at;
  demand(at + length <= bytes.length, 'the central directory is broken');
  const raw = decodeName(bytes.subarray(at + RECORD_BYTES, nameEnd));
  const name = safeName(raw);
  demand((flags & 1) === 0, `encrypted entry: ${name}`);
  demand(method === STORED || method === DEFLATED, `unknown packing of ${name}`);
  demand(((bytes.readUInt32LE(at + 38) >>> 16) & FILE_KIND) !== SYMLINK, `symbolic link in the container: ${name}`);
  const sizes = wideSizes(
    { size: bytes.readUInt32LE(at + 24), packed: bytes.readUInt32LE(at + 20), offset: bytes.readUInt32LE(at + 42) },
    bytes.subarray(nameEnd, extraEnd),
  );
  const entry = { name, stored: method === STORED, crc: bytes.readUInt32LE(at + 16), ...sizes };
  return { entry, isFolder: /[/\\]$/.test(raw), length };
}

type Sizes = Pick<ZipEntry, 'size' | 'packed' | 'offset'>;

/** Takes from the 64-bit extra field (APPNOTE 4.5.3) what did not fit into 32 bits. */
function wideSizes(sizes: Sizes, extra: Buffer): Sizes {
  const wide = { ...sizes };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let field = at + 4;
    for (const key of ['size', 'packed', 'offset'] as const) {
      if (sizes[key] !== 0xffffffff) continue;
      demand(field + 8 <= extra.length, 'a 64-bit size is missing');
      wide[key] = Number(extra.readBigUInt64LE(field));
      field += 8;
    }
    break;
  }
  return wide;
}

function checkSizes({ name, stored, size, packed, offset }: ZipEntry, fileSize: number, limits: ZipLimits): void {
  demand(offset + packed <= fileSize, `${name} lies outside the file`);
  demand(size <= limits.entryBytes, `${name} is too big`);
  demand(size <= limits.ratioFrom || size / Math.max(1, packed) <= limits.ratio, `${name} unpacks to absurdly much`);
  // Deflate grows what it cannot shrink by five bytes in 16 KiB at most; the rest is room for careless packers.
  demand(stored ? packed === size : packed <= size + size / 100 + 1024, `${name} lies about its size`);
}

/** Entries that share bytes are how a small file unpacks to petabytes without any single ratio showing it. */
function demandNoOverlap(entries: ZipEntry[]): void {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [index, entry] of ordered.entries()) {
    const next = ordered[index + 1];
    demand(next === undefined || entry.offset + 30 + entry.packed <= next.offset, `${entry.name} overlaps another entry`);
  }
}
