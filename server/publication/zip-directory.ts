import { assertReadable } from './broken-publication.ts';
import type { FileHandle } from 'node:fs/promises';

/** The number of entries of the central directory, and its offset and size in bytes. */
type DirectoryExtent = { entries: number; offset: number; size: number };

const END_SIGNATURE = 0x06054b50;
const END_64_SIGNATURE = 0x06064b50;
const LOCATOR_64_SIGNATURE = 0x07064b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;

/** Formats a 32-bit value of a container, such as a signature, for an error. */
export const formatWord = (word: number): string => `0x${word.toString(16).padStart(8, '0')}`;

/**
 * Reads exactly `length` bytes; positioned, so that concurrent readers of one handle are
 * independent.
 */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    assertReadable(
      bytesRead > 0,
      `the file is truncated: it has no byte ${position + filled}, expected ${length} bytes from byte ${position}`,
    );
    filled += bytesRead;
  }
  return buffer;
}

/** Finds the end record (APPNOTE 4.3.16), and the 64-bit one (4.3.14) if the first refers to it. */
export async function findDirectory(file: FileHandle, fileSize: number): Promise<DirectoryExtent> {
  const length = Math.min(fileSize, END_BYTES + MAX_COMMENT_BYTES + 20);
  assertReadable(length >= END_BYTES, `not a zip container: ${fileSize} bytes, expected at least ${END_BYTES}`);
  const tail = await readAt(file, fileSize - length, length);
  let endOffset = length - END_BYTES;
  while (endOffset >= 0 && tail.readUInt32LE(endOffset) !== END_SIGNATURE) endOffset--;
  assertReadable(endOffset >= 0, `not a zip container: no end record in its last ${length} bytes`);
  const extent = {
    entries: tail.readUInt16LE(endOffset + 10),
    size: tail.readUInt32LE(endOffset + 12),
    offset: tail.readUInt32LE(endOffset + 16),
  };
  if (extent.entries !== 0xffff && extent.size !== 0xffffffff && extent.offset !== 0xffffffff) return extent;
  return (await findDirectory64(file, tail, endOffset - 20)) ?? extent;
}

async function findDirectory64(file: FileHandle, tail: Buffer, locator: number): Promise<DirectoryExtent | null> {
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64_SIGNATURE) return null;
  const record = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
  const signature = record.readUInt32LE(0);
  assertReadable(
    signature === END_64_SIGNATURE,
    `the 64-bit end record has the signature ${formatWord(signature)}: expected ${formatWord(END_64_SIGNATURE)}`,
  );
  return {
    entries: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const codePage866 = new TextDecoder('ibm866');

/**
 * Decodes an entry's name: as UTF-8 even without the flag, which most packers omit, else in code
 * page 866; to NFC, since readers compare names as text.
 */
function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes).normalize('NFC');
  } catch {
    return codePage866.decode(bytes);
  }
}

/** Normalises an entry's name; refuses names that could reach outside the container. */
function requireSafeName(rawName: string): string {
  const name = rawName.replaceAll('\\', '/');
  assertReadable(
    name !== '' && !name.includes('\0'),
    `an entry has the invalid name ${JSON.stringify(name)}: expected at least one character, and no NUL`,
  );
  assertReadable(!name.startsWith('/') && !/^[a-z]:/i.test(name), `absolute path in the container: ${name}`);
  assertReadable(!name.split('/').includes('..'), `path outside the container: ${name}`);
  return name
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}

/** Limits on the declared sizes of a container; sizes in bytes. */
export type ZipLimits = {
  entries: number;
  directoryBytes: number;
  /** One entry, unpacked. */
  entryBytes: number;
  /** All entries, unpacked. */
  totalBytes: number;
  /**
   * Ratio of unpacked to packed size; checked only for entries above `ratioFrom`, since tiny files
   * of spaces compress extremely well.
   */
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

/**
 * One file of the container, all in bytes: `size` unpacked, `packed` as stored, `offset` of its
 * local header.
 */
export type ZipEntry = { name: string; stored: boolean; crc: number; size: number; packed: number; offset: number };

const RECORD_SIGNATURE = 0x02014b50;
const RECORD_BYTES = 46;
const STORED = 0;
const DEFLATED = 8;
const SYMLINK = 0o120000;
const FILE_KIND_MASK = 0o170000;

/**
 * Reads the central directory (APPNOTE 4.3.12) into entries by name and refuses the signs of a
 * hostile container: paths out of the container, links, encryption, duplicates, overlaps, zip
 * bombs, impossible sizes.
 */
export function readDirectory(directory: Buffer, count: number, fileSize: number, limits: ZipLimits): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let offset = 0;
  let total = 0;
  for (let index = 0; index < count; index++) {
    assertReadable(
      offset + RECORD_BYTES <= directory.length && directory.readUInt32LE(offset) === RECORD_SIGNATURE,
      `the central directory is broken: no record at its byte ${offset}, expected ${count} records`,
    );
    const { entry, isFolder, length } = readRecord(directory, offset);
    offset += length;
    if (isFolder) continue;
    checkSizes(entry, fileSize, limits);
    total += entry.size;
    assertReadable(
      total <= limits.totalBytes,
      `the unpacked container is too large: at least ${total} bytes, expected at most ${limits.totalBytes}`,
      'book_too_large',
    );
    assertReadable(!entries.has(entry.name), `two entries are named ${entry.name}`);
    entries.set(entry.name, entry);
  }
  assertNoOverlap([...entries.values()]);
  return entries;
}

function readRecord(bytes: Buffer, offset: number): { entry: ZipEntry; isFolder: boolean; length: number } {
  const flags = bytes.readUInt16LE(offset + 8);
  const method = bytes.readUInt16LE(offset + 10);
  const nameEnd = offset + RECORD_BYTES + bytes.readUInt16LE(offset + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(offset + 30);
  const length = extraEnd + bytes.readUInt16LE(offset + 32) - offset;
  assertReadable(
    offset + length <= bytes.length,
    `the central directory is broken: ${length} bytes in the record at ${offset}, expected at most ${bytes.length - offset}`,
  );
  const rawName = decodeName(bytes.subarray(offset + RECORD_BYTES, nameEnd));
  const name = requireSafeName(rawName);
  assertReadable((flags & 1) === 0, `encrypted entry: ${name}`, 'book_protected');
  assertReadable(
    method === STORED || method === DEFLATED,
    `compression method ${method} of ${name}: expected 0 (stored) or 8 (deflated)`,
  );
  assertReadable(
    ((bytes.readUInt32LE(offset + 38) >>> 16) & FILE_KIND_MASK) !== SYMLINK,
    `symbolic link in the container: ${name}`,
  );
  const sizes = readZip64Sizes(
    name,
    { size: bytes.readUInt32LE(offset + 24), packed: bytes.readUInt32LE(offset + 20), offset: bytes.readUInt32LE(offset + 42) },
    bytes.subarray(nameEnd, extraEnd),
  );
  const entry = { name, stored: method === STORED, crc: bytes.readUInt32LE(offset + 16), ...sizes };
  return { entry, isFolder: /[/\\]$/.test(rawName), length };
}

type Sizes = Pick<ZipEntry, 'size' | 'packed' | 'offset'>;

/** Reads the sizes that did not fit into 32 bits from the 64-bit extra field (APPNOTE 4.5.3). */
function readZip64Sizes(name: string, sizes: Sizes, extra: Buffer): Sizes {
  const sizes64 = { ...sizes };
  for (let fieldStart = 0; fieldStart + 4 <= extra.length; fieldStart += 4 + extra.readUInt16LE(fieldStart + 2)) {
    if (extra.readUInt16LE(fieldStart) !== 1) continue;
    let field = fieldStart + 4;
    for (const key of ['size', 'packed', 'offset'] as const) {
      if (sizes[key] !== 0xffffffff) continue;
      assertReadable(field + 8 <= extra.length, `the 64-bit ${key} of ${name} is missing`);
      sizes64[key] = Number(extra.readBigUInt64LE(field));
      field += 8;
    }
    break;
  }
  return sizes64;
}

function checkSizes({ name, stored, size, packed, offset }: ZipEntry, fileSize: number, limits: ZipLimits): void {
  assertReadable(
    offset + packed <= fileSize,
    `${name} is outside the file of ${fileSize} bytes: ${packed} bytes from byte ${offset}`,
  );
  assertReadable(
    size <= limits.entryBytes,
    `${name} is too large: ${size} bytes, expected at most ${limits.entryBytes}`,
    'book_too_large',
  );
  const ratio = size / Math.max(1, packed);
  assertReadable(
    size <= limits.ratioFrom || ratio <= limits.ratio,
    `${name} has an implausible compression ratio: ${Math.ceil(ratio)}, expected at most ${limits.ratio}`,
    'book_too_large',
  );
  // Deflate expands incompressible data by at most five bytes per 16 KiB; the rest is a margin for
  // inefficient packers.
  assertReadable(
    stored ? packed === size : packed <= size + size / 100 + 1024,
    `${name} has a wrong size: ${packed} bytes packed and ${size} unpacked, expected ${stored ? 'as many packed as unpacked' : 'at most 1 % and 1024 bytes more packed than unpacked'}`,
  );
}

/**
 * Refuses overlapping entries: with them a small file could unpack to petabytes without an
 * implausible ratio in any entry.
 */
function assertNoOverlap(entries: ZipEntry[]): void {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [index, entry] of ordered.entries()) {
    const nextEntry = ordered[index + 1];
    if (nextEntry === undefined) return;
    const endOffset = entry.offset + 30 + entry.packed;
    assertReadable(
      endOffset <= nextEntry.offset,
      `${entry.name} overlaps ${nextEntry.name}: it ends at byte ${endOffset}, expected at most ${nextEntry.offset}`,
    );
  }
}
