import { BlobReader, configure, ZipReader, type Entry } from 'foliate-js/vendor/zip.js';
import { raise } from '../client/wire/problem.ts';
import { findByName } from './loose-names.ts';
import { decodeText, isUtf8 } from './text-encoding.ts';

/** Bytes of one file of a book, unpacked; a page that is larger would hold up the window. */
const LARGEST_FILE = 64 * 2 ** 20;

export const broken = (message: string) => raise({ kind: 'refused', code: 'broken_book', message });
export const tooLarge = (name: string, limit: number) =>
  raise({ kind: 'refused', code: 'book_too_large', message: `${name} is larger than ${limit} bytes` });

/** Passes bytes on and fails beyond a limit, as no stated size can be trusted. */
export const limited = (limit: number) => {
  let size = 0;
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (part, controller) => {
      size += part.length;
      if (size > limit) throw new RangeError('too large');
      controller.enqueue(part);
    },
  });
  return { writable, isOver: () => size > limit, blob: () => new Response(readable).blob() };
};

const unpack = async (entry: Entry, name: string): Promise<Blob> => {
  if (entry.uncompressedSize > LARGEST_FILE) tooLarge(name, LARGEST_FILE);
  const unpacked = limited(LARGEST_FILE);
  const blob = unpacked.blob();
  // Awaited below; until then it may fail unheard.
  blob.catch(() => undefined);
  try {
    await entry.getData?.(unpacked.writable);
    return await blob;
  } catch (error) {
    return unpacked.isOver() ? tooLarge(name, LARGEST_FILE) : broken(`${name}: ${String(error)}`);
  }
};

/** Many archives have names in UTF-8 and do not say so; zip.js decodes others in CP437. */
const decodeName = (bytes: Uint8Array): string | undefined => (isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined);

/** The files of a zip archive by name, as foliate asks for them. */
export const openZip = async (file: Blob) => {
  // Its workers are scripts of their own addresses, which a page's policy may refuse.
  configure({ useWebWorkers: false });
  const entries = await new ZipReader(new BlobReader(file), { decodeText: decodeName })
    .getEntries()
    .catch((error: unknown) => broken(`no archive: ${String(error)}`));
  const entryOf = findByName(entries.map((entry) => [entry.filename, entry]));
  const loadBlob = async (name: string): Promise<Blob | null> => {
    const entry = entryOf(name);
    return entry?.getData === undefined ? null : unpack(entry, name);
  };
  return {
    loadBlob,
    loadText: async (name: string): Promise<string | null> => {
      const found = await loadBlob(name);
      return found && decodeText(new Uint8Array(await found.arrayBuffer()));
    },
    getSize: (name: string): number => entryOf(name)?.uncompressedSize ?? 0,
    isProtected: ['META-INF/rights.xml', 'META-INF/license.lcpl'].some((name) => entryOf(name) !== undefined),
  };
};
