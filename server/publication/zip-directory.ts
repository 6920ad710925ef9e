import { demand } from './broken-publication.ts';
import type { FileHandle } from 'node:fs/promises';

/** Where the central directory lies in the file, in bytes. */
type DirectoryExtent = { entries: number; offset: number; size: number };

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;

/** Reads exactly `length` bytes; positioned, so that readers of one handle never disturb each other. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    demand(bytesRead > 0, 'the file ends too early');
    filled += bytesRead;
  }
  return buffer;
}

/** Finds the end record (APPNOTE 4.3.16), and the 64-bit one (4.3.14) where the first refers to it. */
export async function findDirectory(file: FileHandle, fileSize: number): Promise<DirectoryExtent> {
  const length = Math.min(fileSize, END_BYTES + LONGEST_COMMENT + 20);
  demand(length >= END_BYTES, 'not a zip container');
  const tail = await readAt(file, fileSize - length, length);
  let at = length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--;
  demand(at >= 0, 'not a zip container');
  const extent = { entries: tail.readUInt16LE(at + 10), size: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  if (extent.entries !== 0xffff && extent.size !== 0xffffffff && extent.offset !== 0xffffffff) return extent;
  return (await find64(file, tail, at - 20)) ?? extent;
}

async function find64(file: FileHandle, tail: Buffer, locator: number): Promise<DirectoryExtent | null> {
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64) return null;
  const record = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
  demand(record.readUInt32LE(0) === END_64, 'the 64-bit end record is broken');
  return {
    entries: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const codePage866 = new TextDecoder('ibm866');

/** UTF-8 even where the flag is missing, as most makers of books write it; NFC, since readers compare names as text. */
function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes).normalize('NFC');
  } catch {
    return codePage866.decode(bytes);
  }
}

/** Refuses names that could reach outside the container. */
function safeName(raw: string): string {
  const name = raw.replaceAll('\\', '/');
  demand(name !== '' && !name.includes('\0'), 'an entry has no proper name');
  demand(!name.startsWith('/') && !/^[a-z]:/i.test(name), `absolute path in the container: ${name}`);
  demand(!name.split('/').includes('..'), `path out of the container: ${name}`);
  return name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** How much a container may claim before it is refused; sizes in bytes. */
export type ZipLimits = {
  entries: number;
  directoryBytes: number;
  /** One entry, unpacked. */
  entryBytes: number;
  /** All entries, unpacked. */
  totalBytes: number;
  /** Unpacked to packed; only entries above `ratioFrom` are judged, since tiny files of spaces pack absurdly well. */
  ratio: number;
  ratioFrom: number;
  /** A document that is parsed in memory. */
  xmlBytes: number;
};

export const usualLimits: ZipLimits = {
  entries: 20_000,
  directoryBytes: 16 * 2 ** 20,
  entryBytes: 512 * 2 ** 20,
  totalBytes: 2 ** 32,
  ratio: 200,
  ratioFrom: 2 ** 20,
  xmlBytes: 16 * 2 ** 20,
};

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
    demand(total <= limits.totalBytes, 'the container unpacks to too much', 'book_too_large');
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
  demand((flags & 1) === 0, `encrypted entry: ${name}`, 'book_protected');
  demand(method === STORED || method === DEFLATED, `unknown packing of ${name}`);
  demand(((bytes.readUInt32LE(at + 38) >>> 16) & FILE_KIND) !== SYMLINK, `symbolic link in the container: ${name}`);
  const sizes = sizesOf64Bits(
    { size: bytes.readUInt32LE(at + 24), packed: bytes.readUInt32LE(at + 20), offset: bytes.readUInt32LE(at + 42) },
    bytes.subarray(nameEnd, extraEnd),
  );
  const entry = { name, stored: method === STORED, crc: bytes.readUInt32LE(at + 16), ...sizes };
  return { entry, isFolder: /[/\\]$/.test(raw), length };
}

type Sizes = Pick<ZipEntry, 'size' | 'packed' | 'offset'>;

/** Takes from the 64-bit extra field (APPNOTE 4.5.3) what did not fit into 32 bits. */
function sizesOf64Bits(sizes: Sizes, extra: Buffer): Sizes {
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
  demand(size <= limits.entryBytes, `${name} is too big`, 'book_too_large');
  demand(
    size <= limits.ratioFrom || size / Math.max(1, packed) <= limits.ratio,
    `${name} unpacks to absurdly much`,
    'book_too_large',
  );
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
