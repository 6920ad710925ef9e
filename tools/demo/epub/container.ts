import { zip, type ZipEntry } from '../zip.ts';
import { createPackageDocument, type Publication } from './package.ts';

const container = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

/** The publication as an EPUB 3 file: `mimetype` first and uncompressed, then all other entries. */
export function createEpub(publication: Publication): Buffer {
  const entries: ZipEntry[] = [
    { name: 'mimetype', data: Buffer.from('application/epub+zip'), stored: true },
    { name: 'META-INF/container.xml', data: Buffer.from(container) },
    { name: 'OEBPS/package.opf', data: Buffer.from(createPackageDocument(publication)) },
    ...publication.resources.map(({ href, data }) => ({ name: `OEBPS/${href}`, data: Buffer.from(data) })),
  ];
  return zip(entries);
}
