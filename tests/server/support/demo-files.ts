import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Category, Item, Title } from '../../../tools/demo/catalogue.ts';

export const demoFolder = join(import.meta.dirname, '..', '..', '..', 'server', 'demo');

export const readDemoJson = <T>(file: string): T => JSON.parse(readFileSync(join(demoFolder, file), 'utf8')) as T;

export const catalogue = readDemoJson<{ categories: Category[]; titles: Title[] }>('catalogue.json');

export const titleFile = ({ id }: Title, file: string): string => join(demoFolder, 'media', id, file);

export const allItems = ({ items, sample }: Title): Item[] => [...items, ...sample.items];

export interface ZipEntry {
  name: string;
  stored: boolean;
  /** Start of the entry in the archive. */
  offset: number;
  data: Buffer;
}

/** Reads an archive by its central directory, and checks each entry's local header and checksum. */
export function unzip(archive: Buffer): ZipEntry[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('the central directory is broken');
    const [method, sum, packed] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)];
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const offset = archive.readUInt32LE(at + 42);
    const local = archive.toString('utf8', offset + 30, offset + 30 + archive.readUInt16LE(offset + 26));
    if (local !== name) throw new Error(`${name} is named ${local} in its local header`);
    const start = offset + 30 + nameLength + archive.readUInt16LE(offset + 28);
    const body = archive.subarray(start, start + packed);
    const data = method === 0 ? Buffer.from(body) : inflateRawSync(body);
    if (crc32(data) !== sum) throw new Error(`${name} does not match its checksum`);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    return { name, stored: method === 0, offset, data };
  });
}

export const readEpub = (title: Title, file: string): Map<string, string> =>
  new Map(unzip(readFileSync(titleFile(title, file))).map(({ name, data }): [string, string] => [name, data.toString('utf8')]));
