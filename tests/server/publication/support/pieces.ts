import type { ZipPart } from './zip.ts';

export const container: ZipPart = {
  name: 'META-INF/container.xml',
  content: '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
};

type Parts = { metadata?: string; manifest?: string; spine?: string; spineAttributes?: string };

export const packageDocument = ({ metadata = '', manifest = '', spine = '', spineAttributes = '' }: Parts = {}): ZipPart => ({
  name: 'OPS/book.opf',
  content: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
    <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:test:1</dc:identifier>
      <dc:title>A small book</dc:title><dc:language>en</dc:language>${metadata}</metadata>
    <manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>${manifest}</manifest>
    <spine ${spineAttributes}><itemref idref="one"/>${spine}</spine></package>`,
});

export const page = (name: string, body = '<p>Words.</p>'): ZipPart => ({
  name: `OPS/${name}`,
  content: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${body}</body></html>`,
});

export const smallBook = (...more: ZipPart[]): ZipPart[] => [container, packageDocument(), page('one.xhtml'), ...more];
