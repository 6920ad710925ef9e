import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Category, Item, Title } from '../../../tools/demo/catalogue.ts';

export const demoFolder = join(import.meta.dirname, '..', '..', '..', 'server', 'demo');

export const readDemoJson = <T>(file: string): T => JSON.parse(readFileSync(join(demoFolder, file), 'utf8')) as T;

export const catalogue = readDemoJson<{ categories: Category[]; titles: Title[] }>('catalogue.json');

export const getTitleFilePath = ({ id }: Title, file: string): string => join(demoFolder, 'media', id, file);

export const listItems = ({ items, sample }: Title): Item[] => [...items, ...sample.items];

export interface ZipEntry {
  name: string;
  stored: boolean;
  /** offset of the entry in the archive, in bytes */
  offset: number;
  data: Buffer;
}

/** Reads an archive by its central directory, and checks each entry's local header and checksum. */
export function unzip(archive: Buffer): ZipEntry[] {
  const endRecord = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = archive.readUInt16LE(endRecord + 10);
  let entryOffset = archive.readUInt32LE(endRecord + 16);
  return Array.from({ length: count }, () => {
    if (archive.readUInt32LE(entryOffset) !== 0x02014b50)
      throw new Error(`the central directory has no entry at the offset ${entryOffset}`);
    const [method, checksum, compressedSize] = [
      archive.readUInt16LE(entryOffset + 10),
      archive.readUInt32LE(entryOffset + 16),
      archive.readUInt32LE(entryOffset + 20),
    ];
    const nameLength = archive.readUInt16LE(entryOffset + 28);
    const name = archive.toString('utf8', entryOffset + 46, entryOffset + 46 + nameLength);
    const offset = archive.readUInt32LE(entryOffset + 42);
    const localName = archive.toString('utf8', offset + 30, offset + 30 + archive.readUInt16LE(offset + 26));
    if (localName !== name) throw new Error(`${name} is named ${localName} in its local header`);
    const start = offset + 30 + nameLength + archive.readUInt16LE(offset + 28);
    const compressedData = archive.subarray(start, start + compressedSize);
    const data = method === 0 ? Buffer.from(compressedData) : inflateRawSync(compressedData);
    if (crc32(data) !== checksum) throw new Error(`${name} does not match its checksum`);
    entryOffset += 46 + nameLength + archive.readUInt16LE(entryOffset + 30) + archive.readUInt16LE(entryOffset + 32);
    return { name, stored: method === 0, offset, data };
  });
}

export const readEpub = (title: Title, file: string): Map<string, string> =>
  new Map(
    unzip(readFileSync(getTitleFilePath(title, file))).map(({ name, data }): [string, string] => [name, data.toString('utf8')]),
  );
