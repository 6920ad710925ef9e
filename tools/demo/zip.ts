import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data: Uint8Array;
  /** Stored uncompressed, as EPUB requires for its `mimetype`. */
  stored?: boolean;
}

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };
/** 1980-01-01, the earliest date in a ZIP: the same input always gives the same bytes. */
const dosDate = 0x0021;
const utf8Names = 0x0800;

/** A ZIP archive (APPNOTE 6.3, no ZIP64) with the entries in the given order. */
export function zip(entries: ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, stored } of entries) {
    const nameBytes = Buffer.from(name);
    const body = stored ? Buffer.from(data) : deflateRawSync(data, { level: 9 });
    const sharedHeader = Buffer.alloc(26);
    sharedHeader.writeUInt16LE(stored ? 10 : 20, 0);
    sharedHeader.writeUInt16LE(utf8Names, 2);
    sharedHeader.writeUInt16LE(stored ? 0 : 8, 4);
    sharedHeader.writeUInt16LE(dosDate, 8);
    sharedHeader.writeUInt32LE(crc32(data), 10);
    sharedHeader.writeUInt32LE(body.length, 14);
    sharedHeader.writeUInt32LE(data.length, 18);
    sharedHeader.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([uint32(signatures.local), sharedHeader, nameBytes, body]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([uint32(signatures.central), sharedHeader.subarray(0, 2), sharedHeader, tail, nameBytes]));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
