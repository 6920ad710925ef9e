import { EPUB } from 'foliate-js/epub.js';
import { throwProblem, offlineProblem } from '../client/wire/problem.ts';
import { throwBrokenBook, createLimitedStream, openZip, throwTooLarge } from './archive-files.ts';
import { decodeOrNull } from './decode-url.ts';
import { fetchMedia } from './fetch-media.ts';
import { rewriteStyle, createResourceFinder } from './resource-addresses.ts';
import { sandboxPage } from './sandboxed-page.ts';
import { toWellFormedPage, XHTML_TYPE } from './well-formed-page.ts';
import type { Link, Manifest, WebPublication } from './web-publication.ts';

/** Maximum bytes of a book held in memory. */
const MAX_BOOK_BYTES = 512 * 2 ** 20;
/** Bytes that count as one position of a book, as in the Readium positions list. */
const POSITION_BYTES = 1024;
/** The base of an archive's files, which have names and no addresses; no server has this host. */
const ARCHIVE_BASE = 'https://archive.invalid/';

const fetchArchive = async (url: string, signal: AbortSignal): Promise<Blob> => {
  const answer = await fetchMedia(url, signal);
  if (Number(answer.headers.get('content-length') ?? 0) > MAX_BOOK_BYTES) throwTooLarge('The book', MAX_BOOK_BYTES);
  const stream = createLimitedStream(MAX_BOOK_BYTES);
  try {
    const [blob] = await Promise.all([stream.blob(), answer.body?.pipeTo(stream.writable)]);
    return blob;
  } catch (error) {
    if (signal.aborted) throw error;
    return stream.isOver() ? throwTooLarge('The book', MAX_BOOK_BYTES) : throwProblem(offlineProblem());
  }
};

/** Whether an item is a page; packages declare many media types, also obsolete and wrong ones. */
const isText = ({ href, mediaType }: Foliate.ManifestItem): boolean =>
  /html|svg|dtbook|mathml|oeb1|^text\/|^application\/xml/.test(mediaType ?? '') || /\.x?html?$/i.test(href);

const isPicture = ({ mediaType }: Foliate.ManifestItem): boolean =>
  /^image\/(a?png|avif|bmp|gif|p?jpe?g|webp|x-png)$/.test(mediaType ?? '');

/**
 * Finds the item to show for an item: itself, else the first fallback that can be shown, or null.
 */
const createItemFinder = ({ manifest, opf }: Foliate.Resources) => {
  const byId = new Map(manifest.map((item) => [item.id, item]));
  const fallbacks = new Map([...opf.querySelectorAll('item')].map((item) => [item.id, item.getAttribute('fallback')]));
  return (item: Foliate.ManifestItem): Foliate.ManifestItem | null => {
    const chain = new Set<Foliate.ManifestItem>();
    for (let candidate: typeof item | undefined = item; candidate !== undefined && !chain.has(candidate);) {
      if (isText(candidate) || isPicture(candidate)) return candidate;
      chain.add(candidate);
      candidate = byId.get(fallbacks.get(candidate.id ?? '') ?? '');
    }
    return null;
  };
};

/**
 * The text of a package or of its contents, with addresses that foliate can decode. foliate
 * decodes addresses of the contents twice, and drops all of them if one cannot be decoded.
 */
const withDecodableAddresses = (text: string): string => {
  const percent = /<(\w+:)?package[\s>]/.test(text) ? '%25' : '%2525';
  return text.replace(/(\s(?:href|src)\s*=\s*["'])([^"']*)/g, (_, prefix: string, address: string) => {
    return prefix + address.replaceAll(decodeOrNull(address) === null ? '%' : '%25', percent);
  });
};

/** Parses a book from its files; its texts are made well-formed before foliate parses them. */
const readBook = async (files: Omit<Awaited<ReturnType<typeof openZip>>, 'isProtected'>) => {
  const textFiles = new Set<string>();
  const types = new Map<string, string>();
  let findResource: ReturnType<typeof createResourceFinder> | null = null;
  const loadText = async (name: string): Promise<string | null> => {
    const text = await files.loadText(name);
    if (text === null) return null;
    if (findResource === null) return withDecodableAddresses(text);
    if (textFiles.has(name)) return toWellFormedPage(text, findResource(name));
    return types.get(name) === 'text/css' ? rewriteStyle(text, findResource(name)) : text;
  };
  const book = await new EPUB({ ...files, loadText }).init().catch((error: unknown) => throwBrokenBook(String(error)));
  const { manifest } = book.resources;
  for (const item of manifest) {
    item.mediaType = (item.mediaType ?? '').trim().toLowerCase();
    types.set(item.href, item.mediaType);
  }
  const ids = new Set(book.sections.map(({ id }) => id));
  const findShownItem = createItemFinder(book.resources);
  /** The file to show for each spine item, by the item's name; null if none can be shown. */
  const pages = new Map<string, string | null>();
  for (const item of manifest.filter(({ href }) => ids.has(href))) {
    const shownItem = findShownItem(item);
    pages.set(item.href, shownItem?.href ?? null);
    if (shownItem === null) continue;
    if (isText(shownItem)) textFiles.add(shownItem.href);
    item.href = shownItem.href;
    item.mediaType = isText(shownItem) ? XHTML_TYPE : shownItem.mediaType;
  }
  findResource = createResourceFinder([...types.keys()], ARCHIVE_BASE);
  return { book, types, pages };
};

const throwMissing = (name: string) => throwProblem({ kind: 'refused', code: 'not_found', message: `${name} is missing` });
const throwUnsupported = (message: string) => throwProblem({ kind: 'refused', code: 'format_unsupported', message });

/** A title that is one text, or one for each language; empty without any. */
const pickName = (name: unknown): string => {
  if (typeof name === 'string') return name;
  const names: unknown[] = typeof name === 'object' && name !== null ? Object.values(name) : [];
  return names.find((each) => typeof each === 'string') ?? '';
};

const toContents = (items: readonly Foliate.ContentsItem[]): Manifest['toc'] =>
  items.map(({ label, href, subitems }) => ({ title: label.trim(), href, children: toContents(subitems ?? []) }));

const toPageList = (items: readonly Partial<Foliate.ContentsItem>[]): Manifest['pageList'] =>
  items.map(({ label, href }) => ({ title: label ?? '', href: href ?? undefined }));

const toLink = ({ id, pageSpread }: Foliate.ArchivedSection, type: string, spineIndex: number): Link => ({
  href: id,
  type,
  properties: { spineIndex, ...(pageSpread === undefined ? {} : { page: pageSpread }) },
});

/** Whether the file starts with the signature of a zip archive. */
const isArchive = async (file: Blob): Promise<boolean> => (await file.slice(0, 2).text()) === 'PK';

/**
 * Opens an EPUB that its server sends as one file, as a publication with files from that archive.
 * @returns null where the file is not an archive
 * @throws Problem `refused` with the code of a book that cannot be opened
 */
export const openArchive = async (url: string, signal: AbortSignal): Promise<WebPublication | null> => {
  const archive = await fetchArchive(url, signal);
  if (!(await isArchive(archive))) return null;
  const { isProtected, ...files } = await openZip(archive);
  if (isProtected) throwProblem({ kind: 'refused', code: 'book_protected', message: 'The book is protected by a licence.' });
  const { book, types, pages } = await readBook(files);
  signal.throwIfAborted();
  signal.addEventListener('abort', () => book.destroy());
  const sectionsByName = new Map(book.sections.map((section) => [section.id, section]));
  const shownFiles = new Set(pages.values());
  book.transformTarget.addEventListener('data', (event) => {
    const { detail } = event as CustomEvent<Foliate.ArchivedFile>;
    const { name, type } = detail;
    if (!shownFiles.has(name)) return;
    const page = Promise.resolve(detail.data).then((data) => {
      return sandboxPage({ name, type, data: data ?? throwMissing(name) }, ARCHIVE_BASE);
    });
    detail.data = page.then(({ data }) => data);
    detail.type = page.then(
      ({ type }) => type,
      () => XHTML_TYPE,
    );
  });
  const links = book.sections.map((section, spineIndex) => ({
    section,
    link: toLink(section, types.get(section.id) ?? '', spineIndex),
  }));
  const readingOrder = links.flatMap(({ section, link }) => (section.linear === 'no' ? [] : [link]));
  if (readingOrder.length === 0) throwBrokenBook('The book has no linear spine items.');
  return {
    base: ARCHIVE_BASE,
    manifest: {
      metadata: {
        title: pickName(book.metadata.title),
        language: [book.metadata.language ?? []].flat(),
        readingProgression: book.dir === 'rtl' ? 'rtl' : 'ltr',
        layout: book.rendition.layout === 'pre-paginated' ? 'fixed' : 'reflowable',
        presentation: { spread: book.rendition.spread },
      },
      readingOrder,
      resources: links.flatMap(({ section, link }) => (section.linear === 'no' ? [link] : [])),
      toc: toContents(book.toc ?? []),
      pageList: toPageList(book.pageList ?? []),
    },
    counts: new Map(
      links.map(({ link: { href } }) => [href, Math.max(Math.ceil(files.getSize(pages.get(href) ?? href) / POSITION_BYTES), 1)]),
    ),
    archive: {
      load: async (href) => {
        if (pages.get(href) === null) return throwUnsupported(`${href} is of the type ${types.get(href)}`);
        return (await sectionsByName.get(href)?.load()) ?? throwMissing(href);
      },
      unload: (href) => sectionsByName.get(href)?.unload(),
    },
  };
};
