import { EPUB } from 'foliate-js/epub.js';
import { BlobReader, BlobWriter, configure, ZipReader } from 'foliate-js/vendor/zip.js';
import { raise } from '../client/problem.ts';
import { fetchMedia } from './fetch-media.ts';
import { walledPage } from './walled-page.ts';
import type { Link, Manifest, WebPublication } from './web-publication.ts';

/** Bytes of one file of a book, unpacked; a page that is larger would hold up the window. */
const LARGEST_FILE = 64 * 2 ** 20;
/** Bytes of a book that is held in memory. */
const LARGEST_BOOK = 512 * 2 ** 20;
/** Bytes that count as one position of a book, as in the Readium positions list. */
const POSITION_BYTES = 1024;
/** No address of the web: the files of an archive have names and no addresses. */
const ARCHIVE_BASE = 'https://archive.invalid/';

const broken = (message: string) => raise({ kind: 'refused', code: 'broken_book', message });

const readAll = async (url: string, signal: AbortSignal): Promise<Blob> => {
  const answer = await fetchMedia(url, signal);
  if (Number(answer.headers.get('content-length') ?? 0) > LARGEST_BOOK)
    raise({ kind: 'refused', code: 'book_too_large', message: `larger than ${LARGEST_BOOK} bytes` });
  return answer.blob().catch((error: unknown) => {
    if (signal.aborted) throw error;
    return raise({ kind: 'offline' });
  });
};

/** A text of a book; one in UTF-16 says so by its first two bytes. */
const textOf = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  const isWide = (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
  return new TextDecoder(isWide ? (first === 0xfe ? 'utf-16be' : 'utf-16le') : 'utf-8').decode(bytes);
};

const openZip = async (file: Blob) => {
  // Its workers are scripts of their own addresses, which a page's policy may refuse.
  configure({ useWebWorkers: false });
  // Names are in UTF-8, also where the archive does not say so.
  const entries = await new ZipReader(new BlobReader(file), { filenameEncoding: 'utf-8' })
    .getEntries()
    .catch((error: unknown) => broken(`no archive: ${String(error)}`));
  const byName = new Map(entries.map((entry) => [entry.filename, entry]));
  const loadBlob = async (name: string, type = ''): Promise<Blob | null> => {
    const entry = byName.get(name);
    if (entry?.getData === undefined) return null;
    if (entry.uncompressedSize > LARGEST_FILE)
      raise({ kind: 'refused', code: 'book_too_large', message: `${name} is larger than ${LARGEST_FILE} bytes` });
    return entry.getData(new BlobWriter(type)).catch((error: unknown) => broken(`${name}: ${String(error)}`));
  };
  return {
    loadBlob,
    loadText: async (name: string): Promise<string | null> => {
      const found = await loadBlob(name);
      return found && textOf(found);
    },
    getSize: (name: string): number => byName.get(name)?.uncompressedSize ?? 0,
    isProtected: byName.has('META-INF/rights.xml') || byName.has('META-INF/license.lcpl'),
  };
};

/** A name in one language, or in several. */
const nameOf = (name: unknown): string => {
  if (typeof name === 'string') return name;
  const names: unknown[] = typeof name === 'object' && name !== null ? Object.values(name) : [];
  return names.find((each) => typeof each === 'string') ?? '';
};

const contentsOf = (items: readonly Foliate.ContentsItem[]): Manifest['toc'] =>
  items.map(({ label, href, subitems }) => ({ title: label.trim(), href, children: contentsOf(subitems ?? []) }));

const linkOf = ({ id, pageSpread }: Foliate.ArchivedSection, type: string, spineIndex: number): Link => ({
  href: id,
  type,
  properties: { spineIndex, ...(pageSpread === undefined ? {} : { page: pageSpread }) },
});

/** The first bytes of an archive. */
const isArchive = async (file: Blob): Promise<boolean> => (await file.slice(0, 2).text()) === 'PK';

/**
 * Opens an EPUB that its server gives as one file, as a publication whose files come out of it.
 * @returns null where the file is no archive
 * @throws Problem `refused` with the code of a book that cannot be opened
 */
export const openArchive = async (url: string, signal: AbortSignal): Promise<WebPublication | null> => {
  const archive = await readAll(url, signal);
  if (!(await isArchive(archive))) return null;
  const { isProtected, ...files } = await openZip(archive);
  if (isProtected) raise({ kind: 'refused', code: 'book_protected', message: 'The book has a licence of its own.' });
  const book = await new EPUB(files).init().catch((error: unknown) => broken(String(error)));
  signal.throwIfAborted();
  signal.addEventListener('abort', () => book.destroy());
  const typeOf = new Map(book.resources.manifest.map(({ href, mediaType }) => [href, mediaType]));
  const byName = new Map(book.sections.map((section) => [section.id, section]));
  book.transformTarget.addEventListener('data', (event) => {
    const { detail } = event as CustomEvent<Foliate.ArchivedFile>;
    const { name, type } = detail;
    if (!byName.has(name)) return;
    const page = Promise.resolve(detail.data).then((data) => walledPage({ name, type, data: data ?? '' }, ARCHIVE_BASE));
    detail.data = page.then(({ data }) => data);
    detail.type = page.then(({ type }) => type);
  });
  const links = book.sections.map((section, nth) => ({
    section,
    link: linkOf(section, typeOf.get(section.id) ?? '', nth),
  }));
  const readingOrder = links.flatMap(({ section, link }) => (section.linear === 'no' ? [] : [link]));
  if (readingOrder.length === 0) broken('It has no pages.');
  return {
    base: ARCHIVE_BASE,
    manifest: {
      metadata: {
        title: nameOf(book.metadata.title),
        language: [book.metadata.language ?? []].flat(),
        readingProgression: book.dir === 'rtl' ? 'rtl' : 'ltr',
        layout: book.rendition.layout === 'pre-paginated' ? 'fixed' : 'reflowable',
        presentation: { spread: book.rendition.spread },
      },
      readingOrder,
      resources: links.flatMap(({ section, link }) => (section.linear === 'no' ? [link] : [])),
      toc: contentsOf(book.toc ?? []),
    },
    counts: new Map(links.map(({ section, link }) => [link.href, Math.max(Math.ceil(section.size / POSITION_BYTES), 1)])),
    archive: {
      load: async (href) =>
        (await byName.get(href)?.load()) ?? raise({ kind: 'refused', code: 'not_found', message: `${href} is missing` }),
      unload: (href) => byName.get(href)?.unload(),
    },
  };
};
