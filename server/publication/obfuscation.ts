import { createHash } from 'node:crypto';
import { decodeAddress } from './book-path.ts';
import { assertReadable } from './broken-publication.ts';
import { findDescendants, type XmlElement } from './xml-tree.ts';

const IDPF_ALGORITHM = 'http://www.idpf.org/2008/embedding';
const ADOBE_ALGORITHM = 'http://ns.adobe.com/pdf/enc#RC';

/** The algorithm of each entry in META-INF/encryption.xml. */
export function readEncryption(root: XmlElement): ReadonlyMap<string, string> {
  return new Map(
    findDescendants(root, 'EncryptedData').flatMap((data) => {
      const uri = findDescendants(data, 'CipherReference')[0]?.attributes['URI'];
      const algorithm = findDescendants(data, 'EncryptionMethod')[0]?.attributes['Algorithm'];
      return uri === undefined || algorithm === undefined ? [] : [[decodeAddress(uri).normalize('NFC'), algorithm] as const];
    }),
  );
}

/** A key that is repeated over the first `length` bytes of a font. */
type Mask = { key: Buffer; length: number };

/**
 * The mask of a font by one of the two obfuscations (EPUB 3.3, 4.4; Adobe's older one); throws
 * BrokenPublication for real encryption, and for an identifier that gives no key.
 */
export function createMask(algorithm: string, uniqueId: string): Mask {
  assertReadable(
    algorithm === IDPF_ALGORITHM || algorithm === ADOBE_ALGORITHM,
    `the book is protected by ${algorithm} and cannot be opened here: expected ${IDPF_ALGORITHM} or ${ADOBE_ALGORITHM}`,
    'book_protected',
  );
  if (algorithm === IDPF_ALGORITHM) {
    return {
      key: createHash('sha1')
        .update(uniqueId.replace(/[ \t\r\n]/g, ''))
        .digest(),
      length: 1040,
    };
  }
  const key = Buffer.from(uniqueId.replace(/^urn:uuid:/i, '').replace(/[^0-9a-f]/gi, ''), 'hex');
  assertReadable(
    key.length > 0,
    `the book’s identifier "${uniqueId}" gives no key to its obfuscated fonts: expected at least two hexadecimal digits`,
  );
  return { key, length: 1024 };
}

/** Removes the mask from chunks that start `offset` bytes into the file. */
export async function* unmask(chunks: AsyncIterable<Buffer>, { key, length }: Mask, offset: number): AsyncGenerator<Buffer> {
  let position = offset;
  for await (const chunk of chunks) {
    const plain = Buffer.from(chunk);
    for (let index = 0; index < plain.length && position + index < length; index++) {
      plain[index] = (plain[index] ?? 0) ^ (key[(position + index) % key.length] ?? 0);
    }
    position += plain.length;
    yield plain;
  }
}
