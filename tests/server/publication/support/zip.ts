import { crc32, deflateRawSync } from 'node:zlib';

/**
 * One entry to write. Fields besides name and content override the correct values, to test broken
 * archives.
 */
export type ZipPart = {
  name: string | Buffer;
  content: string | Buffer;
  stored?: boolean;
  flags?: number;
  method?: number;
  /** Size that the directory states, in bytes. */
  statedSize?: number;
  /** Unix mode, as `ln -s` would leave it. */
  mode?: number;
  /** Overrides the offset of the entry. */
  offset?: number;
};

/** Writes a zip container byte by byte, so that a test can break any rule of the format. */
export function zip(pieces: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const piece of pieces) {
    const { local, record } = writeEntry(piece, at);
    bodies.push(local);
    directory.push(record);
    at += local.length;
  }
  const records = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(pieces.length, 8);
  end.writeUInt16LE(pieces.length, 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, records, end]);
}

function writeEntry(piece: ZipPart, at: number): { local: Buffer; record: Buffer } {
  const name = Buffer.from(piece.name as string);
  const plain = Buffer.from(piece.content as string);
  const packed = piece.stored ? plain : deflateRawSync(plain);
  const size = piece.statedSize ?? plain.length;
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(piece.flags ?? 0, 2);
  shared.writeUInt16LE(piece.method ?? (piece.stored ? 0 : 8), 4);
  shared.writeUInt32LE(crc32(plain), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(size, 18);
  shared.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, name, packed]);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(((piece.mode ?? 0o100644) << 16) >>> 0, 6);
  tail.writeUInt32LE(piece.offset ?? at, 10);
  return { local, record: Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), shared, tail, name]) };
}
