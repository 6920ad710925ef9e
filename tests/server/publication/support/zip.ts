import { crc32, deflateRawSync } from 'node:zlib';

/**
 * An entry to write. Fields besides name and content override the correct values, to test broken
 * archives.
 */
export type ZipEntryInput = {
  name: string | Buffer;
  content: string | Buffer;
  stored?: boolean;
  flags?: number;
  method?: number;
  /** unpacked size that the headers state, in bytes */
  statedSize?: number;
  /** Unix mode of the file, such as that of a symbolic link */
  mode?: number;
  /** offset of the entry that the central directory states, in bytes */
  offset?: number;
};

/** Writes a zip container byte by byte, so that a test can break any rule of the format. */
export function zip(entries: readonly ZipEntryInput[]): Buffer {
  const localEntries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, record } = writeEntry(entry, offset);
    localEntries.push(local);
    directory.push(record);
    offset += local.length;
  }
  const records = Buffer.concat(directory);
  const endRecord = Buffer.alloc(22);
  endRecord.writeUInt32LE(0x06054b50, 0);
  endRecord.writeUInt16LE(entries.length, 8);
  endRecord.writeUInt16LE(entries.length, 10);
  endRecord.writeUInt32LE(records.length, 12);
  endRecord.writeUInt32LE(offset, 16);
  return Buffer.concat([...localEntries, records, endRecord]);
}

function writeEntry(entry: ZipEntryInput, offset: number): { local: Buffer; record: Buffer } {
  const name = Buffer.from(entry.name as string);
  const content = Buffer.from(entry.content as string);
  const compressed = entry.stored ? content : deflateRawSync(content);
  const size = entry.statedSize ?? content.length;
  const sharedFields = Buffer.alloc(26);
  sharedFields.writeUInt16LE(20, 0);
  sharedFields.writeUInt16LE(entry.flags ?? 0, 2);
  sharedFields.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);
  sharedFields.writeUInt32LE(crc32(content), 10);
  sharedFields.writeUInt32LE(compressed.length, 14);
  sharedFields.writeUInt32LE(size, 18);
  sharedFields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), sharedFields, name, compressed]);
  const recordFields = Buffer.alloc(14);
  recordFields.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
  recordFields.writeUInt32LE(entry.offset ?? offset, 10);
  return { local, record: Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), sharedFields, recordFields, name]) };
}
