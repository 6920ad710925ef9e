import { BlobReader, configure, ZipReader, type Entry } from 'foliate-js/vendor/zip.js';
import { throwProblem } from '../client/wire/problem.ts';
import { createNameFinder } from './loose-names.ts';
import { decodeText, isUtf8 } from './text-encoding.ts';

/** Maximum bytes of one unpacked file of a book; a larger page would block the window. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

export const throwBrokenBook = (message: string) => throwProblem({ kind: 'refused', code: 'broken_book', message });
export const throwTooLarge = (name: string, limit: number) =>
  throwProblem({ kind: 'refused', code: 'book_too_large', message: `${name} is larger than ${limit} bytes` });

/** A stream that passes bytes and fails beyond a limit, since stated sizes are untrusted. */
export const createLimitedStream = (limit: number) => {
  let size = 0;
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      size += chunk.length;
      if (size > limit) throw new RangeError(`File is larger than ${limit} bytes`);
      controller.enqueue(chunk);
    },
  });
  return { writable, isOver: () => size > limit, blob: () => new Response(readable).blob() };
};

const unpack = async (entry: Entry, name: string): Promise<Blob> => {
  if (entry.uncompressedSize > MAX_FILE_BYTES) throwTooLarge(name, MAX_FILE_BYTES);
  const stream = createLimitedStream(MAX_FILE_BYTES);
  const blob = stream.blob();
  // Awaited below; avoids an unhandled rejection until then.
  blob.catch(() => undefined);
  try {
    await entry.getData?.(stream.writable);
    return await blob;
  } catch (error) {
    return stream.isOver() ? throwTooLarge(name, MAX_FILE_BYTES) : throwBrokenBook(`${name}: ${String(error)}`);
  }
};

/** Decodes a name in UTF-8, which many archives do not declare; zip.js would read it as CP437. */
const decodeName = (bytes: Uint8Array): string | undefined => (isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined);

/** The files of a zip archive by name, in the interface that foliate expects. */
export const openZip = async (file: Blob) => {
  // The workers of zip.js have script URLs of their own, which a page's policy (CSP) may refuse.
  configure({ useWebWorkers: false });
  const entries = await new ZipReader(new BlobReader(file), { decodeText: decodeName })
    .getEntries()
    .catch((error: unknown) => throwBrokenBook(`Not a zip archive: ${String(error)}`));
  const findEntry = createNameFinder(entries.map((entry) => [entry.filename, entry]));
  const loadBlob = async (name: string): Promise<Blob | null> => {
    const entry = findEntry(name);
    return entry?.getData === undefined ? null : unpack(entry, name);
  };
  return {
    loadBlob,
    loadText: async (name: string): Promise<string | null> => {
      const blob = await loadBlob(name);
      return blob && decodeText(new Uint8Array(await blob.arrayBuffer()));
    },
    getSize: (name: string): number => findEntry(name)?.uncompressedSize ?? 0,
    isProtected: ['META-INF/rights.xml', 'META-INF/license.lcpl'].some((name) => findEntry(name) !== undefined),
  };
};
