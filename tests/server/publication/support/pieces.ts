import type { ZipEntryInput } from './zip.ts';

export const container: ZipEntryInput = {
  name: 'META-INF/container.xml',
  content: '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
};

type PackageOptions = { metadata?: string; manifest?: string; spine?: string; spineAttributes?: string };

export const createPackageDocument = ({
  metadata = '',
  manifest = '',
  spine = '',
  spineAttributes = '',
}: PackageOptions = {}): ZipEntryInput => ({
  name: 'OPS/book.opf',
  content: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
    <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:test:1</dc:identifier>
      <dc:title>A small book</dc:title><dc:language>en</dc:language>${metadata}</metadata>
    <manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>${manifest}</manifest>
    <spine ${spineAttributes}><itemref idref="one"/>${spine}</spine></package>`,
});

export const createPage = (name: string, body = '<p>Words.</p>'): ZipEntryInput => ({
  name: `OPS/${name}`,
  content: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${body}</body></html>`,
});

export const createSmallBook = (...extraEntries: ZipEntryInput[]): ZipEntryInput[] => [
  container,
  createPackageDocument(),
  createPage('one.xhtml'),
  ...extraEntries,
];
