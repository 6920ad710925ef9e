import { zip, type ZipEntryInput } from '../../../server/publication/support/zip.ts';

type BookOptions = {
  /** Names of chapters that the book lists but does not contain. */
  missing?: string[];
  /** Names of chapters whose size differs from the stated one. */
  damaged?: string[];
  /** The markup of chapters, by name; a few words by default. */
  body?: Record<string, string>;
  /** Further files of the archive. */
  more?: ZipEntryInput[];
};

/** An EPUB with chapters of these names, each in a file `{name}.xhtml`. */
export const createBook = (names: string[], { missing = [], damaged = [], body = {}, more = [] }: BookOptions = {}): Buffer => {
  const items = names.map((name) => `<item id="c${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`);
  const chapters = names.map((name): ZipEntryInput => {
    const content =
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${name}</title></head>` +
      `<body><h1>Chapter ${name}</h1>${body[name] ?? '<p>A few words.</p>'}</body></html>`;
    return {
      name: `${name}.xhtml`,
      content,
      ...(damaged.includes(name) ? { statedSize: Buffer.byteLength(content) + 1 } : {}),
    };
  });
  return zip([
    {
      name: 'META-INF/container.xml',
      content:
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>' +
        '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    },
    {
      name: 'book.opf',
      content: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:test:gaps</dc:identifier>
        <dc:title>A book</dc:title><dc:language>en</dc:language></metadata>
        <manifest>${items.join('')}</manifest>
        <spine>${names.map((name) => `<itemref idref="c${name}"/>`).join('')}</spine></package>`,
    },
    ...more,
    ...chapters.filter(({ name }) => !missing.some((missingName) => name === `${missingName}.xhtml`)),
  ]);
};
