import { createHash } from 'node:crypto';
import { decodeAddress } from './book-path.ts';
import { demand } from './broken-publication.ts';
import { descendants, type XmlElement } from './xml-tree.ts';

const IDPF = 'http://www.idpf.org/2008/embedding';
const ADOBE = 'http://ns.adobe.com/pdf/enc#RC';

/** Algorithm by entry out of META-INF/encryption.xml. */
export function readEncryption(root: XmlElement): ReadonlyMap<string, string> {
  return new Map(
    descendants(root, 'EncryptedData').flatMap((data) => {
      const uri = descendants(data, 'CipherReference')[0]?.attributes['URI'];
      const algorithm = descendants(data, 'EncryptionMethod')[0]?.attributes['Algorithm'];
      return uri === undefined || algorithm === undefined ? [] : [[decodeAddress(uri).normalize('NFC'), algorithm] as const];
    }),
  );
}

/** A repeated key over the first `length` bytes of a font. */
type Mask = { key: Buffer; length: number };

/** The two obfuscations of fonts (EPUB 3.3, 4.4; Adobe's older one); throws BrokenPublication for real encryption. */
export function maskOf(algorithm: string, uniqueId: string): Mask {
  demand(algorithm === IDPF || algorithm === ADOBE, 'the book is protected and cannot be opened here', 'book_protected');
  if (algorithm === IDPF) {
    return {
      key: createHash('sha1')
        .update(uniqueId.replace(/[ \t\r\n]/g, ''))
        .digest(),
      length: 1040,
    };
  }
  const key = Buffer.from(uniqueId.replace(/^urn:uuid:/i, '').replace(/[^0-9a-f]/gi, ''), 'hex');
  demand(key.length > 0, 'the book lacks the identifier that its fonts are obfuscated with');
  return { key, length: 1024 };
}

/** Undoes the mask on chunks that begin `offset` bytes into the file. */
export async function* unmask(chunks: AsyncIterable<Buffer>, { key, length }: Mask, offset: number): AsyncGenerator<Buffer> {
  let position = offset;
  for await (const chunk of chunks) {
    const plain = Buffer.from(chunk);
    for (let at = 0; at < plain.length && position + at < length; at++) {
      plain[at] = (plain[at] ?? 0) ^ (key[(position + at) % key.length] ?? 0);
    }
    position += plain.length;
    yield plain;
  }
}
