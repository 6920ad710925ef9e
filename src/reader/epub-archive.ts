import { EPUB } from 'foliate-js/epub.js';
import { raise, unreached } from '../client/wire/problem.ts';
import { broken, limited, openZip, tooLarge } from './archive-files.ts';
import { decodedOrNull } from './decoded.ts';
import { fetchMedia } from './fetch-media.ts';
import { placedStyle, resourceFinder } from './resource-addresses.ts';
import { walledPage } from './walled-page.ts';
import { wellFormedPage, XHTML } from './well-formed-page.ts';
import type { Link, Manifest, WebPublication } from './web-publication.ts';

/** Bytes of a book that is held in memory. */
const LARGEST_BOOK = 512 * 2 ** 20;
/** Bytes that count as one position of a book, as in the Readium positions list. */
const POSITION_BYTES = 1024;
/** No address of the web: the files of an archive have names and no addresses. */
const ARCHIVE_BASE = 'https://archive.invalid/';

const readAll = async (url: string, signal: AbortSignal): Promise<Blob> => {
  const answer = await fetchMedia(url, signal);
  if (Number(answer.headers.get('content-length') ?? 0) > LARGEST_BOOK) tooLarge('The book', LARGEST_BOOK);
  const read = limited(LARGEST_BOOK);
  try {
    const [blob] = await Promise.all([read.blob(), answer.body?.pipeTo(read.writable)]);
    return blob;
  } catch (error) {
    if (signal.aborted) throw error;
    return read.isOver() ? tooLarge('The book', LARGEST_BOOK) : raise(unreached());
  }
};

/** Packages name pages by many types, old ones and wrong ones. */
const isText = ({ href, mediaType }: Foliate.ManifestItem): boolean =>
  /html|svg|dtbook|mathml|oeb1|^text\/|^application\/xml/.test(mediaType ?? '') || /\.x?html?$/i.test(href);

const isPicture = ({ mediaType }: Foliate.ManifestItem): boolean =>
  /^image\/(a?png|avif|bmp|gif|p?jpe?g|webp|x-png)$/.test(mediaType ?? '');

/** Finds the item to show for another: itself, else the first of its fallbacks, else null. */
const shownItems = ({ manifest, opf }: Foliate.Resources) => {
  const byId = new Map(manifest.map((item) => [item.id, item]));
  const fallbacks = new Map([...opf.querySelectorAll('item')].map((item) => [item.id, item.getAttribute('fallback')]));
  return (item: Foliate.ManifestItem): Foliate.ManifestItem | null => {
    const chain = new Set<Foliate.ManifestItem>();
    for (let at: typeof item | undefined = item; at !== undefined && !chain.has(at);) {
      if (isText(at) || isPicture(at)) return at;
      chain.add(at);
      at = byId.get(fallbacks.get(at.id ?? '') ?? '');
    }
    return null;
  };
};

/**
 * The text of a package or of its contents, with addresses that foliate can decode. It decodes
 * those of the contents twice, and gives up all of them at one that it cannot decode.
 */
const withDecodableAddresses = (text: string): string => {
  const percent = /<(\w+:)?package[\s>]/.test(text) ? '%25' : '%2525';
  return text.replace(/(\s(?:href|src)\s*=\s*["'])([^"']*)/g, (_, before: string, address: string) => {
    return before + address.replaceAll(decodedOrNull(address) === null ? '%' : '%25', percent);
  });
};

/** Reads a book out of its files; its texts are made well-formed before foliate parses them. */
const readBook = async (files: Omit<Awaited<ReturnType<typeof openZip>>, 'isProtected'>) => {
  const texts = new Set<string>();
  const types = new Map<string, string>();
  let find: ReturnType<typeof resourceFinder> | null = null;
  const loadText = async (name: string): Promise<string | null> => {
    const text = await files.loadText(name);
    if (text === null) return null;
    if (find === null) return withDecodableAddresses(text);
    if (texts.has(name)) return wellFormedPage(text, find(name));
    return types.get(name) === 'text/css' ? placedStyle(text, find(name)) : text;
  };
  const book = await new EPUB({ ...files, loadText }).init().catch((error: unknown) => broken(String(error)));
  const { manifest } = book.resources;
  for (const item of manifest) {
    item.mediaType = (item.mediaType ?? '').trim().toLowerCase();
    types.set(item.href, item.mediaType);
  }
  const ids = new Set(book.sections.map(({ id }) => id));
  const shownItem = shownItems(book.resources);
  /** By the name of each item of the spine: the file to show for it, null without any. */
  const pages = new Map<string, string | null>();
  for (const item of manifest.filter(({ href }) => ids.has(href))) {
    const shown = shownItem(item);
    pages.set(item.href, shown?.href ?? null);
    if (shown === null) continue;
    if (isText(shown)) texts.add(shown.href);
    item.href = shown.href;
    item.mediaType = isText(shown) ? XHTML : shown.mediaType;
  }
  find = resourceFinder([...types.keys()], ARCHIVE_BASE);
  return { book, types, pages };
};

const missing = (name: string) => raise({ kind: 'refused', code: 'not_found', message: `${name} is missing` });
const unshowable = (message: string) => raise({ kind: 'refused', code: 'format_unsupported', message });

/** A name in one language, or in several. */
const nameOf = (name: unknown): string => {
  if (typeof name === 'string') return name;
  const names: unknown[] = typeof name === 'object' && name !== null ? Object.values(name) : [];
  return names.find((each) => typeof each === 'string') ?? '';
};

const contentsOf = (items: readonly Foliate.ContentsItem[]): Manifest['toc'] =>
  items.map(({ label, href, subitems }) => ({ title: label.trim(), href, children: contentsOf(subitems ?? []) }));

const pageListOf = (items: readonly Partial<Foliate.ContentsItem>[]): Manifest['pageList'] =>
  items.map(({ label, href }) => ({ title: label ?? '', href: href ?? undefined }));

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
  const { book, types, pages } = await readBook(files);
  signal.throwIfAborted();
  signal.addEventListener('abort', () => book.destroy());
  const byName = new Map(book.sections.map((section) => [section.id, section]));
  const shownFiles = new Set(pages.values());
  book.transformTarget.addEventListener('data', (event) => {
    const { detail } = event as CustomEvent<Foliate.ArchivedFile>;
    const { name, type } = detail;
    if (!shownFiles.has(name)) return;
    const page = Promise.resolve(detail.data).then((data) => {
      return walledPage({ name, type, data: data ?? missing(name) }, ARCHIVE_BASE);
    });
    detail.data = page.then(({ data }) => data);
    detail.type = page.then(
      ({ type }) => type,
      () => XHTML,
    );
  });
  const links = book.sections.map((section, nth) => ({
    section,
    link: linkOf(section, types.get(section.id) ?? '', nth),
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
      pageList: pageListOf(book.pageList ?? []),
    },
    counts: new Map(
      links.map(({ link: { href } }) => [href, Math.max(Math.ceil(files.getSize(pages.get(href) ?? href) / POSITION_BYTES), 1)]),
    ),
    archive: {
      load: async (href) => {
        if (pages.get(href) === null) return unshowable(`${href} is of the type ${types.get(href)}`);
        return (await byName.get(href)?.load()) ?? missing(href);
      },
      unload: (href) => byName.get(href)?.unload(),
    },
  };
};
