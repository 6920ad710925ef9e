import type { FileHandle } from 'node:fs/promises';
import { demand } from './broken-publication.ts';

/** Where the central directory lies in the file, in bytes. */
export type DirectoryPlace = { entries: number; offset: number; size: number };

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
export async function findDirectory(file: FileHandle, fileSize: number): Promise<DirectoryPlace> {
  const length = Math.min(fileSize, END_BYTES + LONGEST_COMMENT + 20);
  demand(length >= END_BYTES, 'not a zip container');
  const tail = await readAt(file, fileSize - length, length);
  let at = length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--;
  demand(at >= 0, 'not a zip container');
  const place = { entries: tail.readUInt16LE(at + 10), size: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  if (place.entries !== 0xffff && place.size !== 0xffffffff && place.offset !== 0xffffffff) return place;
  return (await find64(file, tail, at - 20)) ?? place;
}

async function find64(file: FileHandle, tail: Buffer, locator: number): Promise<DirectoryPlace | null> {
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64) return null;
  const record = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
  demand(record.readUInt32LE(0) === END_64, 'the 64-bit end record is broken');
  return {
    entries: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  };
}
